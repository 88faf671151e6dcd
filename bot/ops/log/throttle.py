"""A throttle for the log: failures of one cause share a line every few seconds, with a count."""

import logging
import time
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass

from bot.store.database.errors import passes

PAUSE = 5.0
"""Seconds between two lines about one cause."""
FORGOTTEN = 3_600.0
"""Seconds without a line about a cause, after which its next one has a traceback again."""
MOST = 200
"""Causes that are remembered. Then the one that was told longest ago is forgotten."""


@dataclass(slots=True)
class _Cause:
    told: float
    more: int = 0


class Throttle(logging.Filter):
    """Keep a warning or an error out of a handler while its cause was told a moment ago.

    The next line about that cause counts what was kept out, without a traceback: the first line had
    it. A full or read-only disk is an expected cause, and never has a traceback. Records are
    changed, so put this into the last handler. `now`: seconds on a monotonic clock.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now = now
        self._causes: dict[Hashable, _Cause] = {}  # in the order in which they were told

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING or (error := _error(record)) is None:
            return True
        now, key = self._now(), _key(record, error)
        before = self._causes.get(key)
        if before is not None and now - before.told < PAUSE:
            before.more += 1
            return False
        is_known = before is not None and now - before.told < FORGOTTEN
        if is_known or passes(error):
            _shorten(record, error)
        if before is not None and before.more:
            said = (
                f"{record.getMessage()} ({before.more} more in the last {now - before.told:.0f} s)"
            )
            record.msg, record.args = said, ()
        self._tell(key, now)
        return True

    def _tell(self, key: Hashable, now: float) -> None:
        self._causes.pop(key, None)
        self._causes[key] = _Cause(now)
        if len(self._causes) > MOST:
            del self._causes[next(iter(self._causes))]


def _shorten(record: logging.LogRecord, error: Exception) -> None:
    """Put what an error says in the place of its traceback."""
    if record.exc_info:
        said = f"{record.getMessage()}: {type(error).__name__}: {error}"
        record.msg, record.args = said, ()
        record.exc_info = record.exc_text = None


def _error(record: logging.LogRecord) -> Exception | None:
    """Return the error that a line is about: its traceback's, or one that its text names."""
    return next(_errors(record), None)


def _errors(record: logging.LogRecord) -> Iterator[Exception]:
    info = record.exc_info
    named = record.args if isinstance(record.args, tuple) else ()
    for one in (info[1] if info else None, *named):
        if isinstance(one, Exception):
            cause = one.__cause__  # discord.py wraps what a command raises
            yield cause if isinstance(cause, Exception) and passes(cause) else one


def _key(record: logging.LogRecord, error: Exception) -> Hashable:
    """Return the cause.

    Errors of one kind, raised at one place and logged by one line of ours, have one. All that meet
    a disk that takes nothing have one.
    """
    if passes(error):
        return type(error), str(error)
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = (place.tb_frame.f_code, place.tb_lineno) if place is not None else None
    said = None if record.exc_info else str(error)
    return record.name, record.msg, type(error), where, said
