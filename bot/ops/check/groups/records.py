"""The groups of a bot as they stand in Valkey, and this file's own place among them."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from bot.groups.lease.holder import known_holder
from bot.groups.valkey import Valkey
from bot.ops.check.finding import Finding, fix, later, ok
from bot.ops.check.groups.between import Member
from bot.store.database.backup import read_only
from bot.store.database.errors import DatabaseError

Fields: TypeAlias = dict[Any, Any]

_OWN = "SELECT number, holder, released FROM own_group"


@dataclass(frozen=True, slots=True)
class OwnFile:
    """The group that a database is, by its own account. `holder`: the id of this place's holder."""

    number: int
    last_holder: str
    is_released: bool
    holder: str | None


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
    )


def _number(fields: Fields, name: bytes) -> float | None:
    return float(fields[name]) if name in fields else None


def own_file(path: Path) -> OwnFile | None:
    """Return the group that a database is; None before it was one. Faults are found elsewhere."""
    try:
        with closing(read_only(path)) as db:
            found = db.execute(_OWN).fetchone()
    except (DatabaseError, sqlite3.Error):
        return None
    if found is None:
        return None
    number, last_holder, released = found
    try:
        holder = known_holder(path)
    except OSError:
        holder = None
    return OwnFile(number, last_holder, bool(released), holder)


def ours(own: OwnFile | None, all_members: list[Member] | None) -> Finding:
    """Judge this file. `all_members`: those in Valkey; None if it can't be reached."""
    if own is None:
        return later("this group", "the first start gets a number from Valkey")
    named = f"number {own.number}"
    (known,) = [one for one in all_members or () if one.number == own.number] or (None,)
    held_by, is_released = own.last_holder, own.is_released
    if known is not None:
        held_by, is_released = known.holder, known.is_released
    if not held_by or held_by == own.holder:
        is_on = known is not None and known.is_running
        return ok("this group", f"{named}, held here{' and running' if is_on else ''}")
    if known is not None and known.is_running:
        said = f"{named} is running elsewhere with another copy of this database"
        return fix("this group", f"{said}: stop it there before you start it here")
    if is_released:
        return ok("this group", f"{named}, released by its last holder: it can start here")
    said = f"{named} last ran elsewhere, and was not released: start it there again"
    return fix("this group", f"{said}; or, if that machine is lost, here with --take-over")
