"""The records as people see them, as plain values."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from bot.ids import GuildId, UserId
from bot.records.periods import Bounds
from bot.records.post_settings import NO_POSTS, Posts
from bot.records.ratings import Shown
from bot.records.results import RoundRecord
from bot.tables.decisions.rated_or_practice import Standing, Unranked

PAGE = 10
"""Rows on a page of a leaderboard."""
LISTED = 300
"""Newest matches of a server that can be chosen from by date and names."""
MATCHES = 5
"""Matches on a page of the history."""


class Order(StrEnum):
    """The order of a leaderboard."""

    RATING = "rating"
    WINS = "wins"
    POINTS = "points"
    SEASON = "season"
    """As a season decides on its champion: by wins, then by points per round."""


@dataclass(frozen=True, slots=True)
class Person:
    """A human player. Both fields are None for a player who asked to be forgotten.

    `name` is the last one known. Code that has a newer one from Discord shows that instead.
    """

    user: UserId | None
    name: str | None


@dataclass(frozen=True, slots=True)
class Wanted:
    """A request for a page of a leaderboard, from 0.

    `within` restricts it to matches that ended in a period. None means all time.
    """

    guild: GuildId
    game: str
    order: Order
    within: Bounds | None = None
    page: int = 0


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """A player on a leaderboard. Equal players share a `place` (1, 1, 3).

    `rating` is the current one; in the order by rating, places compare its points less the margin
    shown. The other fields count the rated matches of the period. `points` is points per round,
    rounded to two decimals, and places compare the rounded value.
    """

    place: int
    person: Person
    rating: Shown
    matches: int
    wins: int
    points: float


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """One page of a leaderboard. `page` counts from 0; a request past the last page gets the last.

    `own` is the asking player's row, whatever page it is on, or None if they are on no page.
    `is_due`: ratings are being worked out again, and these are from before. `is_missing`: so much
    was played that the leaderboard is made in the background; nothing else is known of it yet.
    """

    rows: tuple[LeaderboardRow, ...]
    page: int
    pages: int
    players: int
    own: LeaderboardRow | None
    is_due: bool = False
    is_missing: bool = False


@dataclass(frozen=True, slots=True)
class Stats:
    """A player's figures in one game: rated matches, and the rating their rounds produced.

    Figures without data are None. `practice` counts practice matches. `points` is points per round,
    `laid` is cards or dice per minute in the rounds they were dealt into. `firsts` and `lates`
    count contested presses won and lost; `firsts_ms` and `lates_ms` are the mean margins. `streak`
    and `best_streak` count matches won in a row, up to now and at most. An arena has rounds alone.
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
    worst: int | None
    streak: int
    best_streak: int

    @property
    def has_counted(self) -> bool:
        """True if a round of theirs counts, if only one of an arena."""
        return self.matches > 0 or self.points is not None


@dataclass(frozen=True, slots=True)
class Place:
    """A place on a leaderboard by rating, shared if equal, among so many people."""

    place: int
    of: int


@dataclass(frozen=True, slots=True)
class RatedAt:
    """The rating shown after a match that ended `at` (Unix ms)."""

    match: int
    at: int
    rating: Shown


@dataclass(frozen=True, slots=True)
class PlayedSeat:
    """A seat of a match in the history. `person` is None for a robot.

    `rating` is the one shown after the match, and `change` the points it gained or lost in the
    match. Both are None if no round of it rated this player.
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
    """A match in the history. `number`: the one by which its server's people name it.

    `unranked` is the reason it is on no leaderboard. `forfeited` means that a round was stopped
    because all people but one had left it.
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
class ListedMatch:
    """A match in a list to choose from: `people` by place, without those who are forgotten."""

    number: int
    game: str
    ended: int
    standing: Standing
    has_log: bool
    people: tuple[str, ...]
    robots: int


@dataclass(frozen=True, slots=True)
class History:
    """One page of a server's matches, newest first, with `page` as in LeaderboardPage."""

    matches: tuple[PlayedMatch, ...]
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class MatchDetails:
    match: PlayedMatch
    rounds: tuple[RoundRecord, ...]


@dataclass(frozen=True, slots=True)
class Settings:
    """A server's settings, with None for the bot's default.

    `keep_logs` is in days; None keeps logs for ever. `defaults` holds, by game, the options with
    which a table opens. `ping`: whoever a get-ready waits for is mentioned.
    """

    language: str | None = None
    time_zone: str | None = None
    keep_logs: int | None = None
    defaults: Mapping[str, Mapping[str, str]] | None = None
    ping: bool = False
    posts: Posts = NO_POSTS

    def of_game(self, game: str) -> Mapping[str, str]:
        return (self.defaults or {}).get(game, {})


@dataclass(frozen=True, slots=True)
class Moderated:
    """An action, `at` Unix ms. `subject`: a match's number for `void`, a table's id for `close`."""

    at: int
    moderator: UserId | None
    action: str
    subject: int


def streaks(won: Iterable[bool]) -> tuple[int, int]:
    """Return how many matches in a row were won up to the last one, and the most ever."""
    now = most = 0
    for one in won:
        now = now + 1 if one else 0
        most = max(most, now)
    return now, most


def pages(items: int, size: int) -> int:
    """Return the number of pages: an empty list has one empty page."""
    return max(1, -(-items // size))
