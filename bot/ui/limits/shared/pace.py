"""Calls that share one pace: a refusal halves it, quiet minutes give it back."""

RESTORED = 0.25
"""The part of the full pace that each quiet minute gives back after a rate limit."""
LOWEST = 1 / 16
BURST = 6
"""Calls that may go at once after a pause."""
DEBT = 2 * BURST
"""Turns that calls which don't wait may take before those that do: what they have spent isn't made
up for by minutes of silence.
"""


class Slowdown:
    """A factor by which to slow down: a rate limit halves it, quiet minutes give it back."""

    def __init__(self, now: float) -> None:
        self._factor = 1.0
        self._since = now

    def factor(self, now: float) -> float:
        minutes = int((now - self._since) // 60)
        return min(1.0, self._factor + RESTORED * minutes)

    def halve(self, now: float) -> float:
        """Go half as fast from now on. Return how many times slower that is."""
        before = self.factor(now)
        self._factor, self._since = max(before / 2, LOWEST), now
        return before / self._factor


class SharedRate:
    """A rate kept by giving each call its time, in order of asking.

    `waiting`: the number of calls that wait for theirs, kept by whoever sends them.
    """

    def __init__(self, rate: float, now: float) -> None:
        self.slowdown = Slowdown(now)
        self.waiting = 0
        self._rate = rate
        self._next = 0.0

    def halve(self, now: float) -> None:
        """Go half as fast from now on. What was promised comes later as well: order is kept."""
        times = self.slowdown.halve(now)
        self._next = max(self._next, now + (self._next - now) * times)

    def take(self, now: float) -> float:
        """Take the next turn. Return the seconds until this call may go."""
        gap = 1 / (self._rate * self.slowdown.factor(now))
        self._next = min(max(self._next, now), now + (self.waiting + DEBT) * gap) + gap
        return max(0.0, self._next - now - BURST * gap)
