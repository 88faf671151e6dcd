"""What a server has set, kept in memory: a table opens without waiting for the database."""

import asyncio
import logging
from collections.abc import Callable

from bot.games.contract import AnyGame
from bot.i18n import FALLBACK, languages
from bot.records.archive import Archive
from bot.records.figures import Settings
from bot.tables.choices import all_of

log = logging.getLogger(__name__)


class Preferences:
    """Every server's settings, read at the start and changed only through here: a command waits
    for nothing, so that it keeps its place among presses.
    """

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._known: dict[int, Settings] = {}
        self._changing = asyncio.Lock()

    async def load(self) -> None:
        """When they cannot be read, the bot's defaults hold: no table waits for the records."""
        try:
            self._known = dict(await self._archive.every_settings())
        except Exception:
            log.exception("the servers' settings could not be read")

    async def read(self, guild: int) -> None:
        """Anew, since it may have been deleted. Raises what the archive does."""
        self._known[guild] = await self._archive.settings(guild)

    def of(self, guild: int) -> Settings:
        return self._known.get(guild, Settings())

    async def change(self, guild: int, change: Callable[[Settings], Settings]) -> Settings:
        """One change after another, so that none undoes another. Raises what the archive does."""
        async with self._changing:
            changed = change(await self._archive.settings(guild))
            await self._archive.set(guild, changed)
            self._known[guild] = changed
            return changed


def spoken(settings: Settings, guild_locale: str | None) -> str:
    """The locale of public messages: as set, else the server's, else English."""
    if settings.language in languages():
        return settings.language
    return guild_locale or FALLBACK


def opening(settings: Settings, game: AnyGame) -> dict[str, str]:
    """The options a table opens with. A default that is no choice any more is passed over."""
    wanted = settings.of_game(game.key)
    return {
        option.key: value if (value := wanted.get(option.key)) in option.values else option.default
        for option in all_of(game)
    }
