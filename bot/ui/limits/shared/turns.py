"""The turns of the calls that the bot makes as itself, and how such a call waits."""

from collections.abc import Callable
from typing import Protocol

from bot.clock import Clock

LOOK, SELDOM = 0.1, 1 / 8
"""Seconds after which a waiting call looks whether it has become urgent: this share of what it
still has to wait, and at least so many. Hundreds that look ten times a second would be the load
themselves.
"""
LEAST = 1e-6
"""Seconds that a pause lasts at least. A shorter one wouldn't move the clock, and would repeat."""


class OwnTurns(Protocol):
    """The turns of edits, posts and uploads.

    Discord allows a bot 50 requests a second, however many processes it has (PLATFORM 2).
    """

    async def take(self, held_up: float, urgent: Callable[[], bool] | None) -> None:
        """Wait for a turn, in order of asking, and for at least `held_up` seconds.

        A call that is urgent waits for no other, and is not held up. Cancelling gives up the place
        in line.
        """

    def halve(self) -> None:
        """Go half as fast from now on: Discord has refused a call for the limit of the bot."""


async def nap(clock: Clock, seconds: float, urgent: Callable[[], bool] | None) -> None:
    """Wait so long, or until it is urgent."""
    while seconds > 0 and not (urgent is not None and urgent()):
        part = seconds if urgent is None else min(seconds, max(LOOK, seconds * SELDOM))
        await clock.sleep(part)
        seconds -= part
