"""SQLite's threads leave the processor to the event loop until it waits for something."""

import os
import sys

import aiosqlite
import pytest

from bot.store.database.file import connect_read_only
from tests.store.conftest import Store

pytestmark = [
    pytest.mark.real("threads of SQLite"),
    pytest.mark.skipif(sys.platform != "linux", reason="other kernels have no such policy"),
]


async def policy(db: aiosqlite.Connection) -> int:
    """The policy of a connection's thread, told by the thread."""
    await db.create_function("policy", 0, lambda: os.sched_getscheduler(0))
    async with db.execute("SELECT policy()") as cursor:
        ((value,),) = await cursor.fetchall()
    return int(value)


async def test_threads_of_sqlite_interrupt_nobody(store: Store) -> None:
    reading = await connect_read_only(store.path)
    try:
        assert [await policy(one) for one in (store.db, reading)] == [os.SCHED_BATCH] * 2
    finally:
        await reading.close()
    assert os.sched_getscheduler(0) == os.SCHED_OTHER, "the event loop's own is as it was"


async def test_a_bot_runs_where_that_is_not_allowed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "sched_setscheduler", refused)
    reading = await connect_read_only(store.path)
    try:
        assert await policy(reading) == os.SCHED_OTHER
    finally:
        await reading.close()
