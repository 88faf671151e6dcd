"""The groups of a bot, as far as they are known."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.groups.layout import Layout, in_short


@dataclass(frozen=True, slots=True)
class KnownGroup:
    """A group that a bot has, running or not. `servers`: how many it had last, if that is known."""

    number: int
    shards: tuple[int, ...]
    is_alive: bool
    servers: int | None = None

    def __str__(self) -> str:
        """Return `shards 2-3, 812 servers`."""
        of = "" if self.servers is None else f", {self.servers} servers"
        return f"shards {in_short(self.shards)}{of}"


class Groups(Protocol):
    """The source of what groups there are."""

    async def known(self) -> Sequence[KnownGroup]:
        """Return every group that has servers of the bot, this one too, running or not.

        Raises ValkeyAwayError.
        """


def all_others(layout: Layout) -> KnownGroup:
    """Return what stands for the other groups while nobody can be asked for them: their shards."""
    count = layout.count or 0
    return KnownGroup(
        0, tuple(one for one in range(count) if one not in layout.ids), is_alive=False
    )


def numbers(groups: Collection[KnownGroup]) -> frozenset[int]:
    return frozenset(one.number for one in groups)


def uncovered(known: Collection[KnownGroup], layout: Layout) -> tuple[KnownGroup, ...]:
    """Return what stands for the shards that no known group has; nothing if there are none."""
    covered = {shard for one in known for shard in one.shards}
    left = tuple(one for one in range(layout.count or 0) if one not in covered)
    return (KnownGroup(0, left, is_alive=False),) if left else ()
