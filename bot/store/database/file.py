"""Opening the SQLite file, and schema migrations."""

import asyncio
import logging
import secrets
import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import aiosqlite

from bot.ownership import bot_user, give
from bot.store.database import missing_or_damaged
from bot.store.database.backup import OWNER_ONLY, back_up
from bot.store.database.query import WaitingConnection, WritingConnection, rows
from bot.store.database.schema import MIGRATIONS, newer, scripts
from bot.store.database.unmounted_disk import remember_mount

log = logging.getLogger(__name__)

BUSY_MS = 10_000
LOG_KEPT = 4 * 2**20
"""Bytes to which SQLite's write-ahead log shrinks once no reader pins it."""


async def connect(
    path: Path, migrations: Path = MIGRATIONS, backups: Path | None = None
) -> aiosqlite.Connection:
    """Open the file and bring its schema up to date.

    Moves are committed with `synchronous=NORMAL`: an answered move survives the end of the
    process, but a power cut can undo the last moves of a live round. Results are committed
    with FULL (`bot.store.database.writer`).

    Raises DatabaseError if a file that was in use is missing or empty, or if it is damaged, newer
    than this version, or not writable. `backups`: the folder of daily backups, named in the error.
    """
    missing_or_damaged.refuse_to_start_empty(path, backups)
    try:
        _made_for_its_owner(path)
        # If the file can't be opened, aiosqlite's thread outlives the event loop and complains.
        sqlite3.connect(path).close()
        db = await aiosqlite.connect(path, isolation_level=None, factory=WritingConnection)
        try:
            await db.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
            await missing_or_damaged.check_for_damage(db, path, backups)
            await db.execute("PRAGMA journal_mode = WAL")
            await db.execute("PRAGMA synchronous = NORMAL")
            await db.execute("PRAGMA foreign_keys = ON")
            await db.execute(f"PRAGMA journal_size_limit = {LOG_KEPT}")
            await migrate(db, path, migrations)
            await _try_to_write(db)
        except BaseException:
            await db.close()
            raise
    except sqlite3.DatabaseError as error:
        raise missing_or_damaged.in_words(path, error, backups) from None
    return db


def _made_for_its_owner(path: Path) -> None:
    """Make a new file that only its owner can use: it holds tokens, and seeds of running matches.

    SQLite's own files beside it get its permissions.
    """
    if not path.exists():
        with suppress(OSError):  # SQLite says why
            path.touch(OWNER_ONLY)
            give(path, bot_user(path))


async def _try_to_write(db: aiosqlite.Connection) -> None:
    """Make a test write, so that a read-only file fails at startup and not at the first move.

    It gives a database its id, which copies keep.
    """
    await db.execute("BEGIN IMMEDIATE")
    ((own,),) = await rows(db, "PRAGMA application_id")
    await db.execute(f"PRAGMA application_id = {own or 1 + secrets.randbelow(2**31 - 1)}")
    await db.execute(f"PRAGMA user_version = {await _version(db)}")
    await db.execute("COMMIT")


@dataclass(frozen=True, slots=True)
class Database:
    """An open database: one connection writes, the other only reads."""

    writing: aiosqlite.Connection
    reading: aiosqlite.Connection

    async def close(self) -> None:
        await self.reading.close()
        await self.writing.close()


async def open_database(path: Path, backups: Path | None = None) -> Database:
    """Open both connections to a file and bring it up to date. Raises what `connect` raises."""
    writing = await connect(path, backups=backups)
    try:
        await remember_mount(writing, path)
        return Database(writing, await connect_read_only(path))
    except sqlite3.DatabaseError as error:
        await writing.close()
        raise missing_or_damaged.in_words(path, error, backups) from None
    except BaseException:
        await writing.close()
        raise


async def connect_read_only(path: Path) -> aiosqlite.Connection:
    """Open a read-only connection to an open file, so that queries never delay a move."""
    where = f"file:{quote(str(path))}?mode=ro"
    db = await aiosqlite.connect(where, uri=True, factory=WaitingConnection)
    await db.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    return db


async def migrate(db: aiosqlite.Connection, path: Path, migrations: Path = MIGRATIONS) -> None:
    """Apply each `NNNN_*.sql` above the file's `user_version`, one transaction per script.

    A database already in use is first copied to `<file>.v<version>`. Raises DatabaseError if
    the file is newer than this version of the bot.
    """
    version, steps = await _version(db), scripts(migrations)
    newest = max(steps)
    if version > newest:
        raise newer(path, version, newest)
    kept = path.with_name(f"{path.name}.v{version}")
    if is_upgrade := 0 < version < newest:
        kept.unlink(missing_ok=True)
        await asyncio.to_thread(back_up, path, kept)
    for number, script in steps.items():
        if number > version:
            await _apply(db, number, script)
    if is_upgrade:
        said = "database upgraded from schema %d to %d; a copy of it from before is %s"
        log.info(said, version, newest, kept)


async def _apply(db: aiosqlite.Connection, number: int, script: str) -> None:
    try:
        await db.executescript(f"BEGIN;\n{script}\nPRAGMA user_version = {number};\nCOMMIT;")
    except BaseException:
        if db.in_transaction:
            await db.rollback()
        raise


async def _version(db: aiosqlite.Connection) -> int:
    async with db.execute("PRAGMA user_version") as cursor:
        row = await cursor.fetchone()
    assert row is not None
    return int(row[0])
