"""Time, and waiting, behind one seam: tests and the demo bring a clock of their own."""

import asyncio
import time
from collections.abc import Awaitable
from typing import Protocol, TypeVar

T = TypeVar("T")
STILL = 30.0
"""Seconds between two looks at a clock after which the machine stood still. Tables look at it every
few seconds."""


class Clock(Protocol):
    """The bot's only source of time, in seconds.

    `now` is monotonic: it measures margins, gaps, and the age of a press. `awake` is the same
    without the time in which the machine stood still: it measures what people are held to. `wall`
    is Unix time as the machine has it, right or wrong: it gives dates, and never a duration. `park`
    is how an idle worker waits.
    """

    def now(self) -> float: ...
    def awake(self) -> float: ...
    def wall(self) -> float: ...
    async def sleep(self, seconds: float) -> None: ...
    async def park(self, awaitable: Awaitable[T], reason: str) -> T: ...


class Awake:
    """Takes from a monotonic clock the time in which nobody looked at it: the machine was asleep,
    or the process was stopped. Not every system's clock stands still then.
    """

    def __init__(self) -> None:
        self._last: float | None = None
        self._still = 0.0

    def of(self, now: float) -> float:
        """Return the seconds in which the machine ran."""
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

    def wall(self) -> float:
        return time.time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def park(self, awaitable: Awaitable[T], reason: str) -> T:  # noqa: ARG002 for tests
        return await awaitable
