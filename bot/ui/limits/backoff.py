"""Pauses before something that Discord refused is tried again."""

SHORTEST = 5.0
LONGEST = 60.0
"""Seconds. 10,000 refusals in ten minutes would block the bot's address (PLATFORM 2)."""


class Pause:
    """A pause that grows from try to try, until one has worked."""

    def __init__(self) -> None:
        self._next = SHORTEST

    def longer(self) -> float:
        """Return the seconds to wait now; the next time it is twice as long."""
        now, self._next = self._next, min(2 * self._next, LONGEST)
        return now

    def over(self) -> None:
        self._next = SHORTEST
