"""What people are shown of the records, as plain values."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from bot.records.periods import Bounds
from bot.records.ratings import Shown
from bot.records.results import RoundRecord, Standing, Unranked

PAGE = 10
"""Rows of a leaderboard's page."""
MATCHES = 5
"""Matches on a page of the history."""


class Order(StrEnum):
    """What a leaderboard is ordered by."""

    RATING = "rating"
    WINS = "wins"
    POINTS = "points"


@dataclass(frozen=True, slots=True)
class Person:
    """A human player. Both are None for somebody who asked to be forgotten.

    `name` is the last one known: who has it from Discord shows that instead.
    """

    user: int | None
    name: str | None


@dataclass(frozen=True, slots=True)
class Wanted:
    """A page of a leaderboard, from 0. `within` bounds when matches ended; None is all time."""

    guild: int
    game: str
    order: Order
    within: Bounds | None = None
    page: int = 0


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A player on a leaderboard. `place` is shared by equals (1, 1, 3).

    `rating` is that of now, and places compare its points less the margin that is shown. The
    rest counts the rated matches of the period. `points` are points a round, to two decimals, by
    which places compare as well.
    """

    place: int
    person: Person
    rating: Shown
    matches: int
    wins: int
    points: float


@dataclass(frozen=True, slots=True)
class Board:
    """One page of a leaderboard; `page` counts from 0 and is the last one if more was asked.

    `own` is the asking player's row wherever it is, None when he is on no page.
    """

    rows: tuple[BoardRow, ...]
    page: int
    pages: int
    players: int
    own: BoardRow | None


@dataclass(frozen=True, slots=True)
class Stats:
    """A player's rated matches of one game, and the rating that rounds have made. Where there is
    none, None stands for no figure.

    `practice` counts their matches for practice and those too short for a leaderboard. `points`
    are points a round, `laid` cards or dice a minute of the rounds they were dealt. `firsts` and
    `lates` count contested presses won and lost, with the mean margins in ms. `streak` is matches
    won in a row: now, and the most.
    """

    person: Person
    rating: Shown | None
    matches: int
    practice: int
    wins: int
    win_share: float | None
    points: float | None
    laid: float | None
    firsts: int
    firsts_ms: float | None
    lates: int
    lates_ms: float | None
    best: int | None
    worst: int | None
    streak: int
    best_streak: int


@dataclass(frozen=True, slots=True)
class RatedAt:
    """The rating shown after a match. `at`: Unix ms."""

    match: int
    at: int
    rating: Shown


@dataclass(frozen=True, slots=True)
class PlayedSeat:
    """A seat of a match in the history. `person` is None for a computer player.

    `rating` is the one shown after the match and `change` what the match made of its points; both
    are None when none of its rounds rated this player.
    """

    name: str | None
    person: Person | None
    place: int
    won: bool
    left: bool
    points: int
    rating: Shown | None = None
    change: int | None = None


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match in the history. `number` is the one people name it by. `unranked`: why it is in no
    leaderboard. `forfeited`: a round was stopped since all people but one had left it.
    """

    number: int
    table: int
    game: str
    began: int
    ended: int
    options: Mapping[str, str]
    standing: Standing
    has_log: bool
    seats: tuple[PlayedSeat, ...]
    unranked: Unranked | None = None
    forfeited: bool = False


@dataclass(frozen=True, slots=True)
class History:
    """One page of a server's matches, the newest first; `page` as in Board."""

    matches: tuple[PlayedMatch, ...]
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class MatchDetails:
    match: PlayedMatch
    rounds: tuple[RoundRecord, ...]


@dataclass(frozen=True, slots=True)
class Settings:
    """What a server has set; None stands for the bot's default. `keep_logs`: days, for ever if
    None. `defaults`: the options a table opens with, by game.
    """

    language: str | None = None
    time_zone: str | None = None
    keep_logs: int | None = None
    defaults: Mapping[str, Mapping[str, str]] | None = None

    def of_game(self, game: str) -> Mapping[str, str]:
        return (self.defaults or {}).get(game, {})


@dataclass(frozen=True, slots=True)
class Moderated:
    """What a moderator did when. `subject` is a match for `void`, a table for `close`."""

    at: int
    moderator: int | None
    action: str
    subject: int


def streaks(won: Iterable[bool]) -> tuple[int, int]:
    """Of matches in their order: how many were won in a row at the end, and at most."""
    now = most = 0
    for one in won:
        now = now + 1 if one else 0
        most = max(most, now)
    return now, most


def pages(items: int, size: int) -> int:
    """An empty list has one page, an empty one."""
    return max(1, -(-items // size))
