"""The number of calls a minute that one channel takes for its panels: pure values.

Discord publishes no number for the calls by interactions' tokens, and may count them by channel
(PLATFORM 2). So it is learned: from calls that Discord has taken, and from those that it has
refused.

An example. A new channel is planned with `ASSUMED` = 26 calls a minute. If in one minute the 31st
is refused until the first is a minute old, 30 calls fill a minute (`filled`): from then on 27 are
planned with (`SAFE`), and more are first tried again after two hours (`RETRIED_AFTER`). If 61 were
taken in a minute instead, more than `FREE`, the channel has no limit of a minute.
"""

from dataclasses import dataclass, replace

WINDOW = 60.0
"""Seconds in which calls are counted."""
ASSUMED = 26.0
"""Calls a minute in a channel of which nothing is known: below the 30 reported."""
REPORTED = 30
"""The limit that others have reported. A channel that takes more doesn't have it."""
FREE = 2 * REPORTED
"""Calls in a minute. A channel that has taken more of them is thought free of limits."""
MARGIN = REPORTED - ASSUMED
"""The calls of a minute that are left to whatever the bot doesn't count."""
FULL = 360.0
"""Calls a minute where nothing is refused: each of twelve panels every two seconds."""
LOWEST = 12.0
LONG = 5.0
"""Seconds to wait after which a refusal may be one of a long window: what went before fills it."""
ALIKE = 0.1
"""The share by which the calls of two such windows may differ: requests cross on their way."""
DOUBTED = 15 * 60.0
"""Seconds after which a refusal that none has confirmed is forgotten."""
SAFE = 0.9
"""The share of what filled such a window that is kept to."""
RETRIED_AFTER = 2 * 60 * 60.0
"""Seconds until more are tried then: each try is refused where nothing has changed."""
PROBE = 1.25
"""The factor by which more are tried after a minute without a refusal."""
USED = 0.5
"""The share of a pace that has to be used for it to be probed: silence teaches nothing."""


@dataclass(frozen=True, slots=True)
class Pace:
    """The pace of one channel.

    `per_minute`: the calls that are kept to or, where nothing `is_limited`, the most that were ever
    taken. `since`: the time of the last refusal or probe, in seconds on the monotonic clock;
    `is_long`: Discord counts the calls of a whole minute, and has shown how many fill it; `filled`:
    the calls that it had taken in its window when it last refused one for `LONG` or more.
    """

    per_minute: float = ASSUMED
    is_limited: bool = False
    since: float = 0.0
    is_long: bool = False
    filled: int | None = None

    @property
    def is_free(self) -> bool:
        """True if this channel is known to take whatever is sent."""
        return not self.is_limited and self.per_minute > FREE

    @property
    def is_counted(self) -> bool:
        """True if the calls of a whole minute are counted here, or may be."""
        return self.is_long or not (self.is_limited or self.is_free)

    @property
    def in_a_minute(self) -> float:
        """The calls of any minute that may be planned with."""
        if self.is_limited:
            return self.per_minute
        return ASSUMED if self.per_minute <= REPORTED else FREE - MARGIN

    def may_try(self, now: float) -> bool:
        """Return whether it may be tried here how many calls are taken."""
        if self.is_limited or self.is_free:
            return self.is_long and now - self.since >= RETRIED_AFTER
        return self.filled is None or now - self.since >= WINDOW


UNKNOWN = Pace()
"""The pace of a channel of which nothing was learned."""


@dataclass(frozen=True, slots=True, eq=False)
class SentCall:
    """One call that went out. Each equals only itself, even if two go at the same moment.

    `at`: seconds on the monotonic clock.
    """

    at: float


@dataclass(frozen=True, slots=True)
class Refusal:
    """The refusal of a channel's call.

    `went`: the calls that were taken in the window that it met; `wait`: the seconds that Discord
    asks for; `sent`: when the call went out; `is_minute`: the wait ends when the oldest call of the
    last minute is a minute old. Nobody else's trouble ends just then.
    """

    went: int
    wait: float
    sent: float
    is_minute: bool = False


def remembered(per_minute: float, *, is_limited: bool, now: float) -> Pace:
    """Return what an earlier process has learned. So few calls are those of a long window."""
    if is_limited and per_minute <= REPORTED:
        return of_a_minute(round(per_minute / SAFE), now)
    return Pace(per_minute, is_limited, now)


def of_a_minute(went: int, now: float) -> Pace:
    """Return the pace where so many calls fill a minute, as Discord has shown now."""
    return Pace(max(SAFE * went, LOWEST), is_limited=True, since=now, is_long=True, filled=went)


def refused(pace: Pace, refusal: Refusal, now: float) -> Pace:
    """Return the pace from now on, after a call of this channel was refused.

    A limit of a whole minute is believed in when its end fits, or when a second refusal comes after
    as many calls as the one before; any other refusal halves the pace. A channel of which nothing
    is known stays unknown after one that says to wait for long: it goes as carefully as before, and
    tries nothing for a minute.

    Calls that were under way together are refused together, which is one refusal. Only the last of
    them shows how many were taken.
    """
    went, has_learned = refusal.went, pace.is_limited or pace.filled is not None
    shown = of_a_minute(went, now)
    fewer = min(pace.per_minute, shown.per_minute)
    if has_learned and refusal.sent < pace.since:
        filled = min(pace.filled, went) if pace.filled is not None else None
        return replace(pace, per_minute=fewer if pace.is_long else pace.per_minute, filled=filled)
    if _is_of_a_minute(pace, refusal, now):
        return replace(shown, per_minute=fewer) if pace.is_long else shown
    is_unknown = not (pace.is_limited or pace.is_free)
    if refusal.wait >= LONG and (is_unknown or pace.is_long):
        return replace(pace, since=now, filled=went)
    if pace.is_long:  # the same minute once more, or fewer than believed
        most = pace.per_minute * (1 if fewer == pace.per_minute else SAFE)
        return replace(pace, per_minute=max(most, LOWEST), since=now, filled=went)
    filled = went if refusal.wait >= LONG else pace.filled
    before = pace.per_minute if pace.is_limited else FULL
    return Pace(max(before / 2, LOWEST), is_limited=True, since=now, filled=filled)


def _is_of_a_minute(pace: Pace, refusal: Refusal, now: float) -> bool:
    """Return whether so many calls fill a minute here.

    A minute that had nearly passed looks like a shorter window; its number of calls shows it.
    """
    went, is_long = refusal.went, refusal.wait >= LONG
    is_odd = not pace.is_limited and pace.per_minute > max(went, ASSUMED)
    if refusal.is_minute and not is_odd and went >= (LOWEST if is_long else ASSUMED):
        return is_long or not pace.is_limited
    if pace.filled is None or now - pace.since > DOUBTED or not is_long:
        return False
    return abs(went - pace.filled) <= ALIKE * pace.filled


def taken(pace: Pace, *, went: int, now: float) -> Pace:
    """Return the pace after a call was taken, the last of those that `went` in a minute.

    After a quiet minute a few more are tried. Where so many have filled a minute, only one more
    than these shows that it takes more now; `went` are then the calls since it began.
    """
    if pace.filled is not None and went > 2 * pace.filled and not pace.is_long:
        pace = replace(pace, filled=None)  # two windows would have been too small for these
    if not pace.is_limited:
        return replace(pace, per_minute=float(went)) if went > pace.per_minute else pace
    if pace.is_long:
        most = pace.per_minute / SAFE if pace.filled is None else pace.filled
        return Pace(float(went), since=now) if went > most else pace
    if now - pace.since < WINDOW or went < USED * pace.per_minute:
        return pace
    more = pace.per_minute * PROBE
    if more >= FULL:
        return Pace(FULL, since=now)
    return replace(pace, per_minute=more, since=now, filled=None)
