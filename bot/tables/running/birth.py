"""The birth of a table by Discord's clock, from which screens count what is to come."""

from bot.tables.presses.discord_time import DiscordTime
from bot.tables.running.table import Table

UNSTEADY = 5.0
"""Seconds by which Discord's clock may seem to move before a screen shows another date."""


class Birth:
    """The time at which a table of this age was born, had it never paused."""

    def __init__(self, table: Table, discord_time: DiscordTime) -> None:
        self._table = table
        self._discord_time = discord_time
        self._known = 0.0

    def steady(self) -> float:
        """Return it in Unix seconds. It keeps still, or each look would be another picture."""
        born = self._discord_time.now() - self._table.lived
        if abs(born - self._known) > UNSTEADY:
            self._known = born
        return self._known
