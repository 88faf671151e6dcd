"""Moves at another table while the oldest match of the biggest server is voided."""

import asyncio
import time
from itertools import count

import aiosqlite

from bot.bench.data import BIG, NOW
from bot.clock import SystemClock
from bot.games import GAMES
from bot.ids import ChannelId, GuildId, UserId
from bot.records.archive import Archive
from bot.store.database.writer import Writer
from bot.store.records.rerating import Rerating
from bot.store.tables.journal import SqliteJournal
from bot.tables.state import events as e
from bot.tables.state.journal import JournalLine, TableId
from bot.tasks import OwnedTasks

PACE = 0.02
"""Seconds between two moves."""


async def held(
    archive: Archive, db: aiosqlite.Connection, reader: aiosqlite.Connection, writer: Writer
) -> list[float]:
    """Return how long each move waited, in ms of processor time of the whole process.

    The oldest match is voided, and every rating since then recalculated in the background.
    """
    oldest = (await archive.history(BIG, 10**6)).matches[-1].number
    waits: list[float] = []
    tasks = OwnedTasks()
    tasks(_moves(SqliteJournal(db, writer), waits), name="moves")
    try:
        await archive.void(BIG, oldest, moderator=UserId(1), at=NOW)
        await Rerating(reader, writer, SystemClock()).run()
    finally:
        await tasks.stop()
    return waits


async def _moves(journal: SqliteJournal, waits: list[float]) -> None:
    """Write a table's moves until it is cancelled, and add how long each took."""
    table, game = TableId(await journal.next_table()), GAMES["ligretto"]
    opened = e.Opened(
        "ligretto", game.rules_version, GuildId(BIG), ChannelId(1), UserId(1), "en", {}
    )
    await journal.append([JournalLine(table, 0, NOW, opened)], durable=False)
    for number in count(1):
        before = time.process_time()
        await journal.append([JournalLine(table, number, NOW, e.Moved(0, "flip"))], durable=False)
        waits.append((time.process_time() - before) * 1000)
        await asyncio.sleep(PACE)
