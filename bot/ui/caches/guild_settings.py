"""Server settings, kept in memory so that opening a table never waits for the database."""

import asyncio
import logging
from collections.abc import Callable

from bot.games.contract import AnyGame
from bot.i18n import FALLBACK, languages
from bot.ids import GuildId
from bot.records.archive import Archive
from bot.records.models import Settings
from bot.records.post_settings import Posts
from bot.tables.state.options import all_of

log = logging.getLogger(__name__)


class GuildSettings:
    """The settings of every server, read at startup and changed only through this class.

    `of` awaits nothing, so a command keeps its place among presses.
    """

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._known: dict[GuildId, Settings] = {}
        self._changing = asyncio.Lock()

    async def load(self) -> None:
        """Load all settings. If that fails (logged), the bot's defaults are used."""
        try:
            self._known = dict(await self._archive.every_settings())
        except Exception:
            log.exception("server settings not read, using defaults")

    async def read(self, guild: GuildId) -> None:
        """Reload a server's settings, which may have been deleted. Raises what the archive does."""
        self._known[guild] = await self._archive.settings(guild)

    def of(self, guild: GuildId) -> Settings:
        return self._known.get(guild, Settings())

    def posting(self) -> list[tuple[GuildId, Posts]]:
        """Return the servers that want something posted."""
        return [
            (guild, known.posts)
            for guild, known in self._known.items()
            if known.posts.channel is not None
        ]

    async def change(self, guild: GuildId, change: Callable[[Settings], Settings]) -> Settings:
        """Apply a change to a server's settings, store them, and return them.

        Changes run one at a time, so that none undoes another. Raises what the archive does.
        """
        async with self._changing:
            changed = change(await self._archive.settings(guild))
            await self._archive.set(guild, changed)
            self._known[guild] = changed
            return changed


def public_locale(settings: Settings, guild_locale: str | None) -> str:
    """Return the locale of public messages: the one set, else the server's, else English."""
    if settings.language in languages():
        return settings.language
    return guild_locale or FALLBACK


def opening_options(settings: Settings, game: AnyGame) -> dict[str, str]:
    """Return the options a table opens with. Defaults that are no longer a choice are ignored."""
    wanted = settings.of_game(game.key)
    return {
        option.key: value if (value := wanted.get(option.key)) in option.values else option.default
        for option in all_of(game)
    }
