"""The one writer of the database: whatever waits is committed together."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

import aiosqlite

from bot.tables.clock import Clock

log = logging.getLogger(__name__)

Parameters: TypeAlias = tuple[str | int | float | None, ...]
Statement: TypeAlias = tuple[str, Parameters]
Work: TypeAlias = Callable[[aiosqlite.Connection], Awaitable[None]]
"""Statements that depend on what is there: it sees what was asked for before it, and leaves the
transaction open. When that fails it is called again."""
Step: TypeAlias = Statement | Work


@dataclass(frozen=True, slots=True)
class Job:
    """Steps that are carried out together or not at all. `durable`: on the disk after it."""

    steps: tuple[Step, ...]
    durable: bool
    done: asyncio.Future[None] | None


class Writer:
    """Commits all jobs that wait at a moment in a single transaction, in their order.

    When a transaction fails its jobs are tried one by one, so that one bad entry cannot spoil
    other tables'.
    """

    def __init__(self, db: aiosqlite.Connection, clock: Clock) -> None:
        self._db = db
        self._clock = clock
        self._queue: asyncio.Queue[Job | None] = asyncio.Queue()
        self._stopped = asyncio.Event()
        self.commits = 0
        self.seconds = 0.0

    async def write(self, steps: Sequence[Step], *, durable: bool = False) -> None:
        """Returns when it is committed; raises what SQLite raised when it is not."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait(Job(tuple(steps), durable, done))
        await done

    def later(self, statements: Sequence[Statement], *, durable: bool = False) -> None:
        """Written in its turn; a failure is logged."""
        self._queue.put_nowait(Job(tuple(statements), durable, done=None))

    async def run(self) -> None:
        """Until `stop`."""
        try:
            last = False
            while not last:
                jobs = [await self._clock.park(self._queue.get(), "writer")]
                while not self._queue.empty():
                    jobs.append(self._queue.get_nowait())
                last = None in jobs
                await self._commit([job for job in jobs if job is not None])
        finally:
            self._stopped.set()

    async def stop(self) -> None:
        """Everything that was asked for before this is written first."""
        self._queue.put_nowait(None)
        await self._stopped.wait()

    async def _commit(self, jobs: Sequence[Job]) -> None:
        if not jobs:
            return
        began = self._clock.now()
        try:
            await self._transaction(jobs)
        except Exception as error:
            await self._failed(jobs, error)
        else:
            self.commits += 1
            self.seconds += self._clock.now() - began
            for job in jobs:
                if job.done is not None and not job.done.done():
                    job.done.set_result(None)

    async def _failed(self, jobs: Sequence[Job], error: Exception) -> None:
        if self._db.in_transaction:
            await self._db.rollback()
        if len(jobs) > 1:
            for job in jobs:
                await self._commit([job])
            return
        done = jobs[0].done
        if done is None:
            log.error("a note could not be written: %s", _key(jobs[0].steps[0]), exc_info=error)
        elif not done.done():
            done.set_exception(error)

    async def _transaction(self, jobs: Sequence[Job]) -> None:
        durable = any(job.durable for job in jobs)
        steps = [step for job in jobs for step in job.steps]
        if durable:
            await self._db.execute("PRAGMA synchronous = FULL")
        try:
            if len(steps) == 1 and isinstance(steps[0], tuple):
                await self._db.execute(*steps[0])
                return
            await self._db.execute("BEGIN IMMEDIATE")
            for key, group in groupby(steps, key=_key):
                if isinstance(key, str):
                    values = [step[1] for step in group if isinstance(step, tuple)]
                    await self._db.executemany(key, values)
                    continue
                for _ in group:
                    await key(self._db)
            await self._db.execute("COMMIT")
        finally:
            if durable:
                if self._db.in_transaction:
                    await self._db.rollback()
                await self._db.execute("PRAGMA synchronous = NORMAL")


def _key(step: Step) -> str | Work:
    """Equal statements in a row are one call."""
    return step[0] if isinstance(step, tuple) else step
