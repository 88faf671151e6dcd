"""Time, and waiting, behind one seam: tests and the demo bring a clock of their own."""

import asyncio
import time
from collections.abc import Awaitable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Clock(Protocol):
    """Nothing else in the bot reads time or waits for ever.

    `now` is monotonic and in seconds: it measures margins, gaps, and the age of a press. `wall`
    is Unix time in seconds: it stamps entries. `park` is how an idle worker waits.
    """

    def now(self) -> float: ...
    def wall(self) -> float: ...
    async def sleep(self, seconds: float) -> None: ...
    async def park(self, awaitable: Awaitable[T], reason: str) -> T: ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> float:
        return time.monotonic()

    def wall(self) -> float:
        return time.time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def park(self, awaitable: Awaitable[T], reason: str) -> T:  # noqa: ARG002 for tests
        return await awaitable
