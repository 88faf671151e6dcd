"""The screens of a daily: its page, the panel of a round, and the result."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.daily.dates import DayNumber, in_words, iso, publishes
from bot.daily.result import Result, quarters, result
from bot.daily.round import DailyRound
from bot.daily.schedule import PLAYER
from bot.daily.store import Leaderboard, LeaderboardRow
from bot.games.contract import Frame
from bot.games.values import Refused
from bot.screen import ASIDE, Block, Choice, Line, Look, Row, Screen, Sentence, Style, Words
from bot.tables.views.lines import dotted, sentence
from bot.tables.views.news import opening, plays_line
from bot.tables.views.results.standings import medal
from bot.tables.views.screens.panel import REFUSED
from bot.tables.views.still_left import left_line
from bot.text import Icon, Joined, Name, Text, Values, bare, change

SUBJECT = "daily"
ON_PANEL = 3
"""The robots' latest plays that a panel names."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A game on the daily's page. `round` is None until its player has begun it.

    `is_used`: they began it before they asked to be forgotten, so it can't be played.
    """

    game: str
    day: DayNumber
    round: DailyRound | None
    is_used: bool = False


def aside(word: str, day: DayNumber, game: str) -> str:
    """Return the whole custom id of a button beside the moves of a round."""
    return f"{ASIDE}:{SUBJECT}:{word}:{day}:{game}"


def game_name(game: str) -> Text:
    return Text(f"game.{game}")


def daily_page(
    day: DayNumber, entries: Sequence[Entry], earlier: Sequence[Entry], streak: int
) -> Screen:
    """Draw the page of a date. `earlier`: the day before's rounds that can still be finished."""
    lines: list[Line] = [
        sentence("daily.title", (("day", in_words(day)),), Look.TITLE),
        sentence("daily.what"),
        *(_state(entry) for entry in entries),
    ]
    if streak > 1:
        lines.append(sentence("daily.streak", (("n", streak),), Look.SMALL))
    buttons = [_opens(entry) for entry in entries]
    if earlier:
        until = f"<t:{publishes(earlier[0].day)}:f>"
        lines.append(sentence("daily.earlier", (("until", until),), Look.SMALL))
        buttons += [_opens_earlier(entry) for entry in earlier]
    fair = Choice(Text("button.fair"), f"{ASIDE}:{SUBJECT}:fair")
    rules = Choice(Text("button.rules"), f"{ASIDE}:rules:daily:{entries[0].game}")
    rows = (Row((button,)) for button in buttons)
    return Screen((Words(tuple(lines)), *rows, Row((rules, fair))))


def _state(entry: Entry) -> Sentence:
    one, game = entry.round, ("game", game_name(entry.game))
    if one is None:
        return sentence("daily.used" if entry.is_used else "daily.new", (game,))
    if one.ending is None:
        return sentence("daily.going", (game, ("n", one.presses)))
    return sentence("daily.done", (game, *_result(result(one))))


def _opens(entry: Entry) -> Choice:
    is_over = entry.round is not None and entry.round.ending is not None
    style = Style.SECONDARY if is_over else Style.SUCCESS
    word, off = aside("open", entry.day, entry.game), entry.is_used
    return Choice(game_name(entry.game), word, style=Style.SECONDARY if off else style, off=off)


def _opens_earlier(entry: Entry) -> Choice:
    label = Text(f"{entry.game}.of_yesterday")
    return Choice(label, aside("open", entry.day, entry.game))


def playing(one: DailyRound, said: Text | Refused | None, robots: tuple[str, ...]) -> Screen:
    """Draw the panel of a round that goes on. `robots`: their names, in the reader's language."""
    names = ("", *robots)
    left = one.game.left(one.state)
    is_refused = isinstance(said, Refused)
    frame = Frame(
        left_line(one.game.key, left, PLAYER, names),
        _note(said),
        news=_news(one, names),
        is_refusal=is_refused,
    )
    blocks = one.game.panel(one.game.view(one.state, PLAYER), frame)
    count = sentence("daily.presses", (("n", one.presses),), Look.SMALL)
    return Screen((*blocks, Words((count,))))


def _note(said: Text | Refused | None) -> Line:
    if said is None:
        return sentence("daily.begin")
    if isinstance(said, Refused):
        return sentence(REFUSED, (("why", said.text),))
    return sentence("panel.done", (("icon", Icon("ready")), ("said", said)))


def _news(one: DailyRound, names: tuple[str, ...]) -> Line:
    """Say what the robots took after the last press. It always has an icon, as at a table."""
    if not one.steps:
        return opening(one.game)
    made = [(it.seat, it.claim) for it in one.steps[-1].made if it.seat != PLAYER]
    plays = tuple((seat, claim) for seat, claim in made if claim is not None)
    if plays:
        return plays_line(plays[-ON_PANEL:], names)
    return sentence("daily.quiet", (("icon", Icon("computer")),), Look.SMALL)


def over(
    one: DailyRound,
    robots: tuple[str, ...],
    leaderboard: Leaderboard | None,
    *,
    streak: int = 0,
    said: Refused | None = None,
    shares: bool = False,
) -> Screen:
    """Draw the result of a round that has ended, or whose secret is published.

    `shares`: there is a channel in which it can be shared.
    """
    day, game = in_words(one.day), game_name(one.game.key)
    lines: list[Line] = [sentence("daily.over", (("game", game), ("day", day)), Look.HEAD)]
    if one.ending is None:
        lines.append(sentence("daily.unplaced", _result(result(one))))
    else:
        lines += [sentence("daily.result", _result(result(one)), Look.TITLE), _how(one, robots)]
    lines.append(_scores(one, robots))
    if streak > 1:
        lines.append(sentence("daily.streak", (("n", streak),), Look.SMALL))
    blocks: list[Block] = [Words(tuple(lines))]
    if one.ending is not None:
        blocks.append(Words((sentence("daily.share", share_values(one)),)))
    if leaderboard is not None and leaderboard.rows:
        blocks.append(Words(tuple(_leaderboard(leaderboard))))
    if said is not None:
        blocks.append(Words((_note(said),), news=True))
    choices = [Choice(Text("button.daily_page"), f"{ASIDE}:{SUBJECT}:page")]
    if shares and one.ending is not None:
        choices.insert(0, Choice(Text("button.daily_share"), aside("share", one.day, one.game.key)))
    return Screen((*blocks, Row(tuple(choices))))


def share_screen(one: DailyRound, name: Name) -> Screen:
    """Draw what everybody in a channel may see of a result: no card, no die."""
    shared = sentence("daily.shared", (("name", name), *share_values(one)))
    return Screen((Words((shared,)),))


def share_values(one: DailyRound) -> Values:
    """Return the gaps of the share line."""
    told = quarters(one)
    return (
        ("game", game_name(one.game.key)),
        ("date", iso(one.day)),
        ("squares", "".join(told)),
        ("words", Joined(tuple(Text(f"daily.quarter.{one.name.lower()}") for one in told))),
        *_result(result(one)),
    )


def _result(found: Result) -> Values:
    return (("points", change(found.points)), ("n", found.presses))


def _how(one: DailyRound, robots: tuple[str, ...]) -> Line:
    ending = one.ending
    assert ending is not None, "the round has ended"
    if ending.by is None:
        return sentence("score.dead")
    if ending.by == PLAYER:
        return sentence("daily.ended_you")
    return sentence("daily.ended", (("name", Name(robots[ending.by - 1])),))


def _scores(one: DailyRound, robots: tuple[str, ...]) -> Line:
    points = one.points
    you = Text("daily.you", (("points", change(points[PLAYER])),))
    others = (
        Text("history.scored", (("name", Name(name)), ("points", change(points[seat]))))
        for seat, name in enumerate(robots, 1)
    )
    return Sentence(bare(dotted([you, *others])), Look.SMALL)


def _leaderboard(leaderboard: Leaderboard) -> list[Line]:
    lines: list[Line] = [sentence("daily.leaderboard", (("n", leaderboard.players),), Look.SMALL)]
    lines += map(_row, leaderboard.rows)
    if leaderboard.own is not None and leaderboard.own not in leaderboard.rows:
        lines.append(_row(leaderboard.own))
    return lines


def _row(row: LeaderboardRow) -> Line:
    values: Values = (("medal", medal(row.place)), ("name", Name(row.name)), *_result(row.result))
    return sentence("daily.row", values)
