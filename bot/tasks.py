"""Background tasks: an owner that starts, logs and cancels them, and restarts for failed work.

And limits on the time for which a task awaits something.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextvars import Context
from types import TracebackType
from typing import Any, Protocol, TypeAlias

from bot.clock import Clock

Work: TypeAlias = Callable[[], Coroutine[Any, Any, None]]


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


async def keep_running(work: Work, name: str, clock: Clock) -> None:
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


class TimeLimit:
    """A limit for what is awaited within it, as `asyncio.timeout_at` sets one. Used once.

    `when`: seconds by the loop's clock. What takes longer is cancelled, and TimeoutError is raised
    in its place. If it was cancelled by others at the same time, it stays cancelled.

    All limits share a timer: nearly every call ends long before its own, and to set and cancel a
    timer for each costs a tenth of a press's answer.
    """

    __slots__ = ("_before", "_is_over", "_limits", "_task", "when")

    def __init__(self, when: float) -> None:
        self.when = when
        self._is_over = False

    async def __aenter__(self) -> None:
        self.begin()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        _: TracebackType | None,
    ) -> None:
        self.close(kind, error)

    def begin(self) -> None:
        """Enter it, in the task that it limits."""
        loop = asyncio.get_running_loop()
        task = asyncio.current_task(loop)
        assert task is not None, "a task is what can be cancelled"
        self._task: asyncio.Task[Any] = task
        self._before = task.cancelling()
        self._limits = limits = _limits(loop)
        limits.add(self)

    def close(self, kind: type[BaseException] | None, error: BaseException | None) -> None:
        """Leave it, with what was raised within it. Raises TimeoutError if it has come to it."""
        self._limits.remove(self)
        if not self._is_over or self._task.uncancel() > self._before:
            return
        if kind is asyncio.CancelledError:
            raise TimeoutError from error

    def end(self) -> None:
        """Cancel what takes too long."""
        self._is_over = True
        self._task.cancel()


class _Limits:
    """The limits of one event loop that somebody is within."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._under_way: dict[TimeLimit, None] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._next = float("inf")

    def add(self, limit: TimeLimit) -> None:
        self._under_way[limit] = None
        if limit.when < self._next:
            self._wake_at(limit.when)

    def remove(self, limit: TimeLimit) -> None:
        """Forget one. The timer stays: the next limit would only set it again."""
        self._under_way.pop(limit, None)

    def _wake_at(self, when: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._next = when
        self._timer = self.loop.call_at(when, self._wake, context=Context())  # nobody's own

    def _wake(self) -> None:
        """End what has come to its limit, and wake up at the next one."""
        now, self._timer, self._next = max(self.loop.time(), self._next), None, float("inf")
        for limit in [one for one in self._under_way if one.when <= now]:
            self.remove(limit)
            limit.end()
        if self._under_way:
            self._wake_at(min(one.when for one in self._under_way))


_latest: _Limits | None = None


def _limits(loop: asyncio.AbstractEventLoop) -> _Limits:
    """Return those of a loop. Two loops side by side only make more of them, with more timers."""
    global _latest  # noqa: PLW0603 a process has one loop
    if _latest is None or _latest.loop is not loop:
        _latest = _Limits(loop)
    return _latest
