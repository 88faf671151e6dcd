"""Coalescing redraws: many changes, few edits."""

from collections.abc import Awaitable, Callable

from bot.tables.clock import Clock


class Painter:
    """Redraws one message: never twice at once, never more often than every `gap` seconds.

    A change during a draw leads to exactly one more, which shows the newest state. `start`
    begins a task that ends by itself when there is nothing left to draw.
    """

    def __init__(
        self,
        draw: Callable[[], Awaitable[None]],
        gap: float,
        clock: Clock,
        start: Callable[["Painter"], None],
    ) -> None:
        self._draw = draw
        self._gap = gap
        self._clock = clock
        self._start = start
        self.dirty = False
        self._at_work = False

    def touch(self) -> None:
        """Something may look different now."""
        self.dirty = True
        if not self._at_work:
            self._at_work = True
            self._start(self)

    async def run(self) -> None:
        try:
            while self.dirty:
                self.dirty = False
                await self._draw()
                await self._clock.sleep(self._gap)
        finally:
            self._at_work = False
