"""The own calls of a bot that is one process: the whole limit is its own."""

from collections.abc import Callable

from bot.clock import Clock
from bot.tables.presses.rate_limit import Rate
from bot.ui.limits.shared.pace import SharedRate
from bot.ui.limits.shared.turns import LOOK, nap

OWN = 39.0
"""Edits and uploads a second that the bot makes as itself, and a few at once: Discord allows 50
requests of all kinds (PLATFORM 2).
"""
MOST = 45
"""Of these in any second, whatever was promised: after a moment in which the machine stood still
all whose turn had come would go at once.
"""


class AloneTurns:
    """Implements `OwnTurns`: each call is given its time when it asks."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._rate = SharedRate(OWN, clock.now())
        self._gone: Rate[None] = Rate(MOST, 1.0)

    async def take(self, held_up: float, urgent: Callable[[], bool] | None) -> None:
        seconds = self._rate.take(self._clock.now()) + held_up
        self._rate.waiting += 1
        try:
            await nap(self._clock, seconds, urgent)
        finally:
            self._rate.waiting -= 1
        while not self._gone.allows(None, self._clock.now()):
            await self._clock.sleep(LOOK)

    def halve(self) -> None:
        self._rate.halve(self._clock.now())
