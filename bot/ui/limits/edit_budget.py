"""The budget of the bot's calls to Discord beside its answers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from bot.clock import Bell, Clock
from bot.ids import ChannelId, GuildId
from bot.tables.state.session import Session
from bot.ui.limits.channel_pace import FULL, UNKNOWN, WINDOW, Pace, SentCall, remembered
from bot.ui.limits.channel_queue import ChannelQueue
from bot.ui.limits.headers import Scope
from bot.ui.limits.shared.alone import AloneTurns
from bot.ui.limits.shared.pace import SharedRate, Slowdown
from bot.ui.limits.shared.turns import LEAST, LOOK, SELDOM, OwnTurns
from bot.ui.limits.urgency import Claim, Worth

PUSHES = 40.0
"""Calls a second by panels' own tokens: Discord does not count them, but each takes time."""
EDIT_GAP = 1.05
"""Seconds between two edits of a channel that has refused some."""
OFTEN = 1.0
"""Seconds after which a waiting push looks at the latest whether it has become urgent. What only
tidies never becomes urgent, and a bell wakes the call that has one.
"""


@dataclass(frozen=True, slots=True)
class CountedChannel:
    """A channel in which calls are counted.

    `home`: the channel for which they are remembered; a thread learns for its parent channel.
    """

    channel: ChannelId
    home: ChannelId
    guild: GuildId

    @classmethod
    def of(cls, session: Session) -> "CountedChannel":
        """Return the channel of a table's panels."""
        return cls(session.channel, session.parent or session.channel, session.opened.guild)


class PaceStore(Protocol):
    """The store of learned paces, kept across restarts."""

    async def paces(self) -> list[tuple[ChannelId | GuildId, float, bool]]: ...
    def pace_at(
        self, place: ChannelId | GuildId, guild: GuildId, per_minute: float, *, is_limited: bool
    ) -> None: ...


class Budget:
    """The budget that all pushes share. Answers to presses never wait for it.

    `own`: the turns of the bot's own calls, if it shares them with other groups.
    """

    def __init__(
        self, clock: Clock, store: PaceStore | None = None, own: OwnTurns | None = None
    ) -> None:
        self._clock = clock
        self._store = store
        self._pushes = SharedRate(PUSHES, clock.now())
        self._own = own if own is not None else AloneTurns(clock)
        self._closed_until = 0.0  # for every panel
        self._queues: dict[ChannelId, ChannelQueue] = {}
        self._paces: dict[ChannelId | GuildId, Pace] = {}
        self._edits: dict[ChannelId, Slowdown] = {}

    @property
    def queues(self) -> int:
        """The number of channels whose calls stand in a queue."""
        return len(self._queues)

    async def recall(self) -> None:
        """Recall what was learned before the start. A quiet minute begins with it."""
        if self._store is not None:
            now = self._clock.now()
            for place, most, limited in await self._store.paces():
                self._paces[place] = remembered(most, is_limited=limited, now=now)

    def pace(self, where: CountedChannel) -> Pace:
        """Return a channel's pace; where nothing was learned there, that of its server."""
        return self._paces.get(where.home) or self._paces.get(where.guild) or UNKNOWN

    def rehearsed(self, where: CountedChannel, pace: Pace) -> None:
        """Start from this pace in a channel and in its server: somebody has tried it."""
        for place in (where.home, where.guild):
            self._paces[place] = pace
            if self._store is not None:
                most, limited = pace.per_minute, pace.is_limited
                self._store.pace_at(place, where.guild, most, is_limited=limited)

    # -- calls by panels' tokens ------------------------------------------------------------

    async def take(
        self, where: CountedChannel, claim: Callable[[], Claim], bell: Bell | None = None
    ) -> Claim:
        """Wait for a turn, and return what the call claims then. It is asked again while it waits.

        A call that claims nothing any more stops waiting. Cancelling gives up the place in line.
        `bell` rings when the claim may have become urgent, or is the first: it need not look often.
        """
        now = self._clock.now()
        everywhere = self._pushes.slowdown.factor(now)
        queue, who = self._queue(where), bell or Bell()
        turn = max(queue.take(self.pace(where), now, everywhere), now + self._pushes.take(now))
        queue.join(who, asked := claim())
        self._pushes.waiting += 1
        try:
            while (wait := self.wait(where, turn, asked, who)) > 0:
                soonest = OFTEN if bell or asked.worth is Worth.TIDY else LOOK
                look = max(LEAST, min(wait, max(soonest, min(OFTEN, wait * SELDOM))))
                await (self._clock.nap(look, bell) if bell else self._clock.sleep(look))
                asked = claim()
            if asked.worth is not Worth.NOTHING:
                queue.grant(self._clock.now())
        finally:
            queue.leave(who)
            self._pushes.waiting -= 1
        return asked

    def wait(
        self, where: CountedChannel, turn: float, claim: Claim, who: Bell | None = None
    ) -> float:
        """Return the seconds until a call with this claim may go; 0 if it may go now."""
        now = self._clock.now()
        here = self._queue(where).wait(self.pace(where), turn, claim, now, who)
        return max(here, self._closed_until - now) if claim.worth is not Worth.NOTHING else here

    def is_slow(self, where: CountedChannel) -> bool:
        """Return whether a channel has refused calls, so that others wait."""
        return self.pace(where).is_limited or self._queue(where).is_closed(self._clock.now())

    def deals(self, where: CountedChannel) -> int | None:
        """Return how many panels can be dealt cards now in a channel known to take few calls.

        None in any other: a deal goes at once there, and shows how many it takes.
        """
        if not (pace := self.pace(where)).is_limited:
            return None
        return max(0, int(pace.in_a_minute) - self._queue(where).went(self._clock.now()))

    def gap_in(self, where: CountedChannel) -> float:
        """Return the seconds between two calls that a channel surely takes."""
        pace = self.pace(where)
        return WINDOW / (FULL if pace.is_free else pace.in_a_minute)

    @property
    def gap(self) -> float:
        """The seconds between two calls of all channels together."""
        return 1 / (PUSHES * self._pushes.slowdown.factor(self._clock.now()))

    def spend(self, where: CountedChannel, *, is_deal: bool = False) -> SentCall:
        """Count a call that goes out now, whether or not it has waited. Return it."""
        return self._queue(where).count(self._clock.now(), is_deal=is_deal)

    def taken(self, where: CountedChannel) -> None:
        """Learn from a call that Discord has taken."""
        self._learn(where, self._queue(where).taken(self.pace(where), self._clock.now()))

    def refused(self, where: CountedChannel, *, whose: Scope, wait: float, sent: SentCall) -> None:
        """Learn from a call that Discord has refused.

        `sent`: the call; `whose`: the limit that it met, which teaches something of this
        channel only if it is the channel's; `wait`: the seconds that Discord asks for.
        """
        queue, now = self._queue(where), self._clock.now()
        if whose is Scope.EVERYWHERE:
            self._closed_until = max(self._closed_until, now + wait)
        if whose is not Scope.CHANNEL:
            queue.not_counted(sent)
        else:
            after = queue.refused(self.pace(where), wait=wait, sent=sent, now=now)
            self._learn(where, after)

    def _learn(self, where: CountedChannel, after: Pace) -> None:
        if (before := self.pace(where)) == after:
            return
        self._paces[where.home] = after
        if self._store is not None and _kept(before) != _kept(after):
            most, limited = after.per_minute, after.is_limited
            self._store.pace_at(where.home, where.guild, most, is_limited=limited)

    # -- calls of the bot itself ------------------------------------------------------------

    async def take_own(
        self, *, channel: ChannelId | None = None, urgent: Callable[[], bool] | None = None
    ) -> None:
        """Wait for a turn to post or edit as the bot itself.

        Turns go in order of asking. Every table has as many as any other: it asks again when it has
        been drawn.
        """
        await self._own.take(self._held_up(channel), urgent)

    async def take_own_now(self) -> None:
        """Wait for a turn that somebody waits for: the next in a group, and at once in one process.

        It counts like any other.
        """
        await self.take_own(urgent=lambda: True)

    def _held_up(self, channel: ChannelId | None) -> float:
        """Return the seconds that an edit waits since its channel has refused some."""
        slowdown = self._edits.get(channel) if channel is not None else None
        if slowdown is None:
            return 0.0
        return EDIT_GAP * (1 / slowdown.factor(self._clock.now()) - 1)

    def rate_limited(self, channel: ChannelId | None = None) -> None:
        """Halve the pace of the bot's own calls after Discord has refused one.

        `channel`: the one whose edits slow down; None for all calls.
        """
        now = self._clock.now()
        if channel is not None:
            self._edits.setdefault(channel, Slowdown(now)).halve(now)
            return
        self._pushes.halve(now)
        self._own.halve()

    def tidy(self) -> None:
        """Forget what is as good as new. What was learned of a channel is kept."""
        now = self._clock.now()
        self._queues = {one: queue for one, queue in self._queues.items() if not queue.is_idle(now)}
        self._edits = {one: slow for one, slow in self._edits.items() if slow.factor(now) < 1}
        self._paces = {one: pace for one, pace in self._paces.items() if pace != UNKNOWN}

    def _queue(self, where: CountedChannel) -> ChannelQueue:
        if (queue := self._queues.get(where.channel)) is None:
            queue = self._queues[where.channel] = ChannelQueue()
        return queue


def _kept(pace: Pace) -> tuple[bool, bool, float]:
    """Return what is worth a write when it changes."""
    return pace.is_limited, pace.is_free, pace.in_a_minute
