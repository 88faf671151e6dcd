"""The champions of the last season, kept in memory so that no table or list waits for them."""

import logging
from collections.abc import Collection

from bot.ids import GuildId, UserId
from bot.records.archive import Archive

log = logging.getLogger(__name__)


class Champions:
    """The people who wear a champion's mark, by server and game, until the next season ends."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._known: dict[GuildId, frozenset[tuple[str, UserId]]] = {}

    async def recall(self) -> None:
        """Read every server's. If that fails (logged), nobody wears the mark until it is read."""
        try:
            self._known = dict(await self._archive.seasons.every_champion())
        except Exception:
            log.exception("champions not read, marking nobody")

    async def read(self, guild: GuildId) -> None:
        """Read a server's anew: a season was closed, or a match voided."""
        self._known[guild] = await self._archive.seasons.champions(guild)

    def of(self, guild: GuildId, game: str) -> Collection[UserId]:
        return {user for what, user in self._known.get(guild, ()) if what == game}

    def forget(self, user: UserId) -> None:
        self._known = {
            guild: frozenset(one for one in known if one[1] != user)
            for guild, known in self._known.items()
        }
