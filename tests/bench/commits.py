"""Group commit: how many moves a second, and how long one waits, at so many tables at once."""

import asyncio
import time
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from statistics import median

from bot.clock import SystemClock
from bot.ids import ChannelId, GuildId, UserId
from bot.store.database.file import connect
from bot.store.database.writer import Writer
from bot.store.tables.journal import SqliteJournal
from bot.tables.state.events import Moved, Opened
from bot.tables.state.journal import JournalLine, TableId
from bot.tasks import OwnedTasks
from tests.bench.figures import Row, share

MOVE = Moved(0, "flip:0", ((("flip",), None),))


async def commits(folder: Path, tables: Sequence[int], seconds: float) -> list[Row]:
    """With `synchronous=NORMAL`, as moves are written, and FULL, as results are."""
    rows: list[Row] = []
    for durable in (False, True):
        for number in tables:
            path = folder / f"commits-{number}-{durable}.db"
            waits = await _waits(path, number, seconds, durable=durable)
            told = f"{len(waits) / seconds:,.0f} a second, {median(waits):.2f} ms"
            what = f"moves committed, {number} tables, {'FULL' if durable else 'NORMAL'}"
            rows.append(Row(what, "", f"{told} (p95 {share(waits, 0.95):.2f})"))
    return rows


async def _waits(path: Path, tables: int, seconds: float, *, durable: bool) -> list[float]:
    """ms from a move that is handed over to its commit."""
    db, waits = await connect(path), list[float]()
    tasks, writer = OwnedTasks(), Writer(db, SystemClock())
    journal = SqliteJournal(db, writer)
    tasks(writer.run(), name="writer")
    ends = time.perf_counter() + seconds

    async def play(table: TableId) -> None:
        opened = Opened("ligretto", 1, GuildId(1), ChannelId(table), UserId(1), "en", {})
        await journal.append([JournalLine(table, 0, 0, opened)], durable=False)
        for seq in count(1):
            began = time.perf_counter()
            if began > ends:
                return
            line = JournalLine(table, seq, seq, MOVE, table * 10**7 + seq)
            await journal.append([line], durable=durable)
            waits.append((time.perf_counter() - began) * 1000)

    await asyncio.gather(*(play(TableId(number)) for number in range(1, tables + 1)))
    await writer.stop()
    await tasks.stop()
    await db.close()
    return waits
