"""Processes that stand still, as after SIGSTOP or on a machine that was suspended."""

import asyncio
import heapq
from contextvars import Context

from tests.simulate.owner import NOBODY, PROCESS


class Stopped:
    """What processes that stand still would do now. Time passes for them as for all."""

    def __init__(self) -> None:
        self._held: dict[int, list[asyncio.Handle]] = {}

    def __bool__(self) -> bool:
        return bool(self._held)

    def stop(self, process: int, loop: asyncio.AbstractEventLoop) -> None:
        """Let nothing of a process run until `resume`."""
        queues = (loop._ready, loop._scheduled)  # type: ignore[attr-defined]
        self._held[process] = [one for queue in queues for one in queue if owner(one) == process]
        held = {*map(id, self._held[process])}
        for queue in queues:
            others = [one for one in queue if id(one) not in held]
            queue.clear()
            queue.extend(others)
        heapq.heapify(loop._scheduled)  # type: ignore[attr-defined]

    def holds(self, handle: asyncio.Handle) -> bool:
        """Keep a handle if its process stands still. Return whether it does."""
        held = self._held.get(owner(handle))
        if held is not None:
            held.append(handle)
        return held is not None

    def resume(self, process: int, loop: asyncio.AbstractEventLoop) -> None:
        """Go on: first what was ready, then timers whose time has come."""
        for one in self._held.pop(process, ()):
            if isinstance(one, asyncio.TimerHandle):
                heapq.heappush(loop._scheduled, one)  # type: ignore[attr-defined]
            else:
                loop._ready.append(one)  # type: ignore[attr-defined]

    def forget(self, process: int) -> None:
        """A process that stood still was killed."""
        for one in self._held.pop(process, ()):
            if not isinstance(one, asyncio.TimerHandle):
                one.cancel()


def owner(handle: asyncio.Handle) -> int:
    """Return the process whose code a handle runs."""
    context: Context = handle._context  # type: ignore[attr-defined]
    return context.get(PROCESS, NOBODY)
