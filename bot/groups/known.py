"""The groups of a bot, as far as they are known."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from bot.groups.entries import Entries, group_number, number
from bot.groups.layout import Layout, in_short

if TYPE_CHECKING:
    from bot.groups.valkey import Valkey


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


class RecordedGroups:
    """`Groups` by the records that leases leave in Valkey. `layout`: this process's own.

    A group that doesn't run is left out once running groups have all its shards: no two have one.
    Where its shards aren't known, since Valkey was emptied, all of the bot's must be had.
    """

    def __init__(self, valkey: "Valkey", layout: Layout) -> None:
        self._valkey = valkey
        self._count = layout.count or 0
        self._entries = Entries("groups")

    async def known(self) -> list[KnownGroup]:
        """Return every group. Raises ValkeyAwayError."""
        key = self._valkey.key("groups")
        found: Any = await self._valkey.ask(lambda db: db.smembers(key))
        numbers = sorted(self._entries.each(found, group_number))

        async def call(db: Any) -> list[Any]:  # noqa: ANN401 redis-py's own
            async with db.pipeline(transaction=False) as many:
                for one in numbers:
                    many.hgetall(self._valkey.key("group", one))
                    many.exists(self._valkey.key("lease", one))
                return list(await many.execute())

        found = await self._valkey.ask(call)
        pairs = zip(numbers, found[::2], found[1::2], strict=True)
        groups = [self._group(one, last, bool(is_alive)) for one, last, is_alive in pairs]
        running = {shard for one in groups if one.is_alive for shard in one.shards}
        return [one for one in groups if one.is_alive or self._shards(one) - running]

    def _shards(self, one: KnownGroup) -> set[int]:
        return set(one.shards or range(self._count))

    def _group(self, group: int, last: dict[bytes, bytes], is_alive: bool) -> KnownGroup:  # noqa: FBT001
        shards = self._entries.one(last, self._shards_of) or ()
        servers = self._entries.one(last, _servers) if b"servers" in last else None
        return KnownGroup(group, shards, is_alive, servers)

    def _shards_of(self, last: dict[bytes, bytes]) -> tuple[int, ...]:
        """Return a group's shards, if it has as many as this one knows. Raises ValueError."""
        if number(last.get(b"count", 0)) != self._count:
            return ()
        written = last.get(b"shards", b"").split(b",")
        return tuple(number(shard, self._count - 1) for shard in written if shard)


def _servers(last: dict[bytes, bytes]) -> int:
    return number(last[b"servers"])


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
