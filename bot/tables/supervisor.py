"""Every task of a table has an owner that logs its failures and tries it again, twice."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from bot.tables.table import Table

log = logging.getLogger(__name__)

TRIES = 3


class Spawn(Protocol):
    """Starts a task in a group that is awaited and cancelled as one."""

    def __call__(self, work: Coroutine[Any, Any, None], *, name: str) -> None: ...


class Crew:
    """The tasks of a running bot, started and cancelled as one."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def __call__(self, work: Coroutine[Any, Any, None], *, name: str) -> None:
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    async def stop(self) -> None:
        """Cancel what still runs, and wait for it."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("task %s ended", task.get_name(), exc_info=error)


class Supervisor:
    """Only errors at the start end the bot: a table whose task keeps failing is given up alone."""

    def __init__(self, spawn: Spawn, give_up: Callable[[Table], Coroutine[Any, Any, None]]) -> None:
        self._spawn = spawn
        self._give_up = give_up

    def start(self, table: Table, what: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._spawn(self._run(table, what, work), name=f"table {table.id} {what}")

    async def _run(
        self, table: Table, what: str, work: Callable[[], Coroutine[Any, Any, None]]
    ) -> None:
        for attempt in range(1, TRIES + 1):
            try:
                await work()
            except Exception:
                log.exception("%s: %s failed (%d of %d)", table, what, attempt, TRIES)
            else:
                return
        try:
            await self._give_up(table)
        except Exception:
            log.exception("%s: could not be given up", table)
