"""A press as it arrives, and whether it is fresh: seen before, or too old to count."""

from dataclasses import dataclass, field
from enum import StrEnum
from math import inf

from bot.games.values import Refused

TOO_OLD = 2.5
"""Seconds: Discord takes no answer after 3 s (PLATFORM 1), so an older press is a replayed one."""
IN_LINE = 2.0
"""Seconds that a press may wait for its turn at a table; then its answer would come too late."""
REMEMBERED = 15 * 60.0
"""Seconds for which a press is remembered at least."""
MOST_REMEMBERED = 100_000
"""With more presses than this in that time, half of them are remembered at least."""
SKEW_WINDOW = 5 * 60.0
"""Seconds of presses, at least, by which the clocks are compared. The window before counts too."""
DRIFT = 100e-6
"""Seconds that two clocks drift apart in a second at most, so that a long quiet refuses nobody."""


class Stale(StrEnum):
    """Why a press was not looked at. Each value is the key of its words."""

    SEEN = "press.refused.seen"
    TOO_OLD = "press.refused.too_old"
    TOO_MANY = "press.refused.too_many"


@dataclass(frozen=True, slots=True)
class Press:
    """Who pressed, which interaction it is, and when: by Discord's clock and by ours.

    `created` is in Unix seconds, `arrived` is the monotonic time read first thing. `token`: of a
    command that opens a table. After a crash it finds the answer, which is the table's message.
    """

    interaction: int
    user: int
    name: str
    created: float
    arrived: float
    token: str | None = field(default=None, repr=False)

    def is_late(self, now: float) -> bool:
        """Whether it has waited for its turn too long. `now`: on the monotonic clock."""
        return now - self.arrived > IN_LINE

    def patience(self, now: float) -> float:
        """Seconds that it may still wait for."""
        return max(0.0, self.arrived + IN_LINE - now)


class _Skew:
    """The smallest difference of the clocks, in the window that runs and in the one before.

    A window ends at the first press after its time, however long nobody has pressed. So a burst of
    replayed presses never outweighs the window before it, and a clock that was changed for good is
    believed again when two windows have ended.
    """

    def __init__(self) -> None:
        self._began = -inf
        self._least = self._before = (0.0, inf)  # when it was seen, and the difference

    def of(self, difference: float, now: float) -> float:
        """The smallest difference that is known, this one included. `now`: monotonic."""
        if now - self._began > SKEW_WINDOW:
            self._before, self._least, self._began = self._least, (now, inf), now
        if difference <= self._least[1]:
            self._least = (now, difference)
        seen, before = self._before
        return min(self._least[1], before + DRIFT * (now - seen))


class Freshness:
    """Remembers interactions for 15 minutes or more, and how Discord's clock stands to ours.

    The age of a press is taken against the smallest difference of the clocks in the last minutes
    in which anybody pressed. Ours is the monotonic one: a machine whose clock is wrong, or is put
    right in the middle of a round, refuses nobody.
    """

    def __init__(self) -> None:
        self._new: set[int] = set()
        self._old: set[int] = set()
        self._since = 0.0  # when the first of the new ones arrived
        self._skew = _Skew()

    def check(self, press: Press) -> Refused | None:
        """Refused when this press was seen before or is too old; it counts as seen from now."""
        if self.knows(press.interaction):
            return Refused(Stale.SEEN)
        self._remember(press)
        age = press.arrived - press.created
        skew = self._skew.of(age, press.arrived)
        return Refused(Stale.TOO_OLD) if age - skew > TOO_OLD else None

    def knows(self, interaction: int) -> bool:
        return interaction in self._new or interaction in self._old

    @property
    def remembered(self) -> int:
        return len(self._new) + len(self._old)

    def _remember(self, press: Press) -> None:
        """The old ones go all at once, when the new ones have become many or old."""
        is_full = len(self._new) >= MOST_REMEMBERED // 2
        if is_full or press.arrived - self._since > REMEMBERED:
            self._old, self._new, self._since = self._new, set(), press.arrived
        self._new.add(press.interaction)
