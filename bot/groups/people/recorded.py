"""The groups of a bot, by the records that their leases leave in Valkey."""

from typing import Any

from bot.groups.layout import Layout
from bot.groups.people.known import KnownGroup
from bot.groups.valkey import Valkey


class RecordedGroups:
    """The source of what groups there are. `layout`: this process's own.

    A group that doesn't run is left out once running groups have all its shards: no two have one.
    Where its shards aren't known, since Valkey was emptied, all of the bot's must be had.
    """

    def __init__(self, valkey: Valkey, layout: Layout) -> None:
        self._valkey = valkey
        self._count = layout.count or 0

    async def known(self) -> list[KnownGroup]:
        """Return every group. Raises ValkeyAwayError."""
        key = self._valkey.key("groups")
        numbers = sorted(map(int, await self._valkey.ask(lambda db: db.smembers(key))))

        async def call(db: Any) -> list[Any]:  # noqa: ANN401 redis-py's own
            async with db.pipeline(transaction=False) as many:
                for number in numbers:
                    many.hgetall(self._valkey.key("group", number))
                    many.exists(self._valkey.key("lease", number))
                return list(await many.execute())

        found = await self._valkey.ask(call)
        pairs = zip(numbers, found[::2], found[1::2], strict=True)
        groups = [self._group(number, last, bool(is_alive)) for number, last, is_alive in pairs]
        running = {shard for one in groups if one.is_alive for shard in one.shards}
        return [one for one in groups if one.is_alive or self._shards(one) - running]

    def _shards(self, one: KnownGroup) -> set[int]:
        return set(one.shards or range(self._count))

    def _group(self, number: int, last: dict[bytes, bytes], is_alive: bool) -> KnownGroup:  # noqa: FBT001
        is_ours = int(last.get(b"count", 0)) == self._count
        written = last.get(b"shards", b"") if is_ours else b""
        shards = tuple(int(shard) for shard in written.split(b",") if shard)
        servers = int(last[b"servers"]) if b"servers" in last else None
        return KnownGroup(number, shards, is_alive, servers)
