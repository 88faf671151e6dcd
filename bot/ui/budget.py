"""How many edits a second the bot allows itself beside its answers."""

from collections.abc import Callable

from bot.tables.clock import Clock
from bot.tables.rate import Rate

PUSHES = 40.0
"""Edits a second by panels' own tokens: Discord does not count them, but each takes time."""
OWN = 39.0
"""Edits and uploads a second that the bot makes as itself, and a few at once: Discord allows 50
requests of all kinds (PLATFORM 2).
"""
MOST = 45
"""Of these in any second, whatever was promised: after a moment in which the machine stood still
all whose turn had come would go at once.
"""
CHANNEL = 6.0
BURST = 6.0
"""Edits that may go at once after a pause."""
RESTORED = 0.25
"""What a quiet minute gives back after a rate limit has halved the rates."""
LOWEST = 1 / 16
LOOK, SELDOM = 0.1, 1 / 8
"""Seconds after which a waiting edit looks whether it has become urgent, or this share of what it
still has to wait: hundreds that look ten times a second would be the load themselves.
"""


class Care:
    """How much slower than usual to go: a rate limit halves it, quiet minutes give it back."""

    def __init__(self, now: float) -> None:
        self._factor = 1.0
        self._since = now

    def factor(self, now: float) -> float:
        minutes = int((now - self._since) // 60)
        return min(1.0, self._factor + RESTORED * minutes)

    def halve(self, now: float) -> float:
        """How many times slower it goes from now on."""
        before = self.factor(now)
        self._factor, self._since = max(before / 2, LOWEST), now
        return before / self._factor


class Lane:
    """A rate kept by giving each edit its time: who asks first goes first."""

    def __init__(self, rate: float, now: float) -> None:
        self.care = Care(now)
        self._rate = rate
        self._next = 0.0

    def slow_down(self, now: float, times: float) -> None:
        """What was promised already comes this many times later, so that order is kept."""
        self._next = max(self._next, now + (self._next - now) * times)

    def is_free(self, now: float) -> bool:
        """Whether it is as good as a new one: nothing is promised, and it goes at full speed."""
        return self._next <= now and self.care.factor(now) == 1

    def take(self, now: float, factor: float = 1.0) -> float:
        """Take the next turn. Return the seconds until this edit may go."""
        gap = 1 / (self._rate * self.care.factor(now) * factor)
        self._next = max(self._next, now) + gap
        return max(0.0, self._next - now - BURST * gap)


class Budget:
    """Shared by every push. Answers to presses never wait for it."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._pushes = Lane(PUSHES, clock.now())
        self._own = Lane(OWN, clock.now())
        self._gone = Rate(MOST, 1.0)
        self._channels: dict[int, Lane] = {}

    @property
    def lanes(self) -> int:
        """The channels whose edits have a lane of their own."""
        return len(self._channels)

    async def take(self, channel: int, *, urgent: Callable[[], bool]) -> None:
        """Wait for a turn. An edit that is or becomes urgent (the cards are dealt) goes at once."""
        now = self._clock.now()
        everywhere = self._pushes.care.factor(now)
        await self._wait(
            max(self._lane(channel).take(now, everywhere), self._pushes.take(now)), urgent
        )

    async def take_own(self, *, urgent: Callable[[], bool] | None = None) -> None:
        """Wait for a turn to post or edit as the bot itself. Every table has as many turns as any
        other: who asks first goes first, and asks again when it has been drawn.
        """
        await self._wait(self._own.take(self._clock.now()), urgent)
        while not self._gone.allows(0, self._clock.now()):
            await self._clock.sleep(LOOK)

    async def _wait(self, seconds: float, urgent: Callable[[], bool] | None) -> None:
        while seconds > 0 and not (urgent is not None and urgent()):
            nap = seconds if urgent is None else min(seconds, max(LOOK, seconds * SELDOM))
            await self._clock.sleep(nap)
            seconds -= nap

    def rate_limited(self, channel: int | None = None) -> None:
        """Discord said 429: half as many from now on, in this channel or everywhere."""
        now = self._clock.now()
        if channel is not None:
            lane = self._lane(channel)
            lane.slow_down(now, lane.care.halve(now))
            return
        times = self._pushes.care.halve(now)
        self._own.slow_down(now, self._own.care.halve(now))
        for lane in (self._pushes, *self._channels.values()):
            lane.slow_down(now, times)

    def tidy(self) -> None:
        """Forget the lanes that are free: a channel that is asked for again gets a new one."""
        now = self._clock.now()
        self._channels = {
            channel: lane for channel, lane in self._channels.items() if not lane.is_free(now)
        }

    def _lane(self, channel: int) -> Lane:
        if channel not in self._channels:
            self._channels[channel] = Lane(CHANNEL, self._clock.now())
        return self._channels[channel]
