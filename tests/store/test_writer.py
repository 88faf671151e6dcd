"""One writer: few commits for many moves, and no table can spoil another's."""

import asyncio
import logging
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from typing import Any

import aiosqlite
import pytest

from bot.clock import SystemClock
from bot.ids import ChannelId, GuildId, UserId
from bot.store.database import writer
from bot.store.database.query import Statement, Step, transaction
from bot.store.database.writer import AGAIN, BEHIND, MOST_HELD_NOTES, Writer
from bot.tables.state import events as e
from bot.tables.state.journal import TableId
from bot.tasks import OwnedTasks
from tests.store.conftest import Store
from tests.store.lines import ROUND_ENDED, line, lines, opening

NORMAL = 1
SET_FULL = "PRAGMA synchronous = FULL"
SET_NORMAL = "PRAGMA synchronous = NORMAL"
BAD: Statement = ("INSERT INTO notes (key, value) VALUES (?, NULL)", ("bad",))


def note(key: str) -> Statement:
    return "INSERT INTO notes (key, value) VALUES (?, ?)", (key, "x")


async def keys(store: Store) -> list[object]:
    return [key for (key,) in await store.rows("SELECT key FROM notes ORDER BY key")]


async def test_moves_that_wait_together_are_committed_together(store: Store) -> None:
    for table in range(4):
        await store.journal.append(opening(table), durable=False)
    trace = await store.traced()

    moves = [line(i % 4, 1 + i // 4, e.Moved(0, "r1"), interaction=i) for i in range(200)]
    await asyncio.gather(*(store.journal.append([move], durable=False) for move in moves))

    assert await store.one("SELECT count(*) FROM journal WHERE kind = 'Moved'") == 200
    assert 1 <= trace.count("COMMIT") <= 5


@asynccontextmanager
async def hops(store: Store) -> AsyncIterator[list[None]]:
    """Count the calls that go to SQLite's thread within this."""
    calls: list[None] = []
    execute: Any = store.db._execute

    async def counted(function: Callable[..., object], *args: object) -> object:
        calls.append(None)
        return await execute(function, *args)

    store.db._execute = counted  # type: ignore[method-assign]
    try:
        yield calls
    finally:
        store.db._execute = execute  # type: ignore[method-assign]


@pytest.mark.parametrize("durable", [False, True])
async def test_transaction_is_one_call_to_the_thread(store: Store, *, durable: bool) -> None:
    """Whatever waits: equal statements, others between them, and a result that must be durable."""
    await store.journal.append(opening(1), durable=False)
    async with hops(store) as calls:
        notes = [store.writer.write([note(f"{i}")], durable=durable) for i in range(3)]
        move = store.journal.append([line(1, 1, e.Moved(0, "r1"))], durable=durable)
        await asyncio.gather(*notes, move, store.writer.write([note("last")]))
    assert len(calls) == 1
    assert await keys(store) == ["0", "1", "2", "last"]
    assert await store.one("PRAGMA synchronous") == NORMAL


async def test_a_query_is_one_call_to_the_thread(store: Store) -> None:
    async with hops(store) as calls:
        assert await store.places.panels(TableId(1)) == []
    assert len(calls) == 1


async def test_work_parts_a_transaction_and_is_undone_with_it(store: Store) -> None:
    """Statements before it and after it are a call each, in one transaction."""

    async def work(db: aiosqlite.Connection) -> None:
        assert db.in_transaction
        async with db.execute("SELECT count(*) FROM notes") as cursor:
            assert await cursor.fetchone() == (1,)
        await db.execute(*note("work"))

    trace = await store.traced()
    await store.writer.write([note("before"), work, note("after")], durable=True)
    assert await keys(store) == ["after", "before", "work"]
    assert trace.count("COMMIT") == 1

    with pytest.raises(sqlite3.IntegrityError):
        await store.writer.write([note("undone"), note("too"), BAD, note("never")], durable=True)
    assert not store.db.in_transaction
    assert await keys(store) == ["after", "before", "work"]
    assert await store.one("PRAGMA synchronous") == NORMAL


async def test_one_bad_job_does_not_spoil_those_that_wait_with_it(store: Store) -> None:
    trace = await store.traced()
    jobs = [store.writer.write([note(f"{i:02}")]) for i in range(5)]
    jobs.insert(2, store.writer.write([note("half"), BAD]))
    outcomes = await asyncio.gather(*jobs, return_exceptions=True)
    assert [type(o) for o in outcomes if o is not None] == [sqlite3.IntegrityError]
    assert isinstance(outcomes[2], sqlite3.IntegrityError)
    assert trace.count("ROLLBACK") == 2, "of all of them together, and of the bad one alone"
    assert await keys(store) == ["00", "01", "02", "03", "04"]


async def test_jobs_are_carried_out_in_the_order_they_were_asked_for(store: Store) -> None:
    for value in ("first", "second", "third"):
        store.writer.later([("INSERT OR REPLACE INTO notes VALUES ('who', ?)", (value,))])
    await store.writer.write([note("end")])
    assert await store.one("SELECT value FROM notes WHERE key = 'who'") == "third"


async def test_a_result_is_on_the_disk_and_moves_after_it_are_fast_again(store: Store) -> None:
    await store.journal.append(opening(1), durable=False)
    trace = await store.traced()

    await store.journal.append([line(1, 1, e.Moved(0, "r1"))], durable=False)
    assert SET_FULL not in trace

    trace.clear()
    results = [line(1, 2, e.Moved(0, "r2")), line(1, 3, ROUND_ENDED)]
    await store.journal.append(results, durable=True)
    await store.rows("SELECT 1")
    assert trace.index(SET_FULL) < trace.index("COMMIT") < trace.index(SET_NORMAL)
    assert await store.one("PRAGMA synchronous") == NORMAL

    trace.clear()
    await store.journal.append([line(1, 4, e.MatchEnded(counts=True))], durable=True)
    assert await store.one("PRAGMA synchronous") == NORMAL
    (written,) = (i for i, sql in enumerate(trace) if sql.startswith("INSERT INTO journal"))
    assert trace.index(SET_FULL) < written < trace.index(SET_NORMAL)


async def test_a_result_that_is_refused_leaves_moves_as_fast_as_they_were(store: Store) -> None:
    await store.journal.append(
        lines(1, e.Opened("ligretto", 1, GuildId(1), ChannelId(1), UserId(1), "en")), durable=False
    )
    twice = [line(1, 1, e.Moved(0, "r1")), line(1, 1, ROUND_ENDED)]
    with pytest.raises(sqlite3.IntegrityError):
        await store.journal.append(twice, durable=True)
    assert await store.one("PRAGMA synchronous") == NORMAL


async def test_a_result_is_written_once_although_moves_after_it_cannot_be_fast(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    """It is committed when SQLite refuses to go on without waiting for the disk."""

    def refuses(_: int, name: str | None, value: str | None, *__: object) -> int:
        is_normal = (name, value) == ("synchronous", "NORMAL")
        return sqlite3.SQLITE_DENY if is_normal else sqlite3.SQLITE_OK

    authorize: Any = store.db._conn.set_authorizer
    thread: Any = store.db._execute
    await thread(authorize, refuses)
    await store.writer.write([note("result")], durable=True)
    assert await keys(store) == ["result"]
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    await thread(authorize, None)
    await store.writer.write([note("next")], durable=True)
    assert await keys(store) == ["next", "result"]
    assert await store.one("PRAGMA synchronous") == NORMAL


@pytest.mark.real("SQLite's thread is still at work when its task is cancelled")
@pytest.mark.parametrize("durable", [False, True])
async def test_a_cancelled_transaction_leaves_nothing_open(store: Store, *, durable: bool) -> None:
    """The thread is still beginning it when whoever asked is cancelled."""
    begins, goes_on = threading.Event(), threading.Event()

    def slowly() -> int:
        begins.set()
        return int(goes_on.wait(60))

    async def more(_: aiosqlite.Connection) -> None:
        raise AssertionError("it is cancelled before this")

    await store.db.create_function("slowly", 0, slowly)
    steps: list[Step] = [note("cancelled"), ("SELECT slowly()", ()), more]
    task = asyncio.ensure_future(transaction(store.db, steps, durable=durable))
    assert await asyncio.to_thread(begins.wait, 60)
    task.cancel()
    await asyncio.sleep(0)
    goes_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not store.db.in_transaction
    assert await store.one("PRAGMA synchronous") == NORMAL
    assert await keys(store) == []


async def test_a_note_that_cannot_be_written_is_logged(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    store.writer.later([BAD])
    await store.writer.write([note("after")])
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    assert "INSERT INTO notes" in caplog.text
    assert await keys(store) == ["after"]


async def takes(store: Store, *, on: bool) -> None:
    """Whether the disk takes anything: without, every write fails as on a file system that is
    mounted to be read only.
    """
    await store.db.execute(f"PRAGMA query_only = {'OFF' if on else 'ON'}")


async def test_notes_wait_for_a_disk_that_takes_nothing_now(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    await takes(store, on=False)
    for i in range(3):
        store.writer.later([note(f"{i:02}")])
        await asyncio.sleep(AGAIN)
    await takes(store, on=True)
    await asyncio.sleep(2 * AGAIN)
    assert await keys(store) == ["00", "01", "02"]
    assert [record.levelno for record in caplog.records] == [logging.WARNING], "told once"


async def test_nothing_overtakes_a_note_that_waits(store: Store) -> None:
    await takes(store, on=False)
    store.writer.later([note("early")])
    with pytest.raises(sqlite3.OperationalError):
        await store.writer.write([note("refused")])
    await takes(store, on=True)
    trace = await store.traced()
    await store.writer.write([note("late")])
    written = [sql for sql in trace if sql.startswith("INSERT INTO notes")]
    assert ["early" in written[0], "late" in written[1]] == [True, True]
    assert await keys(store) == ["early", "late"]


async def test_a_bad_note_among_those_that_wait_spoils_no_other(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    await takes(store, on=False)
    for statement in (note("one"), BAD, note("two")):
        store.writer.later([statement])
    await asyncio.sleep(0.1)
    await takes(store, on=True)
    await store.writer.write([note("three")])
    assert await keys(store) == ["one", "three", "two"]
    assert "note not written" in caplog.text


async def test_only_so_many_notes_wait_and_the_newest_are_kept(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    await takes(store, on=False)
    for i in range(MOST_HELD_NOTES + 2):
        store.writer.later([note(f"{i:05}")])
    await asyncio.sleep(0.1)
    await takes(store, on=True)
    await store.writer.write(())
    assert await store.one("SELECT count(*) FROM notes") == MOST_HELD_NOTES
    assert await store.one("SELECT min(key) FROM notes") == "00002"
    assert sum("note not written" in one.message for one in caplog.records) == 2


async def test_a_note_that_waits_outlives_a_broken_transaction(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even a failure that isn't SQLite's loses it: nothing of it was tried."""
    await takes(store, on=False)
    store.writer.later([note("early")])
    await asyncio.sleep(0.1)
    await takes(store, on=True)

    async def fails(_: aiosqlite.Connection) -> None:
        raise ValueError("no active connection")

    with monkeypatch.context() as broken:
        broken.setattr(writer, "nothing_begun", fails)
        with pytest.raises(ValueError, match="connection"):
            await store.writer.write([note("refused")])
    await store.writer.write([note("late")])
    assert await keys(store) == ["early", "late"]


async def test_notes_that_a_broken_connection_takes_are_each_told_of(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It breaks after one of several bad jobs, while they are tried one by one."""
    calls = 0

    async def fails_later(_: aiosqlite.Connection) -> None:
        nonlocal calls
        calls += 1
        if calls > 2:
            raise ValueError("no active connection")

    monkeypatch.setattr(writer, "nothing_begun", fails_later)
    bad = asyncio.ensure_future(store.writer.write([BAD]))
    store.writer.later([note("one")])
    store.writer.later([note("two")])
    with pytest.raises(ValueError, match="connection"):
        await bad
    lines = [one.getMessage() for one in caplog.records if one.levelno == logging.ERROR]
    assert len(lines) == 2
    assert all("note not written" in one for one in lines)


async def test_notes_that_still_wait_at_the_end_are_counted_in_the_log(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    await takes(store, on=False)
    for i in range(3):
        store.writer.later([note(f"{i:02}")])
    await store.writer.stop()
    assert "writer stopped: 3 notes lost: attempt to write a readonly database" in caplog.text


async def test_stop_writes_everything_that_was_asked_for(store: Store) -> None:
    for i in range(50):
        store.writer.later([note(f"{i:02}")])
    await store.writer.stop()
    with closing(sqlite3.connect(store.path)) as other:
        assert other.execute("SELECT count(*) FROM notes").fetchone() == (50,)


async def test_somebody_who_no_longer_waits_does_not_stop_the_writer(store: Store) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await store.writer.write([note("given up")])
    await store.writer.write([note("next")])
    assert await keys(store) == ["given up", "next"]


async def test_stop_waits_for_a_writer_that_has_just_been_started(store: Store) -> None:
    writer, tasks = Writer(store.db, SystemClock()), OwnedTasks()
    writer.later([note("early")])
    tasks(writer.run(), name="second writer")
    await writer.stop()
    await tasks.stop()
    assert await keys(store) == ["early"]


def value_of(key: str, value: str) -> Statement:
    return "REPLACE INTO notes (key, value) VALUES (?, ?)", (key, value)


async def values(store: Store) -> dict[object, object]:
    found = await store.rows("SELECT key, value FROM notes")
    return {key: value for key, value in found}  # noqa: C416 a tuple of any length


async def test_only_the_newest_of_a_key_is_written_behind(store: Store) -> None:
    trace = await store.traced()
    for number in range(100):
        store.writer.replace(number % 2, value_of(f"{number % 2}", f"{number}"))
        await store.writer.write([note(f"move {number}")], overtakes=True)
        await asyncio.sleep(BEHIND / 200)
    assert not any(sql.startswith("REPLACE") for sql in trace)
    await asyncio.sleep(BEHIND / 2 + 0.1)
    assert sum(sql.startswith("REPLACE") for sql in trace) == 2
    found = await values(store)
    assert (found["0"], found["1"]) == ("98", "99")
    store.writer.replace("again", value_of("again", "later"))
    await asyncio.sleep(BEHIND + 0.1)
    assert (await values(store))["again"] == "later"


async def test_only_what_overtakes_comes_before_what_is_behind(store: Store) -> None:
    """A deletion comes after it, or what was deleted would be there again."""
    delete: Statement = ("DELETE FROM notes WHERE key = ?", ("a",))

    async def delete_too(db: aiosqlite.Connection) -> None:
        await db.execute(*delete)

    for ask in (
        lambda: store.writer.later([delete]),
        lambda: asyncio.ensure_future(store.writer.write([delete])),
        lambda: asyncio.ensure_future(store.writer.write([delete_too], durable=True)),
    ):
        store.writer.replace("a", value_of("a", "behind"))
        ask()
        await asyncio.sleep(2 * BEHIND)
        assert await values(store) == {}
    store.writer.replace("a", value_of("a", "behind"))
    store.writer.later([value_of("a", "early")], overtakes=True)
    await asyncio.sleep(2 * BEHIND)
    assert await values(store) == {"a": "behind"}


async def test_stop_writes_what_is_behind(store: Store) -> None:
    store.writer.replace("a", value_of("a", "behind"))
    await store.writer.stop()
    with closing(sqlite3.connect(store.path)) as other:
        assert other.execute("SELECT value FROM notes").fetchall() == [("behind",)]


async def test_what_is_behind_waits_for_a_disk_that_takes_nothing(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    """And a bad one spoils no other."""
    await takes(store, on=False)
    store.writer.replace("a", value_of("a", "behind"))
    store.writer.replace("bad", BAD)
    await asyncio.sleep(BEHIND + 0.1)
    await takes(store, on=True)
    await asyncio.sleep(2 * AGAIN)
    assert await values(store) == {"a": "behind"}
    assert "note not written" in caplog.text
