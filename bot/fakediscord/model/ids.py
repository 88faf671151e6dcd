"""Ids and instants, as Discord writes them."""

import itertools
import time
from datetime import UTC, datetime

from bot.fakediscord.constants import EPOCH_MS, TIMESTAMP_SHIFT

_WORKER_SHIFT = 17
_SHIFTED_BIT = 1 << 21
_SHIFTED_MASK = (1 << 20) - 1
GUILD_STEP = 1 << TIMESTAMP_SHIFT
"""Guilds are at least this far apart, so that two of them can belong to two shards."""


class Snowflakes:
    """The source of one world's ids. They never fall, unless they are asked for with an age.

    `worker`: a number up to 15. Ids of two workers differ, even if they are made at one instant.
    """

    def __init__(self, worker: int = 0) -> None:
        self._worker = worker << _WORKER_SHIFT
        self._last = 0
        self._shifted = itertools.count()

    def __call__(self, *, age: float = 0.0, step: int = 1) -> int:
        """Return a new id, stamped with the wall clock of `age` seconds ago."""
        stamp = (int((time.time() - age) * 1000) - EPOCH_MS) << TIMESTAMP_SHIFT
        if age:
            return stamp | _SHIFTED_BIT | next(self._shifted) & _SHIFTED_MASK
        self._last = max(stamp | self._worker, self._last + step)
        return self._last


def age_of(number: int) -> float:
    """Return how many seconds ago an id was made."""
    return time.time() - ((number >> TIMESTAMP_SHIFT) + EPOCH_MS) / 1000


def timestamp(seconds: float | None = None) -> str:
    """Write an instant, in seconds since 1970. None: now."""
    return datetime.fromtimestamp(time.time() if seconds is None else seconds, UTC).isoformat()
