"""How many calls a minute one channel takes for its panels: pure values.

Discord publishes no number for the calls by interactions' tokens, and may count them by channel
(PLATFORM 2). So it is learned: from calls that it has taken, and from those that it has refused.
"""

from dataclasses import dataclass, replace

WINDOW = 60.0
"""Seconds in which calls are counted."""
ASSUMED = 26.0
"""Calls a minute before a deal in a channel of which nothing is known: below the 30 reported."""
REPORTED = 30
"""Who takes more calls in a minute hasn't the limit that others have reported."""
FULL = 360.0
"""Calls a minute where nothing is refused: each of twelve panels every two seconds."""
LOWEST = 6.0
LONG = 5.0
"""Seconds to wait after which a refusal is one of a long window: what went before fills it."""
PROBE = 1.25
"""So many times as many are tried after a minute without a refusal."""
USED = 0.5
"""The share of a pace that has to be used for it to be probed: silence teaches nothing."""


@dataclass(frozen=True, slots=True)
class Pace:
    """`per_minute`: the calls that are kept to, or where nothing `is_limited` the most that were
    ever taken. `since`: seconds on the monotonic clock, of the last change.
    """

    per_minute: float = ASSUMED
    is_limited: bool = False
    since: float = 0.0

    @property
    def is_free(self) -> bool:
        """Whether this channel is known to take whatever is sent."""
        return not self.is_limited and self.per_minute > REPORTED

    @property
    def in_a_minute(self) -> float:
        """The calls of any minute that may be planned with."""
        return self.per_minute if self.is_limited else ASSUMED


def refused(pace: Pace, *, went: int, wait: float, sent: float, now: float) -> Pace:
    """A call of this channel was refused: half as many from now on. `went`: the calls that were
    taken in the last minute; `wait`: the seconds that Discord asks for; `sent`: when it went out.

    Calls that were under way together are refused together, which is one refusal.
    """
    if pace.is_limited and sent < pace.since:
        return pace
    before = pace.per_minute if pace.is_limited else FULL
    if wait >= LONG:
        before = min(before, float(went))
    return Pace(max(before / 2, LOWEST), is_limited=True, since=now)


def taken(pace: Pace, *, went: int, now: float) -> Pace:
    """A call was taken, the last of those that `went` in the last minute. After a quiet minute a
    few more are tried.
    """
    if not pace.is_limited:
        return replace(pace, per_minute=float(went), since=now) if went > pace.per_minute else pace
    if now - pace.since < WINDOW or went < USED * pace.per_minute:
        return pace
    more = pace.per_minute * PROBE
    return Pace(min(more, FULL), is_limited=more < FULL, since=now)
