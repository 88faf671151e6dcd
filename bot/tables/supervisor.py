"""Every task of a table has an owner that logs its failures and tries it again."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from bot.tables.clock import Clock
from bot.tables.table import Table
from bot.tables.turns import Spawn

log = logging.getLogger(__name__)

TRIES = 3
PAUSE = 5.0
"""Seconds until what passes by itself is tried again."""


class Crew:
    """The tasks of a running bot, started and cancelled as one. Stopped, it takes nothing on."""

    def __init__(self) -> None:
        self._tasks: dict[asyncio.Task[None], None] = {}  # in the order of their start
        self._stopped = False

    def __call__(self, work: Coroutine[Any, Any, None], *, name: str) -> None:
        if self._stopped:
            work.close()
            return
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks[task] = None
        task.add_done_callback(self._finished)

    async def stop(self) -> None:
        """Cancel what still runs, and wait for it."""
        self._stopped = True
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.pop(task, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("task %s ended", task.get_name(), exc_info=error)


async def lasting(work: Callable[[], Coroutine[Any, Any, None]], name: str, clock: Clock) -> None:
    """Do what the bot needs for as long as it runs. An error that nobody has thought of ends the
    work once: it begins again a little later.
    """
    while True:
        try:
            await work()
        except Exception:
            log.exception("%s failed; it begins again", name)
            await clock.sleep(PAUSE)
        else:
            return


class Supervisor:
    """Only errors at the start end the bot: a table whose task keeps failing is given up alone.

    `passes`: whether a failure is none of the table's, such as a full disk, and will be over.
    """

    def __init__(
        self,
        spawn: Spawn,
        give_up: Callable[[Table], Coroutine[Any, Any, None]],
        clock: Clock,
        passes: Callable[[Exception], bool] = lambda _: False,
    ) -> None:
        self._spawn = spawn
        self._give_up = give_up
        self._clock = clock
        self._passes = passes

    def start(self, table: Table, what: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._spawn(self._run(table, what, work), name=f"table {table.id} {what}")

    async def _run(
        self, table: Table, what: str, work: Callable[[], Coroutine[Any, Any, None]]
    ) -> None:
        failures = 0
        while failures < TRIES:
            try:
                await work()
            except Exception as error:
                if self._passes(error):
                    log.warning("%s: %s has to wait: %s", table, what, error)
                    await self._clock.sleep(PAUSE)
                    continue
                failures += 1
                log.exception("%s: %s failed (%d of %d)", table, what, failures, TRIES)
            else:
                return
        try:
            await self._give_up(table)
        except Exception:
            log.exception("%s: could not be given up", table)
