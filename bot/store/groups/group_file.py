"""The part of the database that says which group it is."""

import sqlite3
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from bot.groups.layout import WHOLE, Layout
from bot.groups.lease.own_group import OwnGroup
from bot.ids import GuildId
from bot.store.database.backup import read_only
from bot.store.database.errors import DatabaseError
from bot.store.database.file import Database
from bot.store.database.query import Statement, first, rows, transaction
from bot.store.groups.part import marked

Write: TypeAlias = Callable[[Sequence[Statement]], Awaitable[None]]
"""Commit statements, so that they are on the disk when it returns."""

_OWN = "SELECT number, start, holder, released FROM own_group"
_SERVERS = "SELECT guild FROM guilds WHERE left_at IS NULL"
_FORGET = "DELETE FROM own_group"
_KEEP = "INSERT INTO own_group (number, start, holder, released) VALUES (?, ?, ?, ?)"
_USED = "INSERT OR IGNORE INTO used_groups (number) VALUES (?)"


def group_of(path: Path) -> OwnGroup | None:
    """Return the group that a file is; None if it is none, or can't be read."""
    try:
        with closing(read_only(path)) as db:
            return _read(db.execute(_OWN).fetchone())
    except (DatabaseError, sqlite3.Error):
        return None


def _read(found: Sequence[Any] | None) -> OwnGroup | None:
    if found is None:
        return None
    number, start, holder, released = found
    return OwnGroup(number, start, holder, is_released=bool(released))


class SqliteGroupFile:
    """A `GroupFile` in an open database.

    It writes through the database's own connection, as long as nobody else does: while the bot
    runs, `write` must be the writer's.
    """

    def __init__(self, database: Database) -> None:
        self._db = database.reading
        self.directly: Write = partial(transaction, database.writing, durable=True)
        self.write: Write = self.directly

    async def id(self) -> int:
        found = await first(self._db, "PRAGMA application_id")
        assert found is not None
        return int(found[0])

    async def own(self) -> OwnGroup | None:
        return _read(await first(self._db, _OWN))

    async def used(self) -> frozenset[int]:
        return frozenset(number for (number,) in await rows(self._db, "SELECT * FROM used_groups"))

    async def servers(self) -> frozenset[GuildId]:
        return frozenset(GuildId(guild) for (guild,) in await rows(self._db, _SERVERS))

    async def keep(self, own: OwnGroup) -> None:
        await self.write([
            (_FORGET, ()),
            (_KEEP, (own.number, own.start, own.holder, own.is_released)),
            (_USED, (own.number,)),
        ])  # fmt: skip

    async def heard(self, numbers: Iterable[int]) -> None:
        await self.write([(_USED, (number,)) for number in numbers])

    async def forget(self) -> None:
        await self.write([(_FORGET, ()), marked(WHOLE)])

    async def has(self, layout: Layout) -> None:
        await self.write([marked(layout)])
