"""The time that a table has lived: what its people are held to, whatever any wall clock says."""

from bot.clock import Clock


class Lifetime:
    """Counted by the monotonic clock, and after a restart on from the last entry: the bot's being
    down, and the machine's being asleep, are no part of it. `lived`: ms until now.
    """

    def __init__(self, clock: Clock, lived: int) -> None:
        self._clock = clock
        self._born = clock.awake() - lived / 1000

    def now(self) -> float:
        """Return the seconds that the table has lived."""
        return self._clock.awake() - self._born

    def at(self, arrived: float) -> float:
        """Return the same of a time a moment ago. `arrived`: on the monotonic clock."""
        return self.now() - (self._clock.now() - arrived)
