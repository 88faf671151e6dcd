"""The game that a command is about if none is named."""

from bot.games import GAMES
from bot.ids import GuildId
from bot.records.archive import Archive


async def latest_game(archive: Archive, guild: GuildId) -> str:
    """Return the game last played on this server, else the first of all games."""
    return await archive.latest_game(guild) or next(iter(GAMES))
