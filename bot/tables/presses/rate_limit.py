"""A limit on how often a person may do something."""

from collections import OrderedDict, deque


class Rate:
    """At most `most` calls per person in any `within` seconds. Refused calls are not counted."""

    def __init__(self, most: int, within: float) -> None:
        self._most = most
        self._within = within
        self._times: OrderedDict[int, deque[float]] = OrderedDict()

    def allows(self, user: int, now: float) -> bool:
        """Return whether this call is within the limit, and count it if it is."""
        since = now - self._within
        while self._times and next(iter(self._times.values()))[-1] <= since:
            self._times.popitem(last=False)
        times = self._times.setdefault(user, deque())
        while times and times[0] <= since:
            times.popleft()
        if len(times) >= self._most:
            return False
        times.append(now)
        self._times.move_to_end(user)
        return True

    def take_back(self, user: int) -> None:
        """Count the newest call of this person no more: nothing has come of it."""
        if times := self._times.get(user):
            times.pop()
            if not times:
                del self._times[user]
