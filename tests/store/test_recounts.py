"""Background jobs look for work once something was written, and only then."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.ids import GuildId
from bot.store.people import deletion
from bot.store.records.recounts import LOOK, recounts
from bot.tasks import OwnedTasks
from tests.simulate.process import VirtualClock
from tests.store.conftest import Store, opened

DUE = "INSERT INTO deletions (guild) VALUES (?)"


@pytest.fixture
async def looks(path: Path) -> AsyncIterator[tuple[Store, list[str]]]:
    """A database whose jobs have found nothing to do, and what they ask of it from now on."""
    async with opened(path) as store, _jobs(store):
        await asyncio.sleep(10 * LOOK)
        yield store, await store.traced()


@asynccontextmanager
async def _jobs(store: Store) -> AsyncIterator[None]:
    async def crowned(_: GuildId) -> None:
        pass

    tasks, clock = OwnedTasks(), VirtualClock(asyncio.get_running_loop())  # type: ignore[arg-type]
    for name, job in recounts(store.db, store.writer, clock, crowned):
        tasks(job(), name=name)
    try:
        yield
    finally:
        await tasks.stop()


async def test_nothing_is_asked_while_nothing_is_written(looks: tuple[Store, list[str]]) -> None:
    _, statements = looks
    await asyncio.sleep(100 * LOOK)
    assert statements == []


async def test_what_is_due_is_done_soon(looks: tuple[Store, list[str]]) -> None:
    store, _ = looks
    await store.writer.write([(DUE, (1,))])
    await asyncio.sleep(2 * LOOK)
    assert await store.rows("SELECT * FROM deletions") == []


async def test_what_has_failed_is_tried_again(
    looks: tuple[Store, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, _ = looks

    async def fails(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as ill:
        ill.setattr(deletion, "step", fails)
        await store.writer.write([(DUE, (1,))])
        await asyncio.sleep(2 * LOOK)
    await asyncio.sleep(deletion.AGAIN)
    assert await store.rows("SELECT * FROM deletions") == []
