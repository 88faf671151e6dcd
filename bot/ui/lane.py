"""The calls for one channel's panels: who asks first goes first, at the pace that was learned."""

from collections import deque

from bot.ui import pace as paces
from bot.ui.care import BURST, DEBT
from bot.ui.claims import Claim, Worth
from bot.ui.pace import FULL, WINDOW, Pace

SHARE = 2
"""News get at least one in so many of what a limited channel takes, whatever is kept for deals."""


class Lane:
    """Times are seconds on the monotonic clock. The pace is kept by whoever owns the lane."""

    def __init__(self) -> None:
        self._calls: deque[float] = deque()
        self._next = self._last = 0.0
        self._closed_until = 0.0
        self._line: list[object] = []  # who waits in a limited channel, in the order of asking
        self._tidying: list[object] = []  # who waits behind all of these

    def is_idle(self, now: float) -> bool:
        """Return whether nothing of it would be missed."""
        is_open = max(self._next, self._closed_until) <= now
        return is_open and not self._in_line and not self.went(now)

    def went(self, now: float) -> int:
        """Return how many calls went out in the last minute and were not refused."""
        while self._calls and self._calls[0] <= now - WINDOW:
            self._calls.popleft()
        return len(self._calls)

    def join(self, who: object, claim: Claim) -> None:
        """Get in line: behind all who have news, for a call that only tidies."""
        (self._tidying if claim.worth is Worth.TIDY else self._line).append(who)

    def leave(self, who: object) -> None:
        """Be in line no more."""
        (self._line if who in self._line else self._tidying).remove(who)

    @property
    def _in_line(self) -> list[object]:
        return self._line + self._tidying

    def take(self, pace: Pace, now: float, factor: float = 1.0) -> float:
        """Take the next turn, at this part of the full pace. Return when it is. Where a channel is
        limited, the line alone counts.
        """
        if pace.is_limited:
            return now
        gap = WINDOW / (FULL * factor)
        most = now + (len(self._in_line) + DEBT) * gap
        self._next = min(max(self._next, now), most) + gap
        self._last = max(now, self._last, self._next - BURST * gap)
        return self._last

    def wait(self, pace: Pace, turn: float, claim: Claim, now: float, who: object = None) -> float:
        """Return the seconds until a call with this claim may go; none if it may now. `who`: the
        one in line; None for a call that need not go.
        """
        if claim.worth is Worth.NOTHING:
            return 0.0
        closed = self._closed_until - now
        if claim.worth is Worth.DEAL:
            return max(0.0, closed)
        in_turn = turn - now if claim.worth <= Worth.NEWS else 0.0
        gap, room = self._gap_in(pace, claim, now, who), self._room_in(pace, claim, now)
        return max(0.0, closed, in_turn, gap, room)

    def _gap_in(self, pace: Pace, claim: Claim, now: float, who: object) -> float:
        """Return the seconds until news may follow the call before. All that have waited for the
        end of a refusal would else go at once, and be refused.
        """
        if not pace.is_limited or claim.worth > Worth.NEWS:
            return 0.0
        gap, line = WINDOW / _room(pace, claim), self._in_line
        before = line.index(who) if who in line else 0
        last = self._calls[-1] if self._calls else now - gap
        return max(0.0, last + gap - now) + before * gap

    def _room_in(self, pace: Pace, claim: Claim, now: float) -> float:
        """Return the seconds until the last minute has room for one call more."""
        if pace.is_free or not claim.is_kept_short:
            return 0.0
        went, most = self.went(now), int(_room(pace, claim))
        if went < most:
            return 0.0
        return WINDOW if most < 1 else self._calls[went - most] + WINDOW - now

    def sent(self, now: float) -> None:
        """A call goes out."""
        self._calls.append(now)

    def refused(self, pace: Pace, *, wait: float, sent: float, now: float) -> Pace:
        """A call that was sent then was one too many here. Return the pace from now on."""
        self.not_counted(sent)
        self._closed_until = max(self._closed_until, now + wait)
        return paces.refused(pace, went=self.went(now), wait=wait, sent=sent, now=now)

    def not_counted(self, sent: float) -> None:
        """A call that was sent then was refused: Discord doesn't count it."""
        if sent in self._calls:
            self._calls.remove(sent)

    def taken(self, pace: Pace, now: float) -> Pace:
        """A call was taken. Return the pace from now on."""
        return paces.taken(pace, went=self.went(now), now=now)


def _room(pace: Pace, claim: Claim) -> float:
    """Return the calls of a minute that are there for this claim."""
    room = pace.in_a_minute - claim.leaves
    return max(room, pace.in_a_minute / SHARE) if pace.is_limited else room
