"""How much is being done at once, and what had to be left undone: too much work sheds load."""

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from bot.tables.books import Books
from bot.tables.clock import Clock

log = logging.getLogger(__name__)

MOST = 150
"""Presses in work at a time. More could not be answered in time (PLATFORM 1)."""


class Load:
    """Counts. A press that is dropped costs no more than that: it changes and answers nothing."""

    def __init__(self, books: Books, clock: Clock) -> None:
        self._books = books
        self._clock = clock
        self.most = MOST
        self.in_work = 0
        self.dropped = 0
        self.late = 0
        self.more_held: Callable[[], Mapping[str, int]] = dict
        self._presses = 0
        self._seconds = 0.0
        self._told = (0, 0)

    @property
    def is_full(self) -> bool:
        return self.in_work >= self.most

    @contextmanager
    def working(self) -> Iterator[None]:
        began = self._clock.now()
        self.in_work += 1
        self._presses += 1
        try:
            yield
        finally:
            self.in_work -= 1
            self._seconds += self._clock.now() - began

    def figures(self) -> dict[str, float]:
        """Since the start."""
        return {
            "tables": len(tuple(self._books)),
            "presses_in_work": self.in_work,
            "presses": self._presses,
            "press_seconds": self._seconds,
            "presses_dropped": self.dropped,
            "answers_late": self.late,
        }

    def drop(self) -> None:
        """A press is left alone: there are too many, or it is too old for an answer."""
        self.dropped += 1

    def answered_late(self) -> None:
        """Discord took an answer no more."""
        self.late += 1

    async def tick(self) -> None:
        """One line for all that was left undone, if anything was; and how much there is of
        everything, for who looks for what is left behind.
        """
        tasks = len(asyncio.all_tasks())
        log.debug(
            "held: %d tables, %d tasks, %d presses in work%s",
            len(tuple(self._books)),
            tasks,
            self.in_work,
            "".join(f", {number} {what}" for what, number in self.more_held().items()),
        )
        undone = (self.dropped, self.late)
        if undone != self._told:
            new = (now - before for now, before in zip(undone, self._told, strict=True))
            log.warning("too much at once: %d presses were dropped, %d answers came too late", *new)
        self._told = undone
