"""Servers that add or remove the bot, and the daily cleanup of their data."""

import logging
from collections.abc import Callable

from bot.clock import Clock
from bot.ids import GuildId
from bot.names import plain
from bot.records.archive import Archive
from bot.tables.arenas.arenas import Arenas
from bot.tables.registry.registry import Tables
from bot.tables.running.table import Table
from bot.ui.caches.guild_settings import GuildSettings
from bot.ui.connection.client import Client
from bot.ui.toolkit.invitation import is_absent

log = logging.getLogger(__name__)

DAY = 24 * 60 * 60.0
AGAIN = 60 * 60.0
"""Seconds until a failed cleanup is retried."""
SOON = 60.0
"""Seconds until a cleanup is retried that failed because of a disk error."""
WIDTH = 40
"""Columns of a server's name in the log."""
GONE = "table.closed.server"


class Servers:
    """The archive's list of servers, kept in step with Discord.

    discord.py reports an outage as `guild_unavailable`, a removal as `guild_remove`. Servers with
    an outage stay in `client.guilds`, even if it began before the bot started. Those of other
    groups are never there: nothing is decided about them.

    `passes`: whether a failure is a temporary disk error. The next cleanup corrects what it
    kept from being recorded.
    """

    def __init__(
        self,
        client: Client,
        archive: Archive,
        playing: tuple[Tables, Arenas],
        guild_settings: GuildSettings,
        clock: Clock,
        passes: Callable[[Exception], bool],
    ) -> None:
        self._client = client
        self._archive = archive
        self._tables, self._arenas = playing
        self._guild_settings = guild_settings
        self._clock = clock
        self._passes = passes
        self._due: float | None = None  # monotonic; None until Discord has listed all servers

    async def ready(self) -> None:
        """Catch up on servers that removed the bot while it was away. Called once all are listed.

        Before tables of an unlisted server are closed, Discord is asked about that server.
        """
        for guild in sorted({table.session.opened.guild for table in self._tables.index}):
            if self._client.layout.owns(guild) and await is_absent(self._client, guild):
                await self._close_all(guild)
        await self.tidy()

    async def joined(self, guild: GuildId) -> None:
        known = self._client.get_guild(guild)
        called = plain(known.name, WIDTH) if known is not None else ""
        log.info("server %d (%s): the bot was added, %s", guild, called, self._count)
        try:
            await self._archive.joined(guild, self._application)
            await self._guild_settings.read(guild)
        except Exception as error:
            self._failed(error, f"server {guild}: could not record that the bot was added")

    async def left(self, guild: GuildId) -> None:
        """Close the tables of a server that removed the bot, so that their players are free."""
        log.info("server %d: the bot was removed, %s", guild, self._count)
        try:
            await self._archive.left(guild, self._application, self._now)
        except Exception as error:
            self._failed(error, f"server {guild}: could not record that the bot was removed")
        await self._close_all(guild)

    @property
    def is_due(self) -> bool:
        """True once a day, and some time after a failure, but not before `ready`."""
        return self._due is not None and self._clock.now() >= self._due

    async def tick(self) -> None:
        if self.is_due:
            await self.tidy()

    async def tidy(self) -> None:
        """Run the daily cleanup. Only called once Discord has listed all servers.

        Nothing is deleted unless the list of servers was recorded first. Failures are logged.
        """
        now = self._clock.now()
        self._due = now + AGAIN
        try:
            await self._archive.compare(self._application, self._present, self._now)
            await self._archive.purge(self._application, self._now)
        except Exception as error:
            self._failed(error, "daily cleanup failed")
        else:
            self._due = now + DAY

    def _failed(self, error: Exception, what: str) -> None:
        """Log a failure, and bring the next cleanup forward, most of all after a disk error."""
        soon = self._passes(error)
        if self._due is not None:
            self._due = min(self._due, self._clock.now() + (SOON if soon else AGAIN))
        if soon:
            log.warning("%s: %s", what, error)
        else:
            log.error("%s", what, exc_info=error)

    async def _close_all(self, guild: GuildId) -> None:
        try:
            await self._arenas.close_all(guild, GONE)
        except Exception:
            log.exception("server %d: closing an arena failed", guild)
        for table in self._tables.index:
            if table.session.opened.guild == guild:
                await self._close(table)

    async def _close(self, table: Table) -> None:
        try:
            await self._tables.close(table, GONE)
        except Exception:
            log.exception("%s: closing failed", table)

    @property
    def _count(self) -> str:
        count = len(self._present)
        return f"now in {count} server{'s' * (count != 1)}"

    @property
    def _present(self) -> frozenset[GuildId]:
        return frozenset(GuildId(guild.id) for guild in self._client.guilds)

    @property
    def _application(self) -> int:
        assert self._client.application_id is not None, "the client has logged in"
        return self._client.application_id

    @property
    def _now(self) -> int:
        """Return Unix ms by Discord's clock: no wrong one deletes what a server may keep."""
        return int(self._tables.discord.now() * 1000)
