"""The time that a table has lived, by which its people's time limits go."""

from bot.clock import Clock


class Lifetime:
    """The life of a table, by the monotonic clock.

    After a restart it goes on from the last entry. Time in which the bot was down or the machine
    was asleep is no part of it. `lived`: ms until now.
    """

    def __init__(self, clock: Clock, lived: int) -> None:
        self._clock = clock
        self._born = clock.awake() - lived / 1000

    def now(self) -> float:
        """Return the seconds that the table has lived."""
        return self._clock.awake() - self._born

    def at(self, arrived: float) -> float:
        """Return the seconds lived at `arrived`, a moment ago on the monotonic clock."""
        return self.now() - (self._clock.now() - arrived)
