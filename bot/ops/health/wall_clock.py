"""A watch on the machine's wall clock, which is compared with Discord's. A wrong one is logged."""

import logging

from bot.tables.presses.discord_time import DiscordTime

log = logging.getLogger(__name__)

WRONG = 60.0
"""Seconds. No press and no table notices, but dates, backups and logs go by this clock."""
REMEDY = "turn on time synchronisation (timedatectl set-ntp true)"


def how_wrong(ahead: float) -> str:
    """Return how far a clock is from Discord's. `ahead`: seconds, negative if it is behind."""
    return f"{abs(ahead):.0f} s {'ahead of' if ahead > 0 else 'behind'} Discord's"


class WallClockWatch:
    """A watch for a wrong clock: it warns once, and again when that changes by a minute."""

    def __init__(self, discord: DiscordTime) -> None:
        self._discord = discord
        self._told = 0.0

    async def tick(self) -> None:
        """Log that the machine's clock is wrong, or right again. Called every few seconds."""
        ahead = self._discord.ahead
        if abs(ahead - self._told) <= WRONG:
            return
        if abs(ahead) > WRONG:
            self._told = ahead
            log.warning("the machine's clock is %s: %s", how_wrong(ahead), REMEDY)
        else:
            self._told = 0.0
            log.info("the machine's clock is right again")
