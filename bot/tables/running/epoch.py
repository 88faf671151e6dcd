"""The time that a table's screens show: it keeps still, or each look would be another screen."""

from collections.abc import Collection

from bot.ids import UserId
from bot.tables.decisions.presence import Presence
from bot.tables.presses.discord_time import DiscordTime
from bot.tables.running.table import Table
from bot.tables.views.last_change import last_change

UNSTEADY = 5.0
"""Seconds by which Discord's clock may seem to move before a screen shows another date."""


class Epoch:
    """The date at which a table of this age was opened, had it never paused, by Discord's clock.

    Screens count what is to come from it.
    """

    def __init__(self, table: Table, discord_time: DiscordTime) -> None:
        self._table = table
        self._discord_time = discord_time
        self._known = 0.0

    def presence(self, champions: Collection[UserId] = ()) -> Presence:
        """Return the table's presence for a screen.

        It stays equal until time, or somebody's absence, makes a screen look different.
        """
        now = self._table.presence()
        lived = last_change(self._table.session, now.lived)
        return Presence(  # `replace` takes three times as long
            lived,
            now.count,
            now.absent,
            now.quiet,
            now.notices,
            now.host_away,
            now.forgotten,
            now.slow,
            self.steady(),
            now.bests,
            now.broken,
            champions,
        )

    def steady(self) -> float:
        """Return the epoch in Unix seconds."""
        epoch = self._discord_time.now() - self._table.lived
        if abs(epoch - self._known) > UNSTEADY:
            self._known = epoch
        return self._known
