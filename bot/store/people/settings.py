"""The settings of each server."""

import json
from collections.abc import Iterable
from typing import Any

import aiosqlite

from bot.ids import GuildId
from bot.records.models import Settings
from bot.store.database.query import first
from bot.store.database.writer import Statement

SETTINGS = "SELECT language, time_zone, keep_logs, defaults, ping FROM settings WHERE guild = ?"
EVERY_SETTINGS = "SELECT guild, language, time_zone, keep_logs, defaults, ping FROM settings"
_SET = """
    INSERT INTO settings (guild, language, time_zone, keep_logs, defaults, ping)
    VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET language = excluded.language, time_zone = excluded.time_zone,
        keep_logs = excluded.keep_logs, defaults = excluded.defaults,
        ping = excluded.ping
"""


async def settings(db: aiosqlite.Connection, guild: GuildId) -> Settings:
    row = await first(db, SETTINGS, (guild,))
    return Settings() if row is None else _settings(row)


def _settings(row: Iterable[Any]) -> Settings:
    language, time_zone, keep_logs, defaults, ping = row
    return Settings(language, time_zone, keep_logs, json.loads(defaults), bool(ping))


async def every_settings(db: aiosqlite.Connection) -> dict[GuildId, Settings]:
    """Return settings by server; servers with defaults only are missing."""
    async with db.execute(EVERY_SETTINGS) as cursor:
        return {GuildId(guild): _settings(row) async for guild, *row in cursor}


def setting(guild: GuildId, settings: Settings) -> Statement:
    """Return a statement that replaces a server's settings."""
    by_game = {game: dict(options) for game, options in (settings.defaults or {}).items()}
    values = (settings.language, settings.time_zone, settings.keep_logs, json.dumps(by_game))
    return _SET, (guild, *values, settings.ping)
