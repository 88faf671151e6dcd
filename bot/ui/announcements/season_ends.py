"""The end of each server's month: its champions are kept, with or without a post about it."""

import asyncio
import logging
from collections.abc import Callable

import discord

from bot.ids import GuildId
from bot.records.archive import Archive
from bot.records.periods import known_zone
from bot.records.seasons.season import OpenSeason, season_at
from bot.tables.presses.discord_time import DiscordTime
from bot.ui.caches.champions import Champions
from bot.ui.caches.guild_settings import GuildSettings

log = logging.getLogger(__name__)

LOOK = 20.0
"""Seconds between two looks at all servers, by Discord's clock."""
NEW = 10 * 60.0
"""Seconds between two looks for servers that have played their first match."""
TURN = 200
"""Servers that are looked at in one go, so that presses never wait for this."""


class SeasonEnds:
    """The open season of every server, closed soon after the server's month has ended.

    Months that ended while the bot was away are closed one after the other. Each is one short
    transaction, so that a move waits for one server's at most.
    """

    def __init__(
        self,
        client: discord.Client,
        archive: Archive,
        guild_settings: GuildSettings,
        champions: Champions,
        time: DiscordTime,
        passes: Callable[[Exception], bool],
    ) -> None:
        self._client = client
        self._archive = archive
        self._guild_settings = guild_settings
        self._champions = champions
        self._time = time
        self._passes = passes
        self._open: dict[GuildId, OpenSeason] | None = None
        self._next = self._find = 0.0

    def of(self, guild: GuildId) -> OpenSeason | None:
        """Return a server's open season; None if it has never played, or before the first look."""
        return (self._open or {}).get(guild)

    def is_here(self, guild: GuildId) -> bool:
        return self._client.get_guild(guild) is not None

    def locale(self, guild: GuildId) -> str | None:
        """Return the language that a server has set in Discord."""
        there = self._client.get_guild(guild)
        return str(there.preferred_locale) if there is not None else None

    def zone(self, guild: GuildId) -> str:
        return known_zone(self._guild_settings.of(guild).time_zone)

    async def tick(self) -> None:
        """Close what is over. What fails is tried again at the next look."""
        now = self._time.now()
        if not self._client.is_ready() or now < self._next:
            return
        self._next = now + LOOK
        known = self._open
        if known is None:
            known = self._open = dict(await self._archive.seasons.open_seasons())
        if now >= self._find:
            await self._find_new(known)
            self._find = now + NEW
        for number, guild in enumerate(tuple(known)):
            if number % TURN == 0:
                await asyncio.sleep(0)
            if self.is_here(guild):
                await self._close(known, guild, int(now * 1000))

    async def _find_new(self, known: dict[GuildId, OpenSeason]) -> None:
        assert self._client.application_id is not None, "the client has logged in"
        found = await self._archive.seasons.unopened(self._client.application_id)
        new = {
            guild: season_at(first, self.zone(guild))
            for guild, first in found.items()
            if guild not in known
        }
        await self._archive.seasons.open(new)
        known.update(new)

    async def _close(self, known: dict[GuildId, OpenSeason], guild: GuildId, now: int) -> None:
        """Close every month of a server that is over. A failure (logged) holds up no other."""
        closed = False
        try:
            while (season := known[guild]).is_over(zone := self.zone(guild), now):
                ended = season.ends(zone)
                known[guild] = await self._archive.seasons.close(guild, season, ended)
                closed = True
            if closed:
                await self._champions.read(guild)
        except Exception as error:
            if self._passes(error):
                log.warning("server %d: season not closed, retrying: %s", guild, error)
            else:
                log.exception("server %d: season not closed, retrying", guild)
