"""The calls for one channel's panels, in order of need, at the pace that was learned."""

from collections import deque

from bot.clock import Bell
from bot.ui.limits import channel_pace as paces
from bot.ui.limits.channel_pace import FULL, WINDOW, Pace, Refusal, SentCall
from bot.ui.limits.shared.pace import BURST, DEBT
from bot.ui.limits.urgency import Claim, Worth

SLACK = 1.0
"""Seconds by which a wait may be rounded up."""
SHARE = 1 / 2
"""News get at least this of what a limited channel takes, whatever is kept for deals."""
DEALS, AT_ONCE, LEFT = 2, 4, 1 / 10
"""Deals for which a counted minute keeps room, since a round may be short; deals for which an
urgent call that goes at once leaves room; and the share of a minute that other calls have in any
case. They are spread over the minute, so that few have gone when a round turns out to be short.
"""
TRIED_FROM, TRIED_UNTIL = 10.0, 1.5
"""Seconds before the end of a minute between which news may try how many calls an unknown channel
takes. A refusal is over with that minute. No deal can be later by more than it takes until
everybody is ready and the count is over, and by the seconds that a deal may take.
"""
AFTER_DEAL = 1.0
"""Seconds after which a call that only tidies looks whether the cards are dealt."""
GRANTED = 2.0
"""Seconds in which a call that may go is counted before it has gone."""


class ChannelQueue:
    """The calls of one channel, and those in line.

    Times are seconds on the monotonic clock. The pace is kept by the caller. Discord may count the
    calls of any minute, or those of minutes that each begin with the first call after the one
    before (PLATFORM 2): `_begun` is the beginning of such a minute.
    """

    def __init__(self) -> None:
        self._calls: deque[SentCall] = deque()
        self._others: deque[SentCall] = deque()  # of these, the ones that dealt nothing
        self._granted: deque[float] = deque()
        self._taken: deque[float] = deque()  # when Discord has said so
        self._begun = -WINDOW
        self._next = self._last = 0.0
        self._closed_until = 0.0
        self._line: dict[Bell, tuple[int, float]] = {}  # in order of asking
        self._first: Bell | None = None

    def is_idle(self, now: float) -> bool:
        """Return whether nothing of it would be missed."""
        is_open = max(self._next, self._closed_until) <= now
        return is_open and not self._line and not self.went(now)

    def went(self, now: float) -> int:
        """Return how many calls went out in the last minute and were not refused."""
        for calls in (self._calls, self._others):
            while calls and calls[0].at <= now - WINDOW:
                calls.popleft()
        while self._taken and self._taken[0] <= now - WINDOW:
            self._taken.popleft()
        return len(self._calls)

    def grant(self, now: float) -> None:
        """Note that a call may go. Otherwise all that wait for the same room would go together."""
        self._granted.append(now)

    def join(self, who: Bell, claim: Claim) -> None:
        """Get in line. Of two that have waited equally long the first to ask goes first.

        The bell of whoever comes first by that rings: they may go now, perhaps.
        """
        self._line[who] = claim.place
        before, self._first = self._first, self._first_in_line()
        if self._first is not None and self._first is not before:
            self._first.ring()

    def leave(self, who: Bell) -> None:
        """Leave the line. No bell rings: the call that may go now hasn't gone yet."""
        del self._line[who]
        self._first = self._first_in_line()

    def _first_in_line(self) -> Bell | None:
        return min(self._line, key=self._line.__getitem__, default=None)

    def take(self, pace: Pace, now: float, factor: float = 1.0) -> float:
        """Take the next turn, and return its time on the clock.

        `factor`: the part of the full pace to go at. In a limited channel only the line counts, so
        the turn is now.
        """
        if pace.is_limited:
            return now
        gap = WINDOW / (FULL * factor)
        most = now + (len(self._line) + DEBT) * gap
        self._next = min(max(self._next, now), most) + gap
        self._last = max(now, self._last, self._next - BURST * gap)
        return self._last

    def wait(
        self, pace: Pace, turn: float, claim: Claim, now: float, who: Bell | None = None
    ) -> float:
        """Return the seconds until a call with this claim may go; 0 if it may go now.

        `who`: the one in line; None for a call that need not go.
        """
        if claim.worth is Worth.NOTHING:
            return 0.0
        closed = self._closed_until - now
        if claim.worth is Worth.TIDY and claim.is_kept_short and not pace.is_free:
            return max(AFTER_DEAL, closed)
        if claim.worth is Worth.DEAL:
            return max(0.0, closed)
        if who is not None and who in self._line:
            if self._line[who][0] != claim.place[0]:  # other calls are its neighbours now
                del self._line[who]
            self.join(who, claim)
        in_turn = turn - now if claim.worth <= Worth.LAST else 0.0
        if pace.is_free or self._may_try(pace, claim, now):
            return max(0.0, closed, in_turn)
        most = self._room(pace, claim, now)
        gap, room = self._gap_in(pace, claim, now, who, most), self._room_in(pace, claim, now, most)
        return max(0.0, closed, in_turn, gap, room)

    def _gap_in(self, pace: Pace, claim: Claim, now: float, who: Bell | None, most: float) -> float:
        """Return the seconds until news, or a last word, may follow the call before.

        Otherwise all that have waited for the end of a refusal would go at once, and be refused.
        """
        if claim.worth is Worth.LAST and not pace.is_limited:
            return 0.0
        if claim.worth > Worth.LAST:
            kept = AT_ONCE * claim.leaves
            if not pace.is_counted or len(self._others) < pace.in_a_minute - kept:
                return 0.0
        gap = WINDOW / most
        calls = self._beside(claim)
        last = calls[-1].at if calls else now - gap
        return max(0.0, last + gap - now) + self._before(who) * gap

    def _before(self, who: Bell | None) -> int:
        """Return how many in line go before this one."""
        if who is None or who not in self._line:
            return 0
        mine, places = self._line[who], list(self._line.values())
        own = list(self._line).index(who)
        return sum(one < mine or (one == mine and n < own) for n, one in enumerate(places))

    def _room_in(self, pace: Pace, claim: Claim, now: float, room: float) -> float:
        """Return the seconds until the last minute has room for one call more."""
        is_last_word = claim.worth is Worth.LAST and not pace.is_long
        if is_last_word or not (claim.is_kept_short or pace.is_counted):
            return 0.0
        while self._granted and self._granted[0] <= now - GRANTED:
            self._granted.popleft()
        most = int(room) - len(self._granted) - claim.promised
        if most <= 0:
            return GRANTED
        calls = self._beside(claim)
        return calls[-most].at + WINDOW - now if len(calls) >= most else 0.0

    def _beside(self, claim: Claim) -> deque[SentCall]:
        """Return the calls that share the room of this claim: all if it leaves none to a deal."""
        return self._others if claim.leaves else self._calls

    def _room(self, pace: Pace, claim: Claim, now: float) -> float:
        """Return the calls of a minute that are there for this claim, and all others but deals.

        Where a minute's calls are counted, two deals fit in beside them, and the next one beside
        those of the last minute as well. Beside panels that still show what is over one must do.
        """
        most, share, kept = pace.in_a_minute, SHARE, claim.leaves
        if pace.is_counted and claim.leaves:
            dealt = self.went(now) - len(self._others)
            deals = 1 if claim.worth is Worth.TURN else DEALS
            share, kept = LEFT, max(deals * claim.leaves, dealt + claim.leaves)
        return max(most - kept, share * most)

    def _may_try(self, pace: Pace, claim: Claim, now: float) -> bool:
        """Return whether news may try now how many calls the channel takes.

        Only if a refusal would be over in seconds and leave room for the cards of everybody,
        whichever minutes Discord counts.
        """
        if not pace.may_try(now) or claim.worth is not Worth.NEWS or claim.is_kept_short:
            return False
        if self.went(now) < claim.leaves or not claim.leaves:
            return False
        ends = (one + WINDOW - now for one in (self._begun, self._calls[claim.leaves - 1].at))
        return all(TRIED_UNTIL <= one <= TRIED_FROM for one in ends)

    def is_closed(self, now: float) -> bool:
        """Return whether a refusal is in force."""
        return self._closed_until > now

    def count(self, now: float, *, is_deal: bool = False) -> SentCall:
        """Count a call that goes out, and return it."""
        if now >= self._begun + WINDOW:
            self._begun = now
        call = SentCall(now)
        self._calls.append(call)
        if not is_deal:
            self._others.append(call)
        if self._granted:
            self._granted.popleft()
        return call

    def refused(self, pace: Pace, *, wait: float, sent: SentCall, now: float) -> Pace:
        """Note that one call was refused here, and return the pace from now on.

        `wait`: the seconds that Discord asks for; `sent`: the call.
        """
        self.not_counted(sent)
        self._closed_until = max(self._closed_until, now + wait)
        refusal = Refusal(self._filled(now, wait), wait, sent.at, self._fits(now, wait))
        return paces.refused(pace, refusal, now)

    def _filled(self, now: float, wait: float) -> int:
        """Return the calls in the window that ends after this wait.

        A window that would begin only now shows nothing: then all calls of the last one count.
        """
        went = self.went(now)
        begun = now + wait - WINDOW - SLACK
        return sum(one.at >= begun for one in self._calls) if wait < WINDOW else went

    def _fits(self, now: float, wait: float) -> bool:
        """Return whether the oldest call of the last minute is a minute old after this wait."""
        ends = now + wait - WINDOW
        return self.went(now) > 0 and abs(self._calls[0].at - ends) <= SLACK

    def not_counted(self, sent: SentCall) -> None:
        """Remove a call: Discord refused it and doesn't count it."""
        for calls in (self._calls, self._others):
            if sent in calls:
                calls.remove(sent)

    def taken(self, pace: Pace, now: float) -> Pace:
        """Return the pace after a call was taken.

        Calls that are still under way prove nothing: the last of them may be one too many. Nor do
        those of two minutes, if Discord begins to count again in each.
        """
        self.went(now)
        self._taken.append(now)
        went = len(self._taken)
        if pace.is_counted:
            went = sum(one >= self._begun for one in self._taken)
        return paces.taken(pace, went=went, now=now)
