"""The interface to time and waiting, for which tests and the demo bring their own clock."""

import asyncio
import time
from collections.abc import Awaitable
from typing import Protocol, TypeVar

T = TypeVar("T")
BOOT: int | None = getattr(time, "CLOCK_BOOTTIME", None)
STILL = 30.0
"""Seconds between two readings that mean the machine stood still.

Tables read the clock every few seconds.
"""


class Bell:
    """A means to cut a nap short."""

    def __init__(self) -> None:
        self._napping: asyncio.Future[None] | None = None

    def heard(self) -> asyncio.Future[None]:
        """Return a new future, which the next `ring` ends. Only one at a time is listened to."""
        self._napping = asyncio.get_running_loop().create_future()
        return self._napping

    def ring(self) -> None:
        """End the nap under way, if there is one."""
        if self._napping is not None and not self._napping.done():
            self._napping.set_result(None)


class Clock(Protocol):
    """The running bot's source of time, in seconds.

    Two others read time elsewhere: deadlines of calls go by the loop's clock, and commands that end
    by themselves, such as `check` and `restore`, by the machine's.

    `now` is monotonic: it measures margins, gaps and the age of a press. `awake` is the same
    without the time in which the machine stood still: players' time limits go by it. `since_boot`
    has all of that time, on Linux, whose monotonic clock lacks it: a lease goes by it, which ends
    meanwhile. Its readings compare with each other only. `wall` is Unix time as the machine has
    it, right or wrong: use it for dates, never for durations. `nap` sleeps until a bell rings, so
    many seconds at most. `park` awaits something on which a worker may idle for ever; simulated
    time doesn't wait for such a worker.
    """

    def now(self) -> float: ...
    def awake(self) -> float: ...
    def since_boot(self) -> float: ...
    def wall(self) -> float: ...
    async def sleep(self, seconds: float) -> None: ...
    async def nap(self, seconds: float, bell: Bell) -> None: ...
    async def park(self, awaitable: Awaitable[T], reason: str) -> T: ...


class Awake:
    """A monotonic clock that leaves out the time in which it was never read.

    The machine was asleep then, or the process was stopped. Not every system's own clock stands
    still meanwhile.
    """

    def __init__(self) -> None:
        self._last: float | None = None
        self._still = 0.0

    def of(self, now: float) -> float:
        """Take in a reading, and return the seconds in which the machine ran."""
        if self._last is not None and now - self._last > STILL:
            self._still += now - self._last
        self._last = now
        return now - self._still


class SystemClock:
    """The machine's clock."""

    def __init__(self) -> None:
        self._awake = Awake()

    def now(self) -> float:
        return time.monotonic()

    def awake(self) -> float:
        return self._awake.of(self.now())

    def since_boot(self) -> float:
        return self.now() if BOOT is None else time.clock_gettime(BOOT)

    def wall(self) -> float:
        return time.time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def nap(self, seconds: float, bell: Bell) -> None:
        await nap(seconds, bell)

    async def park(self, awaitable: Awaitable[T], reason: str) -> T:  # noqa: ARG002 for tests
        return await awaitable


async def nap(seconds: float, bell: Bell) -> None:
    """Sleep so long by the loop's clock, or until the bell rings."""
    heard = bell.heard()
    timer = asyncio.get_running_loop().call_later(seconds, _end, heard)
    try:
        await heard
    finally:
        timer.cancel()


def _end(heard: asyncio.Future[None]) -> None:
    if not heard.done():
        heard.set_result(None)
