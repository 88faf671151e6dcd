"""The servers the bot is in, and what is kept of them for a time.

Only an application's own servers are ever compared or deleted, so using a database with
another application's token loses nothing.
"""

from collections.abc import Collection

import aiosqlite

from bot.groups.layout import WHOLE, Layout
from bot.ids import GuildId
from bot.store.database.query import Statement, rows

DAY = 24 * 60 * 60 * 1000
KEPT_FOR = 30 * DAY
"""Milliseconds that a server's data is kept after the bot was removed."""

_JOINED = """
    INSERT INTO guilds (guild, application, left_at) VALUES (?, ?, NULL)
    ON CONFLICT DO UPDATE SET application = excluded.application, left_at = NULL
"""
_LEFT = """
    UPDATE guilds SET left_at = ? WHERE guild = ? AND application = ? AND left_at IS NULL
"""
KNOWN = "SELECT guild FROM guilds WHERE application = ? AND left_at IS NULL"
KEEP = "SELECT guild, keep_logs FROM settings WHERE keep_logs IS NOT NULL"
POSTS_KEPT = 90 * 24 * 60 * 60
"""Seconds that a post is noted: long after it could be sent again."""
OLD_POSTS = "DELETE FROM posts WHERE at < ?"
OLD_LOGS = """
    DELETE FROM logs WHERE match_id IN (SELECT id FROM matches WHERE guild = ? AND ended < ?)
"""


def joined(guild: GuildId, application: int) -> Statement:
    return _JOINED, (guild, application)


def left(guild: GuildId, application: int, at: int) -> Statement:
    return _LEFT, (at, guild, application)


async def compare(
    db: aiosqlite.Connection,
    application: int,
    present: Collection[GuildId],
    at: int,
    layout: Layout = WHOLE,
) -> None:
    """Record, inside a transaction, which servers the bot is in and which removed it meanwhile.

    Called at startup and daily. `present` must hold every server of the layout that Discord lists,
    including those unavailable because of an outage. `at`: Unix ms. A server that moved to another
    group hasn't removed the bot, even if its rows are still here.
    """
    for (guild,) in await rows(db, KNOWN, (application,)):
        if guild not in present and layout.owns(GuildId(guild)):
            await db.execute(*left(guild, application, at))
    await db.executemany(_JOINED, [(guild, application) for guild in present])


async def old_logs(db: aiosqlite.Connection, now: int) -> list[Statement]:
    """Return statements that delete what has been kept for long enough. `now`: Unix ms.

    That is match logs past their server's retention, and notes of what was posted.
    """
    found = await rows(db, KEEP)
    logs: list[Statement] = [(OLD_LOGS, (guild, now - days * DAY)) for guild, days in found]
    return [*logs, (OLD_POSTS, (now / 1000 - POSTS_KEPT,))]
