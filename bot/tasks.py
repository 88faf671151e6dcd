"""Background tasks: an owner that starts, logs and cancels them, and restarts for failed work."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from bot.clock import Clock


class Spawn(Protocol):
    """A function that starts a task in a group that is awaited and cancelled as one."""

    def __call__(self, work: Coroutine[Any, Any, None], *, name: str) -> None: ...


class Ticking(Protocol):
    """A part with time limits, which it looks at whenever it is ticked."""

    async def tick(self) -> None: ...


log = logging.getLogger(__name__)

PAUSE = 5.0
"""Seconds before failed work is tried again."""
TICK = 5.0
"""Seconds between two ticks of each part that has time limits."""


class OwnedTasks:
    """The tasks of a running bot, cancelled as one.

    A failed task is logged. After `stop`, new work is closed instead of started.
    """

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
        """Cancel every task that still runs, and wait until all have ended."""
        self._stopped = True
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.pop(task, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("task %s failed", task.get_name(), exc_info=error)


async def keep_running(
    work: Callable[[], Coroutine[Any, Any, None]], name: str, clock: Clock
) -> None:
    """Run work that the bot needs for as long as it runs.

    An error is logged, and the work starts again after `PAUSE` seconds. Work that returns is over.
    """
    while True:
        try:
            await work()
        except Exception:
            log.exception("%s failed, restarting in %.0f s", name, PAUSE)
            await clock.sleep(PAUSE)
        else:
            return


async def keep_ticking(part: Ticking, clock: Clock) -> None:
    """Tick one part every `TICK` seconds, in a task of its own.

    A part that is slow or fails delays no other.
    """
    while True:
        await clock.sleep(TICK)
        clock.awake()  # somebody looks at it, or the machine would seem to stand still
        try:
            await part.tick()
        except Exception:
            log.exception("tick of %s failed, retrying", type(part).__name__)
