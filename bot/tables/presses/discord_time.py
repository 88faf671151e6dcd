"""Discord's own time, known without the machine's wall clock.

Ids tell when Discord made what they name (PLATFORM 1), and so does the Date of its answers.
Compared with the monotonic clock, both tell how the clocks differ, whatever the wall clock is set
to.
"""

from datetime import UTC
from email.utils import parsedate_to_datetime
from math import inf

from bot.clock import Clock

SKEW_WINDOW = 5 * 60.0
"""Seconds in a window of comparisons, at least. The window before counts too."""
DOUBTED = 60.0
"""Seconds by which a Date may be ahead of what is known before another has to confirm it."""
DRIFT = 100e-6
"""Seconds per second that two clocks drift apart at most, so that a long quiet refuses nobody."""


class Skew:
    """The smallest difference of two clocks, in the current window and in the one before.

    A late arrival makes the difference larger, never smaller. A window ends at the first news after
    its time, however long nothing has come. So a burst of replayed presses never outweighs the
    window before it, and a clock that was changed for good is believed again after two windows.
    """

    def __init__(self) -> None:
        self._began = -inf
        self._least = self._before = (0.0, inf)  # when it was seen, and the difference

    def of(self, difference: float, now: float) -> float:
        """Take in a difference, and return the smallest one known. `now`: monotonic seconds."""
        if now - self._began > SKEW_WINDOW:
            self._before, self._least, self._began = self._least, (now, inf), now
        if difference <= self._least[1]:
            self._least = (now, difference)
        return self.known(now)

    def known(self, now: float) -> float:
        """Return the smallest difference that is known; infinity before the first."""
        seen, before = self._before
        return min(self._least[1], before + DRIFT * (now - seen))


class DiscordTime:
    """Discord's clock. It lags by the shortest time in which news from Discord arrived.

    The machine's wall clock stands in for it until Discord is first heard, which is before the bot
    has logged in. `ahead`: the seconds by which the wall clock was ahead of it when Discord was
    last heard. After the machine has slept, only the next news tells for how long.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._skew = Skew()
        self._date = ""
        self._doubted = inf  # the difference of the last Date, if that was too far ahead
        self.ahead = 0.0

    def made(self, created: float, arrived: float) -> None:
        """Take in an arrival whose id Discord made at `created` (Unix seconds)."""
        skew = self._skew.of(arrived - created, arrived)
        self.ahead = self._clock.wall() - (self._clock.now() - skew)

    def dated(self, date: str) -> None:
        """Take in the Date of an answer, exact to a second. Anything but a date is ignored.

        One that is far ahead counts only if the next one agrees: a single machine's wrong clock
        would else make every token look dead for minutes.
        """
        if date == self._date:
            return
        self._date = date
        try:
            sent = parsedate_to_datetime(date).replace(tzinfo=UTC).timestamp()
        except ValueError:
            return
        now = self._clock.now()
        before, self._doubted = self._doubted, inf
        if self._skew.known(now) - (now - sent) > DOUBTED and self._skew.known(now) != inf:
            self._doubted = now - sent
            if abs(self._doubted - before) > DOUBTED:
                return
        self.made(sent, now)

    def now(self) -> float:
        """Return Unix seconds by Discord's clock."""
        now = self._clock.now()
        skew = self._skew.known(now)
        return self._clock.wall() if skew == inf else now - skew
