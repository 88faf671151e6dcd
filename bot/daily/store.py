"""The interface of what is kept of dailies, and what is read of it."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple, Protocol

from bot.daily.chain import Chain
from bot.daily.dates import DayNumber
from bot.daily.result import Result
from bot.ids import GuildId, UserId


class RoundKey(NamedTuple):
    """A person's only round of a game on a date, wherever they play it."""

    user: UserId
    day: DayNumber
    game: str


class Where(NamedTuple):
    """The server in which somebody plays, and their name there.

    `is_away`: the server belongs to another group, which gets the result.
    """

    guild: GuildId
    name: str
    is_away: bool = False


@dataclass(frozen=True, slots=True)
class StoredRound:
    """A round as stored: its accepted presses. `version`: that of the rules it was dealt by.

    `points` is None until the round has ended.
    """

    key: RoundKey
    version: int
    words: tuple[str, ...]
    points: int | None


class Began(Enum):
    """The outcome of beginning a round. It is there in the first two cases."""

    NOW = auto()
    BEFORE = auto()
    USED = auto()
    """This person began it, and asked to be forgotten since."""
    PUBLISHED = auto()
    """The secret of that date is known already."""


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """Somebody on a server's leaderboard of a date. Equal results share a `place` (1, 1, 3)."""

    place: int
    user: UserId
    name: str
    result: Result


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """The first in a server, among all who have finished, and the asking person's row."""

    rows: tuple[LeaderboardRow, ...]
    players: int
    own: LeaderboardRow | None


@dataclass(frozen=True, slots=True)
class Winners:
    """All who share a place: the names of some, and how many there are."""

    place: int
    result: Result
    names: tuple[str, ...]
    count: int


@dataclass(frozen=True, slots=True)
class GameRecap:
    """A date's daily of one game in a server: how many have finished, and the first three."""

    game: str
    players: int
    winners: tuple[Winners, ...]


class DailyStore(Protocol):
    """The store of dailies. Changes are on the disk, or in its write-ahead log, on return."""

    async def chains(self) -> tuple[Chain, ...]: ...
    async def add(self, chain: Chain) -> None: ...
    async def replace(self, chains: tuple[Chain, ...]) -> None:
        """Keep these chains and no others."""

    async def published(self) -> DayNumber | None:
        """Return the newest date whose secret is published; None before the first."""

    async def publish(self, day: DayNumber) -> None:
        """Note that the secrets up to this date are published: their rounds are closed for ever.

        What was kept of people who were forgotten goes.
        """

    async def begin(self, key: RoundKey, version: int, where: Where | None) -> Began: ...

    async def press(
        self, key: RoundKey, number: int, word: str, where: Where | None, end: Result | None
    ) -> bool:
        """Add an accepted press, the `number`th from 1. `end`: the result, if it ended the round.

        Return False, and change nothing, if the round is gone or has another number of presses.
        """

    async def round(self, key: RoundKey) -> StoredRound | None: ...

    async def of_day(self, user: UserId, day: DayNumber) -> tuple[StoredRound, ...]: ...

    async def used(self, user: UserId, day: DayNumber) -> frozenset[str]:
        """Return the games of a date that somebody began before they asked to be forgotten."""

    async def finished(self, user: UserId) -> frozenset[DayNumber]:
        """Return the dates of which somebody has finished a daily."""

    async def past(self, user: UserId, until: DayNumber, limit: int) -> tuple[StoredRound, ...]:
        """Return somebody's newest rounds up to a date, newest first."""

    async def leaderboard(self, guild: GuildId, key: RoundKey) -> Leaderboard: ...
    async def recap(self, guild: GuildId, day: DayNumber) -> tuple[GameRecap, ...]: ...
