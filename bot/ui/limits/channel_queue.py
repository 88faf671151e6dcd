"""The calls for one channel's panels, in order of asking, at the pace that was learned."""

from collections import deque

from bot.ui.limits import channel_pace as paces
from bot.ui.limits.channel_pace import FULL, LONG, WINDOW, Pace, Refusal
from bot.ui.limits.shared_pace import BURST, DEBT
from bot.ui.limits.urgency import Claim, Worth

SLACK = 1.0
"""Seconds by which a wait may be rounded up."""
SHARE = 1 / 2
"""News get at least this of what a limited channel takes, whatever is kept for deals."""
DEALS, LEFT = 2, 1 / 4
"""So many deals are kept room for where the calls of a whole minute are counted, since a round may
be short, and this is left to news at least.
"""
TRIED_UNTIL = WINDOW - LONG
"""Seconds after the oldest call of a minute until which news may try how many calls an unknown
channel takes. A refusal is over when that call is a minute old: the earlier they are tried in a
round the surer it is over before the next. Later, it would be so short that it doesn't look like
one of a whole minute.
"""
AFTER_DEAL = 1.0
"""Seconds after which a call that only tidies looks whether the cards are dealt."""
GRANTED = 2.0
"""Seconds in which a call that may go is counted before it has gone."""


class ChannelQueue:
    """The calls of one channel, and those in line.

    Times are seconds on the monotonic clock. The pace is kept by the caller.
    """

    def __init__(self) -> None:
        self._calls: deque[float] = deque()
        self._granted: deque[float] = deque()
        self._taken: deque[float] = deque()  # when Discord has said so
        self._next = self._last = 0.0
        self._closed_until = 0.0
        self._last_words: list[object] = []  # before all that have news
        self._line: list[object] = []  # in a limited channel, in order of asking
        self._tidying: list[object] = []  # behind all of these

    def is_idle(self, now: float) -> bool:
        """Return whether nothing of it would be missed."""
        is_open = max(self._next, self._closed_until) <= now
        return is_open and not self._in_line and not self.went(now)

    def went(self, now: float) -> int:
        """Return how many calls went out in the last minute and were not refused."""
        while self._calls and self._calls[0] <= now - WINDOW:
            self._calls.popleft()
        return len(self._calls)

    def grant(self, now: float) -> None:
        """Note that a call may go. Otherwise all that wait for the same room would go together."""
        self._granted.append(now)

    def join(self, who: object, claim: Claim) -> None:
        """Get in line: a last word before all news, a call that only tidies behind them."""
        lines = {Worth.LAST: self._last_words, Worth.TIDY: self._tidying}
        lines.get(claim.worth, self._line).append(who)

    def leave(self, who: object) -> None:
        """Leave the line."""
        lines = (self._last_words, self._line, self._tidying)
        next(line for line in lines if who in line).remove(who)

    @property
    def _in_line(self) -> list[object]:
        return self._last_words + self._line + self._tidying

    def take(self, pace: Pace, now: float, factor: float = 1.0) -> float:
        """Take the next turn, and return its time on the clock.

        `factor`: the part of the full pace to go at. In a limited channel only the line counts, so
        the turn is now.
        """
        if pace.is_limited:
            return now
        gap = WINDOW / (FULL * factor)
        most = now + (len(self._in_line) + DEBT) * gap
        self._next = min(max(self._next, now), most) + gap
        self._last = max(now, self._last, self._next - BURST * gap)
        return self._last

    def wait(self, pace: Pace, turn: float, claim: Claim, now: float, who: object = None) -> float:
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
        in_turn = turn - now if claim.worth <= Worth.LAST else 0.0
        gap, room = self._gap_in(pace, claim, now, who), self._room_in(pace, claim, now)
        return max(0.0, closed, in_turn, gap, room)

    def _gap_in(self, pace: Pace, claim: Claim, now: float, who: object) -> float:
        """Return the seconds until news, or a last word, may follow the call before.

        Otherwise all that have waited for the end of a refusal would go at once, and be refused.
        """
        if not pace.is_limited or claim.worth > Worth.LAST:
            return 0.0
        gap, line = WINDOW / _room(pace, claim), self._in_line
        before = line.index(who) if who in line else 0
        last = self._calls[-1] if self._calls else now - gap
        return max(0.0, last + gap - now) + before * gap

    def _room_in(self, pace: Pace, claim: Claim, now: float) -> float:
        """Return the seconds until the last minute has room for one call more."""
        is_unknown = not pace.is_limited and claim.worth <= Worth.NEWS
        if pace.is_free or not (claim.is_kept_short or pace.is_long or is_unknown):
            return 0.0
        while self._granted and self._granted[0] <= now - GRANTED:
            self._granted.popleft()
        went, most = self.went(now), int(_room(pace, claim)) - len(self._granted)
        if is_unknown and claim.worth is Worth.NEWS and not claim.is_kept_short:
            return self._tried_in(pace, most - went, now)
        if went < most:
            return 0.0
        return self._calls[went - most] + WINDOW - now if most > 0 else GRANTED

    def _tried_in(self, pace: Pace, left: int, now: float) -> float:
        """Return the seconds until news may go where nothing is known of the channel.

        `left`: of the calls of this minute that surely are taken. More are tried at once.
        """
        if left > 0 or not self._calls:
            return 0.0
        age = now - self._calls[0]
        return 0.0 if age < TRIED_UNTIL and pace.may_try(now) else WINDOW - age

    def is_closed(self, now: float) -> bool:
        """Return whether a refusal is in force."""
        return self._closed_until > now

    def sent(self, now: float) -> None:
        """Count a call that goes out."""
        self._calls.append(now)
        if self._granted:
            self._granted.popleft()

    def refused(self, pace: Pace, *, wait: float, sent: float, now: float) -> Pace:
        """Note that one call was refused here, and return the pace from now on.

        `wait`: the seconds that Discord asks for; `sent`: when the call went out.
        """
        self.not_counted(sent)
        self._closed_until = max(self._closed_until, now + wait)
        refusal = Refusal(self._filled(now, wait), wait, sent, self._fits(now, wait))
        return paces.refused(pace, refusal, now)

    def _filled(self, now: float, wait: float) -> int:
        """Return the calls in the window that ends after this wait.

        A window that would begin only now shows nothing: then all calls of the last one count.
        """
        went = self.went(now)
        begun = now + wait - WINDOW - SLACK
        return sum(one >= begun for one in self._calls) if wait < WINDOW else went

    def _fits(self, now: float, wait: float) -> bool:
        """Return whether the oldest call of the last minute is a minute old after this wait."""
        ends = now + wait - WINDOW
        return self.went(now) > 0 and abs(self._calls[0] - ends) <= SLACK

    def not_counted(self, sent: float) -> None:
        """Remove a call sent at this time: Discord refused it and doesn't count it."""
        if sent in self._calls:
            self._calls.remove(sent)

    def taken(self, pace: Pace, now: float) -> Pace:
        """Return the pace after a call was taken.

        Calls that are still under way prove nothing: the last of them may be one too many.
        """
        self._taken.append(now)
        while self._taken[0] <= now - WINDOW:
            self._taken.popleft()
        return paces.taken(pace, went=len(self._taken), now=now)


def _room(pace: Pace, claim: Claim) -> float:
    """Return the calls of a minute that are there for this claim."""
    if not pace.is_limited:
        return pace.in_a_minute - claim.leaves
    deals, share = (DEALS, LEFT) if pace.is_long else (1, SHARE)
    return max(pace.in_a_minute - deals * claim.leaves, share * pace.in_a_minute)
