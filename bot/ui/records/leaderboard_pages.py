"""The pages of a leaderboard: what is asked for, and how it looks."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from bot.ids import UserId
from bot.records.models import PAGE, LeaderboardPage, LeaderboardRow, Order
from bot.records.periods import Period
from bot.records.seasons.season import month_of
from bot.screen import Line, Look, Screen, Words
from bot.tables.views.lines import sentence
from bot.tables.views.results.standings import medal
from bot.text import Month, Name, Number, Text, Value
from bot.ui.toolkit.command_router import custom_id
from bot.ui.toolkit.custom_id_words import exactly, game_key, number, one_of, user_id
from bot.ui.toolkit.player_names import Names
from bot.ui.toolkit.screen_replies import paging

SUBJECT = "board"


@dataclass(frozen=True, slots=True)
class LeaderboardRequest:
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


def request_of(words: Sequence[str]) -> LeaderboardRequest:
    """Parse the custom id of a button, as `to_id` writes it. Raises NotOursError."""
    game, period, order, page, asker = exactly(words, 5)
    return LeaderboardRequest(
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
    request: LeaderboardRequest,
    leaderboard: LeaderboardPage,
    names: Names,
    champions: Collection[UserId] = (),
) -> Screen:
    """Draw a page. `champions`: who won the last season; a season's own are those in its lead."""
    title = sentence("board.title", (("game", Text(f"game.{request.game}")),), Look.TITLE)
    if leaderboard.is_missing:
        return Screen((Words((title, sentence("board.missing"))),))
    order = Text(f"order.{request.order}")
    period: Value = request.period
    if isinstance(request.period, Period):
        period = Text(f"period.{request.period}")
    values = (("period", period), ("order", order), ("n", leaderboard.players))
    if not leaderboard.rows:
        empty = sentence("board.empty", (("period", period),))
        return Screen((Words((title, empty, sentence("board.rated", look=Look.SMALL))),))
    lines: list[Line] = [title, sentence("board.what", values, Look.SMALL)]
    lines += (_line(row, request, names, champions) for row in leaderboard.rows[:PAGE])
    if request.order is Order.SEASON:
        lines.append(sentence("season.how", look=Look.SMALL))
    if request.order is Order.RATING and not all(row.rating.is_sure for row in leaderboard.rows):
        lines.append(sentence("board.sure", look=Look.SMALL))
    if leaderboard.is_due and request.order is Order.RATING:
        lines.append(sentence("board.due", look=Look.SMALL))
    lines += _own(request, leaderboard, names)
    if leaderboard.pages > 1:
        where = (("page", leaderboard.page + 1), ("pages", leaderboard.pages))
        lines.append(sentence("records.page", where, Look.SMALL))
    return Screen(
        (
            Words(tuple(lines)),
            *paging(leaderboard.page, leaderboard.pages, request.to_id, always=True),
        )
    )


def _line(
    row: LeaderboardRow, request: LeaderboardRequest, names: Names, champions: Collection[UserId]
) -> Line:
    """Draw a player: place, name, and the figure that the order goes by."""
    values: tuple[tuple[str, Value], ...] = (
        ("place", medal(row.place)),
        ("name", names.of(row.person, champion=wears(row, request, champions))),
        ("figure", _figure(row, request.order)),
    )
    return sentence("board.line", values)


def wears(row: LeaderboardRow, request: LeaderboardRequest, champions: Collection[UserId]) -> bool:
    """Return whether a row has the mark of a champion."""
    if request.order is Order.SEASON:
        return row.place == 1 and row.wins > 0
    return row.person.user in champions


def _figure(row: LeaderboardRow, order: Order) -> Value:
    """Return a rating with its margin, the matches won of those played, or points per round."""
    match order:
        case Order.RATING:
            return str(row.rating)
        case Order.WINS | Order.SEASON:
            return f"{row.wins}/{row.matches}"
        case Order.POINTS:
            return Number(row.points, 2)


def _own(
    request: LeaderboardRequest, leaderboard: LeaderboardPage, names: Names
) -> tuple[Line, ...]:
    """Return the line with the asking player's own place, whatever page it is on.

    Today's rating is no figure of a week, a month or a season.
    """
    own = leaderboard.own
    if own is None:
        name = names.now(request.asker)
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
    is_of_now = request.period is Period.ALL or request.order is Order.RATING
    return (sentence("board.own" if is_of_now else "board.own_then", values),)
