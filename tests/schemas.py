"""A new database has the same schema at every start: the migrations run once a process."""

import sqlite3
from pathlib import Path

import aiosqlite

from bot.store.database import file
from bot.store.database.query import rows
from bot.store.database.schema import MIGRATIONS

KEPT: list[sqlite3.Connection] = []
"""A database in memory that the migrations have made, once there is one."""
_migrate = file.migrate


async def _kept(db: aiosqlite.Connection, path: Path, migrations: Path = MIGRATIONS) -> None:
    ((version,),) = await rows(db, "PRAGMA user_version")
    if version or migrations != MIGRATIONS or await rows(db, "SELECT 1 FROM sqlite_schema"):
        await _migrate(db, path, migrations)
    elif KEPT:
        await db._execute(KEPT[0].backup, db._conn)  # type: ignore[no-untyped-call]
    else:
        await _migrate(db, path, migrations)
        kept = sqlite3.connect(":memory:", check_same_thread=False)
        await db.backup(kept)
        KEPT.append(kept)


def keep() -> None:
    """From now on an empty database becomes a copy of what the first start has made."""
    file.migrate = _kept
