"""Redraws that coalesce: many changes, few edits."""

from collections.abc import Awaitable, Callable

from bot.clock import Clock


class Redraw:
    """The redraws of one message, never two at once.

    A draw is followed by a rest of `gap` seconds, unless `touch` cuts it short. A change during a
    draw leads to exactly one more, which shows the newest state. `start` begins a task for `run`,
    which ends by itself when there is nothing left to draw.
    """

    def __init__(
        self,
        draw: Callable[[], Awaitable[None]],
        gap: float,
        clock: Clock,
        start: Callable[["Redraw"], None],
    ) -> None:
        self.dirty = False
        self._draw = draw
        self._gap = gap
        self._clock = clock
        self._start = start
        self._at_work = False
        self._resting = False
        self._turn = 0

    @property
    def has_failed(self) -> bool:
        """True if the last draw raised, and none is under way."""
        return self.dirty and not self._at_work

    def touch(self, *, at_once: bool = False) -> None:
        """Note a change that has to be drawn. `at_once` cuts the rest between two draws short."""
        self.dirty = True
        if not self._at_work or (at_once and self._resting):
            self._at_work, self._resting = True, False
            self._turn += 1
            self._start(self)

    async def run(self) -> None:
        """Draw until nothing is left to draw. Raises what a draw raises; run again, it retries."""
        turn, self._at_work = self._turn, True
        try:
            while self.dirty and turn == self._turn:
                await self._draw_once()
                self._resting = True
                await self._clock.sleep(self._gap)
                if turn == self._turn:
                    self._resting = False
        finally:
            if turn == self._turn:
                self._at_work = self._resting = False

    async def _draw_once(self) -> None:
        self.dirty = False
        try:
            await self._draw()
        except BaseException:
            self.dirty = True
            raise
