"""The group that a database is, as its file keeps it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from bot.groups.layout import Layout
from bot.ids import GuildId


@dataclass(frozen=True, slots=True)
class OwnGroup:
    """The group of a database.

    `start`: the count of its last start; `holder`: the id of who held it last, empty until somebody
    has; `is_released`: whether that holder stopped in order.
    """

    number: int
    start: int = 0
    holder: str = ""
    is_released: bool = True


ANOTHER = "another"
"""The holder in a file whose own holder has heard that somebody else has started the group."""


def taken_over(own: OwnGroup) -> OwnGroup:
    """Return a group that somebody else has started: this file isn't the last one any more.

    Noted in the file, so that nobody starts it without Valkey.
    """
    return replace(own, holder=ANOTHER, is_released=False)


class GroupRecord(Protocol):
    """The part of a database that says which group it is, to be read."""

    async def id(self) -> int:
        """Return the database's own id, which its copies share."""

    async def own(self) -> OwnGroup | None:
        """Return the group; None if the database has never been one."""

    async def used(self) -> frozenset[int]:
        """Return all group numbers that it has heard of."""

    async def servers(self) -> frozenset[GuildId]:
        """Return the servers that it has data of, without those that removed the bot."""


class GroupFile(GroupRecord, Protocol):
    """The same part of a database that is open. What it writes is on the disk."""

    async def keep(self, own: OwnGroup) -> None: ...

    async def heard(self, numbers: Iterable[int]) -> None: ...

    async def forget(self) -> None:
        """Be no group any more. The numbers that it has heard of stay."""

    async def has(self, layout: Layout) -> None:
        """Note the shards whose servers the database has: a merge knows then which are missing."""
