"""Load shedding: drops presses when too many are in work at once.

Only the bot's own work counts. An answer that waits for Discord doesn't, as long as there are few
enough of them for the machine to hold.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from itertools import takewhile

from bot.clock import Clock
from bot.tables.registry.index import TableIndex

log = logging.getLogger(__name__)

MOST = 150
"""Presses in work at once. More could not be answered in time (PLATFORM 1)."""
HUNG = 1.0
"""Seconds after which a sent answer waits for Discord, and no longer for the bot."""
OF_ANYBODY = 2 / 3
"""The share of `MOST` open to people who sit at no table: the rest is reserved for players."""
KEPT = 4
"""The limit for all presses, including hung ones, as a multiple: each holds a connection."""


class Working:
    """One press in work, as a context.

    It yields a function: call it when the answer is about to be sent.
    """

    __slots__ = ("_began", "_load")

    def __init__(self, load: "Load") -> None:
        self._load = load

    def __enter__(self) -> Callable[[], None]:
        self._began = self._load.begun()
        return self._goes_out

    def __exit__(self, *_: object) -> None:
        self._load.ended(self, self._began)

    def _goes_out(self) -> None:
        self._load.goes_out(self)


class Load:
    """The counts of presses in work, dropped and late. A dropped press only costs its count."""

    def __init__(self, index: TableIndex, clock: Clock) -> None:
        self._index = index
        self._clock = clock
        self.most = MOST
        self.in_work = 0
        self.dropped = 0
        self.late = 0
        self.more_held: Callable[[], Mapping[str, int]] = dict
        self._sent: dict[object, float] = {}  # answers on their way, oldest first
        self._presses = 0
        self._seconds = 0.0
        self._told = (0, 0)

    def is_full(self, is_player: Callable[[], bool]) -> bool:
        """Return whether one more press would be too much.

        `is_player`: whether its sender sits at a table; called only if that matters.
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

    def working(self) -> "Working":
        """Count one press as in work while the context is open."""
        return Working(self)

    def begun(self) -> float:
        """Count a press that is begun, and return when that is."""
        self.in_work += 1
        self._presses += 1
        return self._clock.now()

    def goes_out(self, press: object) -> None:
        """Note that this press waits for Discord from now on."""
        self._sent[press] = self._clock.now()

    def ended(self, press: object, began: float) -> None:
        self.in_work -= 1
        self._sent.pop(press, None)
        self._seconds += self._clock.now() - began

    def figures(self) -> dict[str, float]:
        """Return the metrics: current tables and presses in work, and totals since the start."""
        return {
            "tables": len(tuple(self._index)),
            "presses_in_work": self.in_work,
            "presses": self._presses,
            "press_seconds": self._seconds,
            "presses_dropped": self.dropped,
            "answers_late": self.late,
        }

    def drop(self) -> None:
        """Count a dropped press: there are too many, or it is too old to be answered."""
        self.dropped += 1

    def answered_late(self) -> None:
        """Count an answer that Discord rejected as too late."""
        self.late += 1

    async def tick(self) -> None:
        """Log presses dropped and answers late since the last tick.

        At level DEBUG, also log how much is held in memory, for finding leaks.
        """
        if log.isEnabledFor(logging.DEBUG):
            log.debug("held: %s", self._held())
        undone = (self.dropped, self.late)
        if undone != self._told:
            new = (now - before for now, before in zip(undone, self._told, strict=True))
            log.warning("overload: %d presses dropped, %d answers too late", *new)
        self._told = undone

    def _held(self) -> str:
        """Say how much is held. Counting tasks takes long, so only a log that is kept asks."""
        held = {
            "tables": len(tuple(self._index)),
            "tasks": len(asyncio.all_tasks()),
            "presses in work": self.in_work,
            **self.more_held(),
        }
        return ", ".join(f"{number} {what}" for what, number in held.items())
