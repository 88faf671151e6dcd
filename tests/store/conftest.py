"""A real database file for every test, written by a writer that runs as it does in the bot."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import aiosqlite
import pytest

from bot.clock import SystemClock
from bot.store.database.file import connect, connect_read_only
from bot.store.database.writer import Writer
from bot.store.people.deletion import ServerDeletion
from bot.store.records.archive import SqliteArchive
from bot.store.tables.journal import SqliteJournal
from bot.store.tables.message_refs import SqliteMessageRefs
from bot.tasks import OwnedTasks


@dataclass(frozen=True)
class Store:
    path: Path
    db: aiosqlite.Connection
    writer: Writer
    journal: SqliteJournal
    places: SqliteMessageRefs
    archive: SqliteArchive

    async def rows(self, sql: str) -> list[tuple[object, ...]]:
        async with self.db.execute(sql) as cursor:
            return [tuple(row) for row in await cursor.fetchall()]

    async def one(self, sql: str) -> object:
        ((value,),) = await self.rows(sql)
        return value

    async def traced(self) -> list[str]:
        """From now on, every statement that SQLite carries out, in order."""
        statements: list[str] = []
        await self.db.set_trace_callback(statements.append)
        return statements


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ligretto.sqlite3"


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[Store]:
    db = await connect(path)
    queries = await connect_read_only(path)
    writer = Writer(db, SystemClock())
    tasks = OwnedTasks()
    tasks(writer.run(), name="writer")
    try:
        journal, places = SqliteJournal(db, writer), SqliteMessageRefs(db, writer)
        yield Store(path, db, writer, journal, places, SqliteArchive(queries, writer))
    finally:
        await writer.stop()
        await tasks.stop()
        await queries.close()
        await db.close()


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    async with opened(path) as store:
        yield store


async def purged(store: Store, application: int, now: int) -> None:
    """Purge, and let the background job delete what is due."""
    await store.archive.purge(application, now)
    await ServerDeletion(store.db, store.writer, SystemClock()).run()
