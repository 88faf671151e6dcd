"""Time limits of many calls on one timer.

Nearly every call ends long before its limit. `asyncio.timeout` would set and cancel a timer for
each, which costs a tenth of a press's answer.
"""

import asyncio
from contextvars import Context
from types import TracebackType
from typing import Any


class TimeLimit:
    """A limit for what is awaited within it, as `asyncio.timeout_at` sets one. Used once.

    `when`: seconds by the loop's clock. What takes longer is cancelled, and TimeoutError is raised
    in its place. If it was cancelled by others at the same time, it stays cancelled.
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
        task = asyncio.current_task()
        assert task is not None, "a task is what can be cancelled"
        self._task: asyncio.Task[Any] = task
        self._before = task.cancelling()
        self._limits = limits = _limits(asyncio.get_running_loop())
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
