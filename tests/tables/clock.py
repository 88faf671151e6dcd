"""A clock that stands still until a test moves it."""

import asyncio
import heapq
from collections.abc import Awaitable
from itertools import count
from typing import TypeVar

from bot.clock import Bell

T = TypeVar("T")

TURNS = 25
"""Turns of the event loop after which what a sleeper set off has come to rest."""


class HandClock:
    """Implements `bot.clock.Clock`. `unix` is the Unix time at which `now` was 0.

    `asleep`: seconds for which the machine was, and which `now` lacks.
    """

    def __init__(self, unix: float = 1_800_000_000.0) -> None:
        self.unix = unix
        self.asleep = 0.0
        self._now = 0.0
        self._order = count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []

    def now(self) -> float:
        return self._now

    def awake(self) -> float:
        return self._now

    def since_boot(self) -> float:
        return self.now() + self.asleep

    def wall(self) -> float:
        return self.unix + self._now

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        alarm: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._now + seconds, next(self._order), alarm))
        await alarm

    async def nap(self, seconds: float, bell: Bell) -> None:
        alarm = bell.heard()
        heapq.heappush(self._sleepers, (self._now + seconds, next(self._order), alarm))
        await alarm

    async def park(self, awaitable: Awaitable[T], reason: str) -> T:
        return await awaitable

    async def advance(self, seconds: float) -> None:
        """Let this much time pass. Sleepers wake at their times, in order, and may sleep again."""
        until = self._now + seconds
        await settle()
        while self._sleepers and self._sleepers[0][0] <= until + 1e-9:
            self._now, _, alarm = heapq.heappop(self._sleepers)
            if not alarm.done():
                alarm.set_result(None)
                await settle()
        self._now = until


async def settle() -> None:
    """Let everything run that can run without time passing."""
    for _ in range(TURNS):
        await asyncio.sleep(0)
