"""What a server has set, kept in memory: a table opens without waiting for the database."""

import asyncio
import logging
from collections.abc import Callable

from bot.games.kernel import AnyGame
from bot.i18n import FALLBACK, languages
from bot.records.archive import Archive
from bot.records.figures import Settings
from bot.tables.choices import all_of

log = logging.getLogger(__name__)


class Preferences:
    """Each server's settings are read once and changed only through here."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._known: dict[int, Settings] = {}
        self._changing = asyncio.Lock()
        self._reading = asyncio.Lock()

    async def of(self, guild: int) -> Settings:
        """The bot's defaults when they cannot be read: no table waits for the records. Whoever
        asks first is told first, so that commands keep their order of arrival.
        """
        try:
            async with self._reading:
                return await self._read(guild)
        except Exception:
            log.exception("server %d: its settings could not be read", guild)
            return Settings()

    async def change(self, guild: int, change: Callable[[Settings], Settings]) -> Settings:
        """One change after another, so that none undoes another. Raises what the archive does."""
        async with self._changing:
            changed = change(await self._read(guild))
            await self._archive.set(guild, changed)
            self._known[guild] = changed
            return changed

    def forget(self, guild: int) -> None:
        self._known.pop(guild, None)

    async def _read(self, guild: int) -> Settings:
        if guild not in self._known:
            read = await self._archive.settings(guild)
            # What was changed while this was read is newer.
            self._known.setdefault(guild, read)
        return self._known[guild]


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
