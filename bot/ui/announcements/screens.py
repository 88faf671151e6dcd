"""The messages that the bot posts by itself: the end of a season, and the week."""

from collections.abc import Callable, Sequence

from bot.records.models import Person
from bot.records.seasons.digest import Week
from bot.records.seasons.season import Champion, SeasonOfGame
from bot.screen import Choice, Line, Look, Row, Screen, Words
from bot.tables.views.lines import sentence
from bot.text import Icon, Joined, Month, Name, Number, Text, Values
from bot.ui.toolkit.command_router import custom_id

Named = Callable[[Person], Name]
"""Return the name of somebody as it is now, without a mark."""


def season_title(month: Month) -> Text:
    return Text("season.title", (("month", month),))


def season_screen(month: Month, games: Sequence[SeasonOfGame], named: Named) -> Screen:
    """Draw the end of a season: the champions of each game, in the order of its matches."""
    lines: list[Line] = [sentence("season.title", (("month", month),), Look.TITLE)]
    for game in sorted(games, key=lambda one: -one.matches):
        lines += _champions(game, named)
    values = (("month", month.after), ("icon", Icon("champion")))
    lines.append(sentence("season.next", values, Look.SMALL))
    return Screen((Words(tuple(lines)), _boards(games, month)))


def week_title() -> Text:
    return Text("week.title")


def week_screen(week: Week, named: Named) -> Screen:
    """Draw the weekly digest."""
    counted = (("n", week.matches), ("players", Text("week.players", (("n", week.players),))))
    lines: list[Line] = [sentence("week.title", look=Look.TITLE), sentence("week.played", counted)]
    for game in sorted(week.games, key=lambda one: -one.matches):
        lines += _champions(game, named)
    if (race := week.race) is not None:
        values: Values = (
            ("icon", Icon("duel")),
            ("name", named(race.first)),
            ("late", named(race.late)),
            ("ms", race.ms),
            ("match", race.match),
        )
        lines.append(sentence("week.race", values))
    if (best := week.best) is not None:
        values = (
            ("icon", Icon("best")),
            ("name", named(best.person)),
            ("points", Number(best.points, signed=True)),
            ("game", Text(f"game.{best.game}")),
            ("match", best.match),
        )
        lines.append(sentence("week.best", values))
    return Screen((Words(tuple(lines)), _boards(week.games)))


def _champions(game: SeasonOfGame, named: Named) -> tuple[Line, ...]:
    """Draw a game's line of champions. Those who share a title have the same wins and points."""
    called = Text(f"game.{game.game}")
    if not game.champions:
        return (sentence("season.nobody", (("game", called),)),)
    one: Champion = game.champions[0]
    names = Joined(tuple(named(champion.person) for champion in game.champions), sentence=True)
    values: Values = (
        ("icon", Icon("champion")),
        ("game", called),
        ("names", names),
        ("wins", one.wins),
        ("points", Number(one.points, 2)),
    )
    return (sentence("season.champion", values),)


def _boards(games: Sequence[SeasonOfGame], month: Month | None = None) -> Row:
    """Draw a button for each game's leaderboard, which whoever presses it sees alone.

    `month`: the one of that season instead of all time.
    """
    return Row(
        tuple(
            Choice(
                Text("button.leaderboard" if len(games) == 1 else f"game.{one.game}"),
                custom_id("top", one.game, *(() if month is None else (str(month),))),
            )
            for one in games
        )
    )
