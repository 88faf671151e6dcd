"""Valkey's clock, by which groups tell each other when a press arrived."""

from math import inf

from bot.clock import Clock
from bot.groups.valkey import Valkey

DRIFT = 100e-6
"""Seconds per second that two clocks drift apart at most."""


class ServerTime:
    """The difference between Valkey's clock and this process's monotonic one.

    Each reading bounds it: Valkey answered after it was asked, and before the answer came. The
    bounds of several readings leave less than the fastest round trip. Discord's clock would not do:
    a group learns it from its own news of Discord, and one without any knows it to a second only.
    """

    def __init__(self, valkey: Valkey, clock: Clock) -> None:
        self._valkey = valkey
        self._clock = clock
        self._low, self._high, self._read_at = -inf, inf, 0.0

    @property
    def is_known(self) -> bool:
        return self._high != inf

    async def read(self) -> None:
        """Ask Valkey for its time. Raises ValkeyAwayError."""
        asked = self._clock.now()
        seconds, micros = await self._valkey.ask(lambda db: db.time())
        self.told(seconds + micros / 1e6, asked, self._clock.now())

    def told(self, server: float, asked: float, answered: float) -> None:
        """Take in a reading: Unix seconds, asked for and answered at these monotonic times.

        One that contradicts those before stands alone: Valkey's clock was set, or the server is
        another one.
        """
        drifted = DRIFT * (answered - self._read_at)
        low = max(server - answered, self._low - drifted)
        high = min(server - asked, self._high + drifted)
        if low > high:
            low, high = server - answered, server - asked
        self._low, self._high, self._read_at = low, high, answered

    def unix(self, monotonic: float) -> float:
        """Return Valkey's time, in Unix seconds, at this time of ours."""
        return monotonic + (self._low + self._high) / 2

    def monotonic(self, unix: float) -> float:
        """Return our time at this time of Valkey's. It is never later than now."""
        return min(self._clock.now(), unix - (self._low + self._high) / 2)
