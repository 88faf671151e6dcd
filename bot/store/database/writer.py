"""The one writer of the database: whatever waits is committed together."""

import asyncio
import logging
import sqlite3
from collections.abc import Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import aiosqlite

from bot.clock import Clock
from bot.store.database.errors import passes
from bot.store.database.query import Statement, Step, Work, nothing_begun, transaction

log = logging.getLogger(__name__)

AGAIN = 5.0
"""Seconds until notes that a disk did not take are tried again."""
STUCK = 30.0
"""Seconds after which a transaction that has neither ended nor failed never will."""
BEHIND = 2.0
"""Seconds for which what is replaced often is kept back."""
MOST_HELD_NOTES = 10_000
"""Notes that wait for the disk at most; then the oldest are lost."""


@dataclass(frozen=True, slots=True)
class Job:
    """Steps that are carried out together or not at all. `durable`: on the disk once committed.

    `done` is None for a note, which nobody waits for.
    """

    steps: tuple[Step, ...]
    durable: bool
    done: asyncio.Future[None] | None


class Writer:
    """The one writer. It commits all jobs that wait in a single transaction, in their order.

    If a transaction fails, its jobs are tried one by one, so that one bad entry can't spoil other
    tables'. While the disk takes nothing, `write` fails and notes (`later`) wait: they go with the
    next transaction, before everything that was asked for after them.

    Only what `replace` writes behind may be overtaken, and only by what says that it may.
    """

    def __init__(self, db: aiosqlite.Connection, clock: Clock) -> None:
        self._db = db
        self._clock = clock
        self._waiting: list[Job | None] = []  # None asks it to stop
        self._more: asyncio.Future[None] | None = None  # done once something waits
        self._held: list[Job] = []  # notes that the disk has not taken yet, and why
        self._why: Exception | None = None
        self._behind: dict[Hashable, Statement] = {}
        self._flush: asyncio.TimerHandle | None = None
        self._stopped = asyncio.Event()
        self._since: float | None = None  # when the transaction began that is not over yet
        self.commits = 0
        self.seconds = 0.0

    async def write(
        self, steps: Sequence[Step], *, durable: bool = False, overtakes: bool = False
    ) -> None:
        """Write these steps, and return when they are committed. Raises SQLite's error if not.

        `overtakes`: they have nothing to do with what is written behind, and may come before it.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._ask(Job(tuple(steps), durable, done), overtakes=overtakes)
        await done

    def later(
        self, statements: Sequence[Statement], *, durable: bool = False, overtakes: bool = False
    ) -> None:
        """Write these in turn, without waiting; retry until the disk takes them.

        Any other failure is logged. `overtakes`: as in `write`.
        """
        self._ask(Job(tuple(statements), durable, done=None), overtakes=overtakes)

    def replace(self, key: Hashable, statement: Statement) -> None:
        """Write this `BEHIND` seconds later at most, like `later`; only the newest for each key.

        It is written before the next job that does not overtake, so that no deletion is undone by
        it. A process that is killed before then loses it; `stop` writes it.
        """
        if not self._behind:
            self._flush = asyncio.get_running_loop().call_later(BEHIND, self._catch_up)
        self._behind[key] = statement

    def _ask(self, job: Job, *, overtakes: bool) -> None:
        if not overtakes:
            self._catch_up()
        self._put(job)

    def _put(self, job: Job | None) -> None:
        self._waiting.append(job)
        if self._more is not None and not self._more.done():
            self._more.set_result(None)

    def _catch_up(self) -> None:
        """Ask for what is written behind. Each is a job of its own: a bad one spoils no other."""
        if self._flush is not None:
            self._flush.cancel()
        for statement in self._behind.values():
            self._put(Job((statement,), durable=False, done=None))
        self._behind.clear()

    @property
    def is_stuck(self) -> bool:
        """True while a transaction hangs, as on a disk that no longer answers."""
        return self._since is not None and self._clock.now() - self._since > STUCK

    async def run(self) -> None:
        """Write until `stop`."""
        try:
            last = False
            while not last:
                jobs = await self._next()
                last = None in jobs
                await self._carry_out([job for job in jobs if job is not None])
        finally:
            self._stopped.set()
            if self._held:
                count = len(self._held)
                log.error("writer stopped: %d notes lost: %s", count, self._why)

    async def _carry_out(self, jobs: Sequence[Job]) -> None:
        """Commit these jobs. Whatever happens, every caller of `write` gets an outcome."""
        self._since = self._clock.now()
        try:
            await self._commit(jobs)
        except Exception as error:
            log.exception("writer failed")
            self._failed(jobs, error)
        finally:
            self._since = None

    async def stop(self) -> None:
        """Carry out everything that was asked for before this, then stop."""
        self._catch_up()
        self._put(None)
        await self._stopped.wait()

    async def _next(self) -> list[Job | None]:
        """Return all jobs that wait, None for the last; none when it is time to try notes again."""
        if not self._waiting:
            self._more = asyncio.get_running_loop().create_future()
            if self._held:
                with suppress(TimeoutError):
                    async with asyncio.timeout(AGAIN):
                        await self._clock.park(self._more, "writer")
            else:
                await self._clock.park(self._more, "writer")
            self._more = None
        jobs, self._waiting = self._waiting, []
        return jobs

    async def _commit(self, jobs: Sequence[Job]) -> None:
        held, self._held = self._held, []
        jobs = [*held, *jobs]
        if not jobs:
            return
        try:
            error = await self._try(jobs)
        except Exception:
            self._held = held  # nothing of them was written
            raise
        if error is not None and len(jobs) > 1 and not passes(error):
            jobs, error = await self._one_by_one(jobs)
        if error is not None:
            self._failed(jobs, error)
        if len(self._held) > len(held) == 0:
            log.warning("notes are waiting for the disk: %s", error)
        elif held and not self._held:
            log.info("disk available again, %d waiting notes written", len(held))

    async def _try(self, jobs: Sequence[Job]) -> Exception | None:
        """Carry out all of them or none. Return the error if none; None if all.

        Raises what isn't SQLite's if the connection can't even roll back: then none.
        """
        began = self._clock.now()
        try:
            await nothing_begun(self._db)
            steps = [step for job in jobs for step in job.steps]
            await transaction(self._db, steps, durable=any(job.durable for job in jobs))
        except Exception as error:
            with suppress(sqlite3.Error):  # then it is tried again before the next
                await nothing_begun(self._db)
            return error
        self.commits += 1
        self.seconds += self._clock.now() - began
        for job in jobs:
            if job.done is not None and not job.done.done():
                job.done.set_result(None)
        return None

    async def _one_by_one(self, jobs: Sequence[Job]) -> tuple[Sequence[Job], Exception | None]:
        """Carry out all but the bad ones.

        Return those for which the disk was not ready, and why: jobs after one that waits, wait too.
        """
        for place, job in enumerate(jobs):
            try:
                error = await self._try([job])
            except Exception as broken:
                return jobs[place:], broken
            if error is not None and passes(error):
                return jobs[place:], error
            if error is not None:
                self._failed([job], error)
        return (), None

    def _failed(self, jobs: Sequence[Job], error: Exception) -> None:
        """Fail the jobs that somebody waits for. Keep notes if the disk may take them later."""
        self._why = error
        for job in jobs:
            if job.done is None and passes(error):
                self._held.append(job)
            elif job.done is None:
                log.error("note not written: %s", _name(job.steps[0]), exc_info=error)
            elif not job.done.done():
                job.done.set_exception(error)
        for job in self._held[:-MOST_HELD_NOTES]:
            log.error("note not written: %s: %s", _name(job.steps[0]), error)
        del self._held[:-MOST_HELD_NOTES]


def _name(step: Step) -> str | Work:
    """Return how the log names a step."""
    return step if callable(step) else step[0]
