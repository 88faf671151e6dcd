"""A table's epoch by Discord's clock: the date from which screens count what is to come."""

from bot.tables.presses.discord_time import DiscordTime
from bot.tables.running.table import Table

UNSTEADY = 5.0
"""Seconds by which Discord's clock may seem to move before a screen shows another date."""


class Epoch:
    """The date at which a table of this age was opened, had it never paused."""

    def __init__(self, table: Table, discord_time: DiscordTime) -> None:
        self._table = table
        self._discord_time = discord_time
        self._known = 0.0

    def steady(self) -> float:
        """Return it in Unix seconds. It keeps still, or each look would be another picture."""
        epoch = self._discord_time.now() - self._table.lived
        if abs(epoch - self._known) > UNSTEADY:
            self._known = epoch
        return self._known
