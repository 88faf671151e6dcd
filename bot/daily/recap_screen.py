"""The recap of a date's dailies, as a server's channel gets it."""

from collections.abc import Sequence

from bot.daily.dates import DayNumber, in_words
from bot.daily.screens import game_name
from bot.daily.store import GameRecap, Winners
from bot.screen import Line, Look, Screen, Words
from bot.tables.views.lines import sentence
from bot.text import Icon, Joined, Name, Text, change

MEDALS = ("gold", "silver", "bronze")


def recap_title(day: DayNumber) -> Text:
    """Return the line by which a recap is found again."""
    return Text("daily.recap_title", (("day", in_words(day)),))


def recap_screen(day: DayNumber, games: Sequence[GameRecap]) -> Screen:
    """Draw the recap: each game's first three places. It mentions nobody."""
    title = recap_title(day)
    lines: list[Line] = [sentence(title.key, title.values, Look.TITLE)]
    for game in games:
        values = (("game", game_name(game.game)), ("n", game.players))
        lines.append(sentence("daily.recap_game", values))
        lines += map(_place, game.winners)
    lines.append(sentence("daily.recap_next", look=Look.SMALL))
    return Screen((Words(tuple(lines)),))


def _place(one: Winners) -> Line:
    names: tuple[Name | Text, ...] = tuple(map(Name, one.names))
    if more := one.count - len(one.names):
        names = (*names, Text("daily.recap_more", (("n", more),)))
    values = (
        ("medal", Icon(MEDALS[one.place - 1])),
        ("place", one.place),
        ("names", Joined(names, sentence=True)),
        ("points", change(one.result.points)),
        ("n", one.result.presses),
    )
    return sentence("daily.recap_place", values)
