"""How many edits a second the bot allows itself beside its answers."""

from collections.abc import Callable

from bot.tables.clock import Clock

PROCESS = 40.0
"""Edits a second in all: Discord allows 50 requests (PLATFORM 2)."""
CHANNEL = 6.0
BURST = 6.0
"""Edits that may go at once after a pause."""
RESTORED = 0.25
"""What a quiet minute gives back after a rate limit has halved the rates."""
LOWEST = 1 / 16
LOOK = 0.1
"""Seconds after which a waiting edit looks whether it has become urgent."""


class Lane:
    """A rate kept by giving each edit its time: who asks first goes first."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._next = 0.0

    def slow_down(self, now: float, times: float) -> None:
        """What was promised already comes this many times later, so that order is kept."""
        self._next = max(self._next, now + (self._next - now) * times)

    def is_free(self, now: float) -> bool:
        """Whether it is as good as a new one: nothing is promised from now on."""
        return self._next <= now

    def wait(self, now: float, factor: float) -> float:
        """Seconds until this edit may go. Asking takes the turn."""
        gap = 1 / (self._rate * factor)
        self._next = max(self._next, now) + gap
        return max(0.0, self._next - now - BURST * gap)


class Budget:
    """Shared by every push. Answers to presses never wait for it."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._process = Lane(PROCESS)
        self._channels: dict[int, Lane] = {}
        self._factor = 1.0
        self._since = clock.now()

    async def take(self, channel: int, *, urgent: Callable[[], bool]) -> None:
        """Wait for a turn. An edit that is or becomes urgent (the cards are dealt) goes at once."""
        now = self._clock.now()
        self._restore(now)
        lane = self._channels.setdefault(channel, Lane(CHANNEL))
        wait = max(lane.wait(now, self._factor), self._process.wait(now, self._factor))
        while wait > 0 and not urgent():
            await self._clock.sleep(min(wait, LOOK))
            wait -= LOOK

    def rate_limited(self) -> None:
        """Discord said 429: half as many from now on."""
        before, self._factor = self._factor, max(self._factor / 2, LOWEST)
        self._since = self._clock.now()
        for lane in (self._process, *self._channels.values()):
            lane.slow_down(self._since, before / self._factor)

    def tidy(self) -> None:
        """Forget the lanes that are free: a channel that is asked for again gets a new one."""
        now = self._clock.now()
        self._channels = {
            channel: lane for channel, lane in self._channels.items() if not lane.is_free(now)
        }

    def _restore(self, now: float) -> None:
        if self._factor < 1 and (minutes := int((now - self._since) // 60)):
            self._factor = min(1.0, self._factor + RESTORED * minutes)
            self._since += 60 * minutes
