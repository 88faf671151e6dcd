"""The settings of each server."""

import json
from collections.abc import Iterable
from typing import Any

import aiosqlite

from bot.ids import GuildId
from bot.records.models import Settings
from bot.records.post_settings import Posts
from bot.store.database.query import Statement, first

_COLUMNS = """
    language, time_zone, keep_logs, defaults, ping, posts_in, post_seasons, digest_day, digest_hour,
    posts_since, digest_since, recap_hour, recap_since
"""
SETTINGS = f"SELECT {_COLUMNS} FROM settings WHERE guild = ?"  # noqa: S608 this module's own
EVERY_SETTINGS = f"SELECT guild, {_COLUMNS} FROM settings"  # noqa: S608 this module's own
_SET = f"""
    INSERT INTO settings (guild, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET language = excluded.language, time_zone = excluded.time_zone,
        keep_logs = excluded.keep_logs, defaults = excluded.defaults,
        ping = excluded.ping, posts_in = excluded.posts_in,
        post_seasons = excluded.post_seasons, digest_day = excluded.digest_day,
        digest_hour = excluded.digest_hour, posts_since = excluded.posts_since,
        digest_since = excluded.digest_since,
        recap_hour = excluded.recap_hour, recap_since = excluded.recap_since
"""  # noqa: S608 this module's own


async def settings(db: aiosqlite.Connection, guild: GuildId) -> Settings:
    row = await first(db, SETTINGS, (guild,))
    return Settings() if row is None else _settings(row)


def _settings(row: Iterable[Any]) -> Settings:
    language, time_zone, keep_logs, defaults, ping, channel, seasons, *digest = row
    posts = Posts(channel, bool(seasons), *digest)
    return Settings(language, time_zone, keep_logs, json.loads(defaults), bool(ping), posts)


async def every_settings(db: aiosqlite.Connection) -> dict[GuildId, Settings]:
    """Return settings by server; servers with defaults only are missing."""
    async with db.execute(EVERY_SETTINGS) as cursor:
        return {GuildId(guild): _settings(row) async for guild, *row in cursor}


def setting(guild: GuildId, settings: Settings) -> Statement:
    """Return a statement that replaces a server's settings."""
    by_game = {game: dict(options) for game, options in (settings.defaults or {}).items()}
    values = (settings.language, settings.time_zone, settings.keep_logs, json.dumps(by_game))
    posts = settings.posts
    of_posts = (posts.channel, posts.seasons, posts.day, posts.hour)
    since = (posts.since, posts.digest_since)
    recap = (posts.recap_hour, posts.recap_since)
    return _SET, (guild, *values, settings.ping, *of_posts, *since, *recap)
