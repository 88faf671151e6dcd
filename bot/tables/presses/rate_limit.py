"""A limit on how often a person may do something."""

from collections import OrderedDict, deque
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)


class Rate(Generic[K]):
    """At most `most` calls per key (mostly a person) in any `within` seconds.

    Refused calls are not counted.
    """

    def __init__(self, most: int, within: float) -> None:
        self._most = most
        self._within = within
        self._times: OrderedDict[K, deque[float]] = OrderedDict()

    def allows(self, key: K, now: float) -> bool:
        """Return whether this call is within the limit, and count it if it is."""
        since = now - self._within
        while self._times and next(iter(self._times.values()))[-1] <= since:
            self._times.popitem(last=False)
        times = self._times.setdefault(key, deque())
        while times and times[0] <= since:
            times.popleft()
        if len(times) >= self._most:
            return False
        times.append(now)
        self._times.move_to_end(key)
        return True

    def take_back(self, key: K) -> None:
        """Stop counting the newest call of this key: nothing has come of it."""
        if times := self._times.get(key):
            times.pop()
            if not times:
                del self._times[key]
