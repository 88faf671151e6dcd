"""How much is being done at once, and what had to be left undone: too much work sheds load.

What counts is the bot's own work. An answer that Discord takes no notice of is none, as long as
such answers are few enough for the machine to keep.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from itertools import takewhile

from bot.tables.books import Books
from bot.tables.clock import Clock

log = logging.getLogger(__name__)

MOST = 150
"""Presses in work at a time. More could not be answered in time (PLATFORM 1)."""
HUNG = 1.0
"""Seconds after which an answer waits for Discord, and not for the bot."""
OF_ANYBODY = 2 / 3
"""The share of them that may be of people who sit at no table: the rest is kept for players."""
KEPT = 4
"""So many times as many presses are kept at most, hung ones among them: each has a connection."""


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
        self._sent: dict[object, float] = {}  # answers on their way, in the order of their sending
        self._presses = 0
        self._seconds = 0.0
        self._told = (0, 0)

    def is_full(self, is_player: Callable[[], bool]) -> bool:
        """Whether one more press would be too much. `is_player`: whether it is by somebody who sits
        at a table; asked only where that matters.
        """
        room = self.most * OF_ANYBODY
        if self.in_work < room:
            return False
        busy = self.in_work - self._hung
        if busy >= self.most or self.in_work >= KEPT * self.most:
            return True
        return busy >= room and not is_player()

    @property
    def _hung(self) -> int:
        since = self._clock.now() - HUNG
        return sum(1 for _ in takewhile(lambda sent: sent <= since, self._sent.values()))

    @contextmanager
    def working(self) -> Iterator[Callable[[], None]]:
        """A press is worked on within this. Call what it yields once the answer is about to go out:
        from then on it waits for Discord.
        """
        began, press = self._clock.now(), object()
        self.in_work += 1
        self._presses += 1
        try:
            yield partial(self._goes_out, press)
        finally:
            self.in_work -= 1
            self._sent.pop(press, None)
            self._seconds += self._clock.now() - began

    def _goes_out(self, press: object) -> None:
        self._sent[press] = self._clock.now()

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
