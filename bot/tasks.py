"""Background tasks: each has an owner that logs its end, and starts again what has to last."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from bot.clock import Clock


class Spawn(Protocol):
    """Starts a task in a group that is awaited and cancelled as one."""

    def __call__(self, work: Coroutine[Any, Any, None], *, name: str) -> None: ...


def spawn(work: Coroutine[Any, Any, None], *, name: str) -> None:
    """Start a task that nobody but the loop cancels."""
    task = asyncio.get_running_loop().create_task(work, name=name)
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)


_tasks: set[asyncio.Task[None]] = set()
"""The loop itself keeps no task alive."""


log = logging.getLogger(__name__)

PAUSE = 5.0
"""Seconds until what passes by itself is tried again."""


class OwnedTasks:
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
