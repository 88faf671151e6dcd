"""Keys, their values and the times at which they end."""

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from tests.simulate.valkey.resp import CommandError

WRONG_TYPE = "WRONGTYPE Operation against a key holding the wrong kind of value"
NO_INTEGER = "ERR value is not an integer or out of range"


class Set(dict[bytes, None]):
    """A set that is told in the order in which it was filled, whatever the hash seed."""


class Hash(dict[bytes, bytes]):
    """Values by their fields."""


class List(list[bytes]):
    """Values in order, the first on the left."""


Id: TypeAlias = tuple[int, int]
"""Of a stream's entry: Unix ms, and a number within it."""


@dataclass(slots=True)
class Stream:
    """Entries in the order of their ids. An id is never given twice, even if its entry is gone."""

    entries: dict[Id, list[bytes]] = field(default_factory=dict)
    last: Id = (0, 0)

    def next_id(self, now: int) -> Id:
        return (now, 0) if now > self.last[0] else (self.last[0], self.last[1] + 1)

    def after(self, last: Id) -> list[tuple[Id, list[bytes]]]:
        return [one for one in self.entries.items() if one[0] > last]


Value: TypeAlias = bytes | Set | Hash | List | Stream
Snapshot: TypeAlias = tuple[dict[bytes, Value], dict[bytes, int]]
T = TypeVar("T", Set, Hash, List, Stream)


class Store:
    """All keys of a server. `now` returns its clock, in Unix ms.

    `starts`: how often it started. `started`: its clock at the last start.
    """

    def __init__(self, now: Callable[[], int]) -> None:
        self.now = now
        self.starts = self.started = 0
        self._values: dict[bytes, Value] = {}
        self._ends: dict[bytes, int] = {}

    def empty(self) -> None:
        self._values.clear()
        self._ends.clear()

    def snapshot(self) -> Snapshot:
        """Return what the disk has of all keys, if it is saved now."""
        return copy.deepcopy((self._values, self._ends))

    def restore(self, snapshot: Snapshot) -> None:
        """Have what a snapshot has. Keys whose time has come since then are gone."""
        self._values, self._ends = copy.deepcopy(snapshot)

    def listed(self) -> list[bytes]:
        return [key for key in [*self._values] if self.get(key) is not None]

    def get(self, key: bytes) -> Value | None:
        """Return a value that hasn't ended and isn't empty."""
        end = self._ends.get(key)
        if end is not None and self.now() > end:
            self.remove(key)
        found = self._values.get(key)
        if isinstance(found, Set | Hash | List) and not found:
            self.remove(key)
            return None
        return found

    def text(self, key: bytes) -> bytes | None:
        found = self.get(key)
        if found is not None and not isinstance(found, bytes):
            raise CommandError(WRONG_TYPE)
        return found

    def read(self, key: bytes, kind: type[T]) -> T:
        """Return what a key holds; an empty one, which isn't kept, where it holds nothing."""
        found = self.get(key)
        if found is not None and not isinstance(found, kind):
            raise CommandError(WRONG_TYPE)
        return kind() if found is None else found

    def change(self, key: bytes, kind: type[T]) -> T:
        """Return what a key holds, to be changed in place."""
        found = self.read(key, kind)
        self._values[key] = found
        return found

    def put(self, key: bytes, value: Value) -> None:
        """Replace what a key holds. The time of its end stays."""
        self._values[key] = value

    def remove(self, key: bytes) -> bool:
        self._ends.pop(key, None)
        return self._values.pop(key, None) is not None

    def end(self, key: bytes) -> int | None:
        """Return the Unix ms at which a key ends."""
        return self._ends.get(key)

    def ends_at(self, key: bytes, end: int | None) -> None:
        """Set the time at which a key ends. None: never. One that is over removes it now."""
        if end is None:
            self._ends.pop(key, None)
        elif end <= self.now():
            self.remove(key)
        else:
            self._ends[key] = end


def integer(word: bytes) -> int:
    try:
        return int(word)
    except ValueError:
        raise CommandError(NO_INTEGER) from None
