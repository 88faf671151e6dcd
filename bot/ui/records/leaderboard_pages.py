"""The pages of a leaderboard: what is asked for, and how it looks."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from bot.ids import UserId
from bot.records.models import PAGE, LeaderboardPage, LeaderboardRow, Order
from bot.records.periods import Period
from bot.records.seasons.season import month_of
from bot.screen import Cell, Grid, Line, Look, Screen, Words
from bot.tables.views.lines import sentence
from bot.text import Month, Name, Number, Text, Value
from bot.ui.records.custom_id_words import exactly, game_key, number, one_of, user_id
from bot.ui.records.player_names import Names
from bot.ui.toolkit.command_router import custom_id
from bot.ui.toolkit.screen_replies import paging

SUBJECT = "board"
CELL = 8
"""Columns of a name beside a two-digit place: a phone shows 25 columns."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A request for a page of a leaderboard. `asker`: the user whose own row is added.

    `period`: a month is a season that is over.
    """

    game: str
    asker: UserId
    period: Period | Month = Period.ALL
    order: Order = Order.RATING
    page: int = 0

    def to_id(self, page: int) -> str:
        return custom_id(SUBJECT, self.game, str(self.period), self.order, page, self.asker)


def asked(words: Sequence[str]) -> Ask:
    """Parse a button's custom id: the inverse of `Ask.to_id`. Raises NotOursError."""
    game, period, order, page, asker = exactly(words, 5)
    return Ask(
        game_key(game),
        user_id(asker),
        month_of(period) or one_of(Period, period),
        one_of(Order, order),
        number(page),
    )


def season_key(word: str) -> Month:
    """Return the month of a button's word. Raises ValueError for any other word."""
    if (month := month_of(word)) is None:
        raise ValueError(word)
    return month


def leaderboard_screen(
    ask: Ask, leaderboard: LeaderboardPage, names: Names, champions: Collection[UserId] = ()
) -> Screen:
    """Draw a page. `champions`: who won the last season; a season's own are those in its lead."""
    title = sentence("board.title", (("game", Text(f"game.{ask.game}")),), Look.TITLE)
    order = Text(f"order.{ask.order}")
    period: Value = ask.period
    if isinstance(ask.period, Period):
        period = Text(f"period.{ask.period}")
    values = (("period", period), ("order", order), ("n", leaderboard.players))
    if not leaderboard.rows:
        empty = sentence("board.empty", (("period", period),))
        return Screen((Words((title, empty, sentence("board.rated", look=Look.SMALL))),))
    lines: list[Line] = [title, sentence("board.what", values, Look.SMALL)]
    lines.append(_grid(leaderboard.rows, ask, names, champions))
    if ask.order is Order.SEASON:
        lines.append(sentence("season.how", look=Look.SMALL))
    if ask.order is Order.RATING and not all(row.rating.is_sure for row in leaderboard.rows):
        lines.append(sentence("board.sure", look=Look.SMALL))
    lines += _own(ask, leaderboard, names)
    if leaderboard.pages > 1:
        where = (("page", leaderboard.page + 1), ("pages", leaderboard.pages))
        lines.append(sentence("records.page", where, Look.SMALL))
    return Screen(
        (Words(tuple(lines)), *paging(leaderboard.page, leaderboard.pages, ask.to_id, always=True))
    )


def _grid(
    rows: Sequence[LeaderboardRow], ask: Ask, names: Names, champions: Collection[UserId]
) -> Grid:
    """Draw one row per player: place and name, the ordering figure, and the number of matches.

    The rating's margin takes the room of the number of matches: it says how sure the rating is.
    """
    digits = len(str(max(row.place for row in rows)))
    width, order = CELL + 2 - digits, ask.order
    counted = order is not Order.RATING
    column = Order.WINS if order is Order.SEASON else order
    head: tuple[Cell, ...] = ("", Text(f"board.{column}"), *(Text("board.played"),) * counted)
    body: list[tuple[Cell, ...]] = [
        (
            _placed(row, digits, names.of(row.person, width, champion=wears(row, ask, champions))),
            _figure(row, order),
            *(row.matches,) * counted,
        )
        for row in rows[:PAGE]
    ]
    return Grid((head, *body))


def wears(row: LeaderboardRow, ask: Ask, champions: Collection[UserId]) -> bool:
    """Return whether a row has the mark of a champion."""
    if ask.order is Order.SEASON:
        return row.place == 1 and row.wins > 0
    return row.person.user in champions


def _placed(row: LeaderboardRow, digits: int, name: Name) -> Text:
    return Text("end.place", (("n", str(row.place).rjust(digits)), ("name", name)))


def _figure(row: LeaderboardRow, order: Order) -> Cell:
    match order:
        case Order.RATING:
            return str(row.rating)
        case Order.WINS | Order.SEASON:
            return row.wins
        case Order.POINTS:
            return Number(row.points, 2)


def _own(ask: Ask, leaderboard: LeaderboardPage, names: Names) -> tuple[Line, ...]:
    """Return the line with the asking player's own place, whatever page it is on."""
    own = leaderboard.own
    if own is None:
        name = names.now(ask.asker)
        return () if name is None else (sentence("board.not_yet", (("name", Name(name)),)),)
    values: tuple[tuple[str, Value], ...] = (
        ("name", names.of(own.person)),
        ("place", own.place),
        ("players", leaderboard.players),
        ("rating", str(own.rating)),
        ("wins", own.wins),
        ("points", Number(own.points, 2)),
        ("n", own.matches),
    )
    return (sentence("board.own", values),)
