"""The group that a database is, judged by the same function as at its start."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from bot.groups.lease.holder import known_holder
from bot.groups.lease.leases import Leases
from bot.groups.lease.own_group import OwnGroup
from bot.groups.lease.refusals import GroupError
from bot.groups.lease.start import Start
from bot.ids import GuildId
from bot.ops.check.finding import Finding, fix, later, ok
from bot.ops.check.groups.between import Member
from bot.store.database.backup import read_only
from bot.store.database.errors import DatabaseError

SUBJECT = "this group"


@dataclass(frozen=True, slots=True)
class ReadGroup:
    """A `GroupRecord` that was read from a file, which may be in use."""

    file: int = 0
    group: OwnGroup | None = None
    numbers: frozenset[int] = frozenset()
    guilds: frozenset[GuildId] = frozenset()

    async def id(self) -> int:
        return self.file

    async def own(self) -> OwnGroup | None:
        return self.group

    async def used(self) -> frozenset[int]:
        return self.numbers

    async def servers(self) -> frozenset[GuildId]:
        return self.guilds


def read_group(path: Path) -> ReadGroup:
    """Return what a database says of its group. Faults of the file are found elsewhere."""
    try:
        with closing(read_only(path)) as db:
            ((file,),) = db.execute("PRAGMA application_id")
            found = db.execute("SELECT number, start, holder, released FROM own_group").fetchone()
            used = db.execute("SELECT number FROM used_groups").fetchall()
            servers = db.execute("SELECT guild FROM guilds WHERE left_at IS NULL").fetchall()
    except (DatabaseError, sqlite3.Error):  # also one from before there were groups
        return ReadGroup()
    if found is None:
        own = None
    else:
        number, start, holder, released = found
        own = OwnGroup(number, start, holder, is_released=bool(released))
    numbers = frozenset(number for (number,) in used)
    return ReadGroup(file, own, numbers, frozenset(GuildId(guild) for (guild,) in servers))


def start_of(path: Path, leases: Leases) -> Start:
    """Return the start that a process with this database would make."""
    holder = ""
    with suppress(OSError):  # found elsewhere
        holder = known_holder(path) or ""
    return Start(path, read_group(path), holder, leases)


async def own_group(start: Start, members: Iterable[Member]) -> Finding:
    """Judge a start as the start does. `members`: the groups in Valkey, as far as it answers."""
    try:
        foreseen = await start.foreseen()
    except GroupError as refused:
        return fix(SUBJECT, str(refused))
    if not foreseen.number:
        return later(SUBJECT, "the first start gets a number from Valkey")
    known, named = await start.file.own(), f"number {foreseen.number}"
    if known is None or not known.start:
        return later(SUBJECT, f"{named}, not started yet")
    if known.holder != start.holder:
        return ok(SUBJECT, f"{named}, released by its last holder: it can start here")
    is_on = any(one.is_running for one in members if one.number == foreseen.number)
    return ok(SUBJECT, f"{named}, held here{' and running' if is_on else ''}")
