"""Results of dailies on servers that another group of the bot has."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.daily.dates import DayNumber
from bot.daily.result import Result
from bot.ids import GuildId, UserId


@dataclass(frozen=True, slots=True)
class Placed:
    """Somebody's result of a date, for the leaderboard of a server."""

    guild: GuildId
    day: DayNumber
    game: str
    user: UserId
    name: str
    result: Result


class PlaceStore(Protocol):
    """Results that this group has for others, and those that it got."""

    async def to_tell(self) -> Sequence[Placed]:
        """Return the results that no other group is known to have."""

    async def told(self, guild: GuildId, day: DayNumber, game: str, user: UserId) -> None: ...
    async def place(self, one: Placed) -> None:
        """Keep a result of a server of this group. It is on the disk on return."""
