"""The entries that groups read of each other in Valkey, one after the other."""

import logging
from collections.abc import Callable, Iterable
from typing import TypeVar

from bot.groups.numbers import SPAN

log = logging.getLogger(__name__)
E = TypeVar("E")
T = TypeVar("T")

UNREADABLE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
MOST = 1000
"""Entries that are known to have been told."""
LARGEST = 2**63 - 1
"""The largest number that SQLite keeps."""


class Entries:
    """The entries of a key. One that can't be read is passed over, and holds up no others.

    It is told once in the log, without what it says: it may name a person. `what`: its own name.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._told: set[int] = set()

    def each(self, entries: Iterable[E], read: Callable[[E], T]) -> list[T]:
        """Return what `read` makes of each entry."""
        return [one for entry in entries if (one := self.one(entry, read)) is not None]

    def one(self, entry: E, read: Callable[[E], T]) -> T | None:
        """Return what `read` makes of an entry; None if it can't be read."""
        try:
            return read(entry)
        except UNREADABLE as error:
            self._tell(hash(repr(entry)), error)
            return None

    def _tell(self, entry: int, error: Exception) -> None:
        if entry in self._told:
            return
        if len(self._told) >= MOST:
            self._told.clear()
        self._told.add(entry)
        log.error(
            "Valkey: an entry of %s can't be read (%s), and is passed over",
            self._what,
            type(error).__name__,
        )


def number(said: str | bytes | float, largest: int = LARGEST) -> int:
    """Return a number from 0 on. Raises ValueError, OverflowError and TypeError if it is none."""
    found = int(said)
    if not 0 <= found <= largest:
        raise ValueError("out of range")
    return found


def group_number(said: str | bytes | float) -> int:
    """Return a group's number. Raises ValueError, OverflowError and TypeError if it is none."""
    return number(said, SPAN - 1)
