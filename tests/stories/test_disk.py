"""Disks that are slow, full or read-only, and what is left of a table or a file after them."""

import asyncio
import errno
import fcntl
import logging
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.ops.check import machine
from bot.ops.check.finding import Mark
from bot.ops.daily_backups import DailyBackups
from bot.ops.health import wal as wal_watch
from bot.store.database.errors import DatabaseError
from tests.store.conftest import Store, opened
from tests.stories.faulty import busy, instead, refusing, slow
from tests.stories.world import LONG, STARTED, World, at_rest, given, labels
from tests.tables.clock import HandClock

MEGABYTE = 2**20


async def test_a_lobby_has_one_message_after_a_kill_on_a_busy_disk(world: World) -> None:
    """What finds the lobby is written before the command is answered, so the next start knows it,
    whenever the bot was killed.
    """
    anna = world.person("anna")
    with instead(busy):
        answer = await world.server.slash(anna.user, world.channel, "ligretto").wait()
        given(answer.ok, "the command is answered")
        world.bot.kill()
    await asyncio.sleep(5)
    await world.start()
    await asyncio.sleep(20)
    lobbies = [m for m in world.server.public(world.channel) if "Join" in labels(m)]
    assert len(lobbies) == 1


async def test_a_stop_ends_everything_before_the_database_is_closed(tmp_path: Path) -> None:
    """On a disk that is slow the records are still being tidied, and a leaderboard looked up."""
    async with at_rest(tmp_path) as world:
        world.bot.start()
        await world.server.wait_ready(STARTED, commands=True)
        with instead(slow):
            await asyncio.sleep(LONG)
            anna = world.person("anna")
            asked = world.server.slash(anna.user, world.channel, "leaderboard")
            await asyncio.sleep(1)
            given(not asked.answered.done(), "the answer is under way")
            assert await world.bot.stop() is None
        assert world.said(logging.ERROR) == []


async def test_a_full_disk_is_told_in_few_lines(world: World) -> None:
    """A line every 5 s, with a count, and not a traceback for every press and every note that
    can't be written: the log may be on the same disk.
    """
    people = await world.live("anna", "ben")
    seconds = 20
    with instead(refusing):
        for _ in range(seconds):
            for person in people:
                await world.server.click(person.user, person.panel, label="Flip").wait()
            await asyncio.sleep(1)
    said = [line for line in world.log.lines if line.level >= logging.WARNING]
    given(said, "the disk is told about")
    assert sum(1 + line.trace.count("\n") for line in said) <= 2 * seconds / 5
    assert any(" more in the last " in line.text for line in said)


async def test_a_database_that_cannot_be_written_is_refused_at_the_start(tmp_path: Path) -> None:
    """It is not left to the first player to find that out."""
    async with at_rest(tmp_path) as world:
        await world.start()
        await world.bot.stop()
        with instead(refusing):
            world.bot.start()
            await asyncio.sleep(30)
            assert not world.bot.is_running
            assert isinstance(await world.bot.ended(), DatabaseError)


async def test_check_notices_a_database_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`check` tries a write, and takes it back."""
    path = tmp_path / "ligretto.sqlite3"
    async with opened(path):
        pass
    connect = sqlite3.connect

    def readable(*args: object, **options: object) -> sqlite3.Connection:
        db: sqlite3.Connection = connect(*args, **options)  # type: ignore[call-overload]
        db.execute("PRAGMA query_only = ON")
        return db

    monkeypatch.setattr(sqlite3, "connect", readable)
    assert machine.database(path).mark is Mark.FIX


async def test_check_notices_a_place_where_no_backup_can_be(tmp_path: Path) -> None:
    """A file is where the folder should be."""
    place = tmp_path / "backups"
    place.write_text("a file where the folder should be")
    daily = DailyBackups(tmp_path / "ligretto.sqlite3", place, 7, HandClock())
    assert machine.backups(daily, kept=7, now=0.0).mark is Mark.FIX


async def test_a_disk_without_locks_is_told_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So do some network disks: the database needs another place."""

    def refused(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refused)
    async with at_rest(tmp_path) as world:
        world.bot.start()
        ended = await world.bot.ended()
        assert isinstance(ended, DatabaseError)
        assert "DATABASE_PATH" in str(ended)


async def test_the_log_of_the_database_shrinks_again(tmp_path: Path) -> None:
    """A reader that forgets to end lets it grow. Once that is gone, it shrinks."""
    path = tmp_path / "ligretto.sqlite3"
    async with opened(path) as store:
        with closing(sqlite3.connect(path, isolation_level=None)) as forgotten:
            forgotten.execute("BEGIN")
            forgotten.execute("SELECT count(*) FROM notes").fetchall()
            for number in range(32):
                await noted(store, f"{number:02}" * (MEGABYTE // 2))
        for number in range(3):
            await noted(store, str(number))
        assert path.with_name(f"{path.name}-wal").stat().st_size < 16 * MEGABYTE


async def test_a_forgotten_reader_is_told_of_once(world: World) -> None:
    """While somebody's sqlite3 is left open in a transaction, the log of the database can't be
    emptied. The next line comes when it has doubled, and it shrinks once the reader is gone.
    """
    wal = world.bot.database.with_name(f"{world.bot.database.name}-wal")
    with closing(sqlite3.connect(world.bot.database, isolation_level=None)) as forgotten:
        forgotten.execute("BEGIN")
        forgotten.execute("SELECT count(*) FROM notes").fetchall()
        for megabytes, lines in ((4, 0), (16, 1), (1, 1), (32, 2)):
            grown(world, megabytes)
            await asyncio.sleep(3 * wal_watch.LOOK)
            assert len(world.said()) == lines
    assert world.said()[0].startswith(f"{wal} has grown to 2")
    await world.lobby("anna")
    await asyncio.sleep(2 * wal_watch.LOOK)
    assert wal.stat().st_size < 16 * MEGABYTE


async def test_a_large_log_that_nobody_holds_is_no_news(world: World) -> None:
    """One large transaction leaves a large log behind."""
    wal = world.bot.database.with_name(f"{world.bot.database.name}-wal")
    grown(world, 32)
    given(wal.stat().st_size > wal_watch.LARGE, "the log is large")
    await asyncio.sleep(3 * wal_watch.LOOK)
    assert world.said() == []


def grown(world: World, megabytes: int) -> None:
    """Write so much into the database, as another program would."""
    sql = "INSERT INTO notes VALUES ('big', ?) ON CONFLICT DO UPDATE SET value = excluded.value"
    world.change(sql, os.urandom(megabytes * MEGABYTE // 2).hex())


async def noted(store: Store, text: str) -> None:
    sql = "INSERT INTO notes VALUES ('big', ?) ON CONFLICT DO UPDATE SET value = excluded.value"
    await store.writer.write([(sql, (text,))])
