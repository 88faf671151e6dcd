"""Connections, queries and their rows, and transactions in few calls to SQLite's thread."""

import asyncio
import logging
import os
import sqlite3
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from itertools import groupby
from typing import Any, TypeAlias

import aiosqlite

log = logging.getLogger(__name__)

Row: TypeAlias = tuple[Any, ...]
Values: TypeAlias = Sequence[Any] | Mapping[str, Any]
Parameters: TypeAlias = tuple[str | int | float | bytes | None, ...]
Statement: TypeAlias = tuple[str, Parameters]
Work: TypeAlias = Callable[[aiosqlite.Connection], Awaitable[None]]
"""Statements that depend on what is stored. Called inside the transaction, after the earlier steps;
it must not end the transaction. If the transaction fails, it is called again."""
Step: TypeAlias = Statement | Work
TOGETHER = "-- these statements"
"""The SQL for `executemany` whose rows are statements themselves."""
_BEGIN: Statement = "BEGIN IMMEDIATE", ()
_COMMIT: Statement = "COMMIT", ()
_FULL: Statement = "PRAGMA synchronous = FULL", ()
_NORMAL: Statement = "PRAGMA synchronous = NORMAL", ()


class WaitingConnection(sqlite3.Connection):
    """A connection whose thread never interrupts the event loop. Made in that thread.

    On Linux, a thread that is woken may take the processor from the one that has woken it. This one
    would only wait for the interpreter's lock, which the event loop still holds: the threads change
    twice for nothing, a tenth of a press. Under SCHED_BATCH, a thread gets as much time as before,
    but waits until another one has nothing to do or has had its share.
    """

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 sqlite3's own
        super().__init__(*args, **options)
        if threading.current_thread() is not threading.main_thread():
            _interrupt_nobody()


def _interrupt_nobody() -> None:
    """Set the policy of the current thread, where there is such a thing, and it is allowed."""
    if hasattr(os, "SCHED_BATCH"):
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


class WritingConnection(WaitingConnection):
    """A connection that carries out many statements in one call.

    aiosqlite hands each call to its thread and waits for it: that costs more than most statements.
    """

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> sqlite3.Cursor:
        """Carry out one statement for many rows; for TOGETHER, many statements in turn.

        Raises the error of the first that fails, and carries out none after it. If only `_NORMAL`
        fails, what stands before it is committed all the same: later commits are slower.
        """
        if sql != TOGETHER:
            return super().executemany(sql, parameters)
        with closing(self.cursor()) as cursor:
            for same, group in groupby(parameters, key=lambda statement: statement[0]):
                values = [one for _, one in group]
                if same == _NORMAL[0]:
                    self._go_on_as_normal(cursor)
                elif len(values) == 1:
                    cursor.execute(same, values[0])
                else:
                    cursor.executemany(same, values)
        return cursor

    def _go_on_as_normal(self, cursor: sqlite3.Cursor) -> None:
        try:
            cursor.execute(*_NORMAL)
        except sqlite3.Error as error:
            log.warning("every commit waits for the disk until the next result: %s", error)


async def together(db: aiosqlite.Connection, statements: Sequence[Statement]) -> None:
    """Carry out statements in turn, in one call to the thread of a `WritingConnection`."""
    await db.executemany(TOGETHER, statements)


async def nothing_begun(db: aiosqlite.Connection) -> None:
    """Roll back what a failed transaction has left open, even an earlier one.

    Whether one is open is only known while the thread has nothing to do.
    """
    if db.in_transaction:
        await db.rollback()


async def transaction(db: aiosqlite.Connection, steps: Sequence[Step], *, durable: bool) -> None:
    """Commit all steps. What stands between two pieces of `Work` is one call to the thread.

    Raises what a step raises, and may leave the transaction open then. If it is cancelled, the
    thread first ends what it does: a single call may be committed all the same.
    """
    if len(steps) != 1 or callable(steps[0]):
        steps = [_BEGIN, *steps, _COMMIT]
    if durable:
        steps = [_FULL, *steps, _NORMAL]
    try:
        for works, statements in _parted(steps):
            for work in works:
                await work(db)
            if statements:
                await together(db, statements)
    except asyncio.CancelledError:
        await together(db, [])
        await nothing_begun(db)
        await together(db, [_NORMAL])
        raise
    except BaseException:
        if durable:
            await nothing_begun(db)
            await together(db, [_NORMAL])
        raise


def _parted(steps: Sequence[Step]) -> Iterator[tuple[list[Work], list[Statement]]]:
    """Yield the steps in their order: pieces of work, and the statements that follow them."""
    works: list[Work] = []
    statements: list[Statement] = []
    for step in steps:
        if not callable(step):
            statements.append(step)
            continue
        if statements:
            yield works, statements
            works, statements = [], []
        works.append(step)
    yield works, statements


async def rows(db: aiosqlite.Connection, sql: str, values: Values = ()) -> list[Row]:
    """Return the rows of a query, in one call to SQLite's thread."""
    return [tuple(row) for row in await db.execute_fetchall(sql, values)]


async def first(db: aiosqlite.Connection, sql: str, values: Values = ()) -> Row | None:
    """Return the first row of a query; None if there is none."""
    found = await rows(db, sql, values)
    return found[0] if found else None
