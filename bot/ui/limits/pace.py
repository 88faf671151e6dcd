"""The number of calls a minute that one channel takes for its panels: pure values.

Discord publishes no number for the calls by interactions' tokens, and may count them by channel
(PLATFORM 2). So it is learned: from calls that Discord has taken, and from those that it has
refused.
"""

from dataclasses import dataclass, replace

WINDOW = 60.0
"""Seconds in which calls are counted."""
ASSUMED = 26.0
"""Calls a minute before a deal in a channel of which nothing is known: below the 30 reported."""
REPORTED = 30
"""The limit that others have reported. A channel that takes more doesn't have it."""
FULL = 360.0
"""Calls a minute where nothing is refused: each of twelve panels every two seconds."""
LOWEST = 12.0
LONG = 5.0
"""Seconds to wait after which a refusal is one of a long window: what went before fills it."""
SAFE = 0.9
"""The share of what filled such a window that is kept to."""
HELD = 2 * 60 * 60.0
"""Seconds for which more aren't tried then: the next deal would pay for it."""
PROBE = 1.25
"""The factor by which more are tried after a minute without a refusal."""
USED = 0.5
"""The share of a pace that has to be used for it to be probed: silence teaches nothing."""


@dataclass(frozen=True, slots=True)
class Pace:
    """The pace of one channel.

    `per_minute`: the calls that are kept to or, where nothing `is_limited`, the most that were ever
    taken. `since`: the time of the last change, in seconds on the monotonic clock; `is_long`:
    Discord counts the calls of a whole minute, and has shown how many fill it.
    """

    per_minute: float = ASSUMED
    is_limited: bool = False
    since: float = 0.0
    is_long: bool = False

    @property
    def is_free(self) -> bool:
        """True if this channel is known to take whatever is sent."""
        return not self.is_limited and self.per_minute > REPORTED

    @property
    def in_a_minute(self) -> float:
        """The calls of any minute that may be planned with."""
        return self.per_minute if self.is_limited else ASSUMED


def remembered(per_minute: float, *, is_limited: bool, now: float) -> Pace:
    """Return what an earlier process has learned. So few calls are those of a long window."""
    return Pace(per_minute, is_limited, now, is_long=is_limited and per_minute <= REPORTED)


def refused(pace: Pace, *, went: int, wait: float, sent: float, now: float) -> Pace:
    """Return the pace from now on, after a call of this channel was refused.

    `went`: the calls that were taken in the window that it met; `wait`: the seconds that Discord
    asks for; `sent`: when it went out.

    Calls that were under way together are refused together, which is one refusal. Only the last of
    them shows how many were taken.
    """
    is_same = pace.is_limited and sent < pace.since
    before = pace.per_minute if pace.is_limited else FULL
    if wait >= LONG:
        most, since = min(before, SAFE * went), pace.since if is_same else now
        return Pace(max(most, LOWEST), is_limited=True, since=since, is_long=True)
    if is_same:
        return pace
    if pace.is_long:
        most = before if SAFE * went >= before else SAFE * before
        return Pace(max(most, LOWEST), is_limited=True, since=now, is_long=True)
    return Pace(max(before / 2, LOWEST), is_limited=True, since=now)


def taken(pace: Pace, *, went: int, now: float) -> Pace:
    """Return the pace after a call was taken, the last of those that `went` in a minute.

    After a quiet minute a few more are tried; where the window is a long one, after hours.
    """
    if not pace.is_limited:
        return replace(pace, per_minute=float(went), since=now) if went > pace.per_minute else pace
    quiet = HELD if pace.is_long else WINDOW
    if now - pace.since < quiet or went < USED * pace.per_minute:
        return pace
    more = pace.per_minute * PROBE
    return replace(pace, per_minute=min(more, FULL), is_limited=more < FULL, since=now)
