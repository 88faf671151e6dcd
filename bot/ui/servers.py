"""Servers that invite the bot and remove it, and the daily tidying up."""

import logging
from collections.abc import Callable

import discord

from bot.records.archive import Archive
from bot.tables.clock import Clock
from bot.tables.registry import Tables
from bot.tables.table import Table
from bot.ui.invitation import is_absent
from bot.ui.preferences import Preferences

log = logging.getLogger(__name__)

DAY = 24 * 60 * 60.0
AGAIN = 60 * 60.0
"""Seconds until a tidying up that failed is tried again."""
SOON = 60.0
"""Seconds until one is tried again that failed since the disk took nothing."""
GONE = "table.closed.server"


class Servers:
    """Keeps the records' list of servers true.

    discord.py reports an outage as `guild_unavailable`, a removal as `guild_remove`; servers with
    an outage stay in `client.guilds`, also when they were out as the bot started.

    `passes`: whether a failure is the disk's, and will be over. What could not be noted then is
    put right by the next tidying up.
    """

    def __init__(
        self,
        client: discord.Client,
        archive: Archive,
        tables: Tables,
        preferences: Preferences,
        clock: Clock,
        passes: Callable[[Exception], bool],
    ) -> None:
        self._client = client
        self._archive = archive
        self._tables = tables
        self._preferences = preferences
        self._clock = clock
        self._passes = passes
        self._due: float | None = None  # monotonic; None until Discord has listed all servers

    async def ready(self) -> None:
        """Discord has listed every server: what happened while the bot was away is made good. Of a
        server with a table that is not on the list Discord is asked before the table ends.
        """
        for guild in sorted({table.session.opened.guild for table in self._tables.books}):
            if await is_absent(self._client, guild):
                await self._close_all(guild)
        await self.tidy()

    async def joined(self, guild: int) -> None:
        try:
            await self._archive.joined(guild, self._application)
            await self._preferences.read(guild)
        except Exception as error:
            self._failed(error, f"server {guild}: that it is there could not be noted")

    async def left(self, guild: int) -> None:
        """The bot was removed: its tables there are closed at once, and their players free."""
        log.info("server %d has removed the bot", guild)
        try:
            await self._archive.left(guild, self._application, self._now)
        except Exception as error:
            self._failed(error, f"server {guild}: that it is left could not be noted")
        await self._close_all(guild)

    @property
    def is_due(self) -> bool:
        """Once a day, and some time after a failure."""
        return self._due is not None and self._clock.now() >= self._due

    async def tick(self) -> None:
        if self.is_due:
            await self.tidy()

    async def tidy(self) -> None:
        """Nothing is deleted before it is known which servers are there."""
        now = self._clock.now()
        self._due = now + AGAIN
        try:
            await self._archive.compare(self._application, self._present, self._now)
            await self._archive.purge(self._application, self._now)
        except Exception as error:
            self._failed(error, "the records could not be tidied up")
        else:
            self._due = now + DAY

    def _failed(self, error: Exception, what: str) -> None:
        """Tell of it, and try again with the next tidying up, which is soon if the disk is ill."""
        soon = self._passes(error)
        if self._due is not None:
            self._due = min(self._due, self._clock.now() + (SOON if soon else AGAIN))
        if soon:
            log.warning("%s: %s", what, error)
        else:
            log.error("%s", what, exc_info=error)

    async def _close_all(self, guild: int) -> None:
        for table in self._tables.books:
            if table.session.opened.guild == guild:
                await self._close(table)

    async def _close(self, table: Table) -> None:
        try:
            await self._tables.close(table, GONE)
        except Exception:
            log.exception("%s: it could not be closed", table)

    @property
    def _present(self) -> frozenset[int]:
        return frozenset(guild.id for guild in self._client.guilds)

    @property
    def _application(self) -> int:
        assert self._client.application_id is not None, "the client has logged in"
        return self._client.application_id

    @property
    def _now(self) -> int:
        """Return Unix ms by Discord's clock: no wrong one deletes what a server may keep."""
        return int(self._tables.discord.now() * 1000)
