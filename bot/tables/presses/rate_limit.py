"""The limit on how often a person may press, and on how often anything may be done."""

from collections import OrderedDict, deque
from collections.abc import Hashable
from typing import Generic, TypeVar

from bot.games.values import Refused
from bot.ids import UserId
from bot.tables.presses.press import Press, Stale

K = TypeVar("K", bound=Hashable)

PRESSES, WITHIN = 30, 2.0
"""Presses per person, and in how many seconds: more than the quickest thumb makes."""


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
        if (times := self._times.get(key)) is None:
            self._times[key] = deque((now,))
            return True
        while times and times[0] <= since:
            times.popleft()
        if len(times) >= self._most:
            return False
        times.append(now)
        self._times.move_to_end(key)
        return True

    def is_full(self, key: K, now: float) -> bool:
        """Return whether another call would be refused now. Counts nothing."""
        since = now - self._within
        return sum(at > since for at in self._times.get(key, ())) >= self._most

    def take_back(self, key: K) -> None:
        """Stop counting the newest call of this key: nothing has come of it."""
        if times := self._times.get(key):
            times.pop()
            if not times:
                del self._times[key]


class PressLimit:
    """The limit on every person's presses at all tables together."""

    def __init__(self) -> None:
        self._rate: Rate[UserId] = Rate(PRESSES, WITHIN)

    def check(self, press: Press) -> Refused | None:
        """Refuse a press that comes too soon after too many; None if it is within the limit."""
        if self._rate.allows(press.user, press.arrived):
            return None
        return Refused(Stale.TOO_MANY)
