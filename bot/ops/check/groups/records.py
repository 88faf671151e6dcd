"""The groups of a bot as they stand in Valkey."""

from typing import Any, TypeAlias

from bot.groups.valkey import Valkey
from bot.ops.check.groups.between import Member

Fields: TypeAlias = dict[Any, Any]


async def members(valkey: Valkey) -> list[Member]:
    """Return every group that has ever been started, by number. Raises ValkeyAwayError."""
    numbers = await valkey.ask(lambda db: db.smembers(valkey.key("groups")))
    found = [await _member(valkey, number) for number in sorted(map(int, numbers))]
    return [one for one in found if one is not None]


async def time_of(valkey: Valkey) -> float:
    """Return Unix seconds by Valkey's clock. Raises ValkeyAwayError."""
    seconds, micros = await valkey.ask(lambda db: db.time())
    return float(seconds) + float(micros) / 1e6


async def _member(valkey: Valkey, number: int) -> Member | None:
    group, seen, lease = (valkey.key(kind, number) for kind in ("group", "seen", "lease"))
    last: Fields = await valkey.ask(lambda db: db.hgetall(group))
    told: Fields = await valkey.ask(lambda db: db.hgetall(seen))
    is_running = bool(await valkey.ask(lambda db: db.exists(lease)))
    if b"count" not in last or b"shards" not in last:
        return None
    at = _number(told, b"seen")
    clock = _number(told, b"clock")
    return Member(
        number,
        int(last[b"count"]),
        tuple(int(shard) for shard in last[b"shards"].split(b",") if shard),
        last.get(b"holder", b"").decode(),
        int(last.get(b"start", 0)),
        last.get(b"released") == b"1",
        is_running,
        told[b"version"].decode() if b"version" in told else None,
        at,
        None if at is None or clock is None else clock - at,
        int(told[b"connected"]) if b"connected" in told else None,
    )


def _number(fields: Fields, name: bytes) -> float | None:
    return float(fields[name]) if name in fields else None
