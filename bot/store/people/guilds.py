"""The servers the bot is in, and the deletion of data of those it has left.

Only an application's own servers are ever compared or deleted, so using a database with
another application's token loses nothing.
"""

from collections.abc import Collection

import aiosqlite

from bot.ids import GuildId
from bot.store.database.query import rows
from bot.store.database.writer import Statement

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
OVERDUE = "SELECT guild FROM guilds WHERE application = ? AND left_at <= ?"
IS_OVERDUE = f"{OVERDUE} AND guild = ?"
_NUMBER_ONLY = """
    UPDATE tables
    SET guild = 0, channel = 0, closed = 1, message = NULL, token = NULL, nonce = NULL
    WHERE guild = ?
"""
_ARENA_NUMBER_ONLY = """
    UPDATE arenas
    SET guild = 0, channel = 0, put_away = 1, message = NULL, shown = NULL, token = NULL,
        secret = NULL
    WHERE guild = ?
"""
_DELETE = (
    "DELETE FROM standings WHERE leaderboard IN (SELECT id FROM leaderboards WHERE guild = ?)",
    "DELETE FROM leaderboards WHERE guild = ?",
    "DELETE FROM matches WHERE guild = ?",
    "DELETE FROM champions WHERE guild = ?",
    "DELETE FROM seasons WHERE guild = ?",
    "DELETE FROM open_seasons WHERE guild = ?",
    "DELETE FROM posts WHERE guild = ?",
    "DELETE FROM ratings_due WHERE guild = ?",
    "DELETE FROM ratings WHERE player IN (SELECT id FROM players WHERE guild = ?)",
    "DELETE FROM rivals WHERE player IN (SELECT id FROM players WHERE guild = ?)",
    "DELETE FROM players WHERE guild = ?",
    "DELETE FROM settings WHERE guild = ?",
    "DELETE FROM moderation WHERE guild = ?",
    "DELETE FROM paces WHERE guild = ?",
    "DELETE FROM journal WHERE table_id IN (SELECT id FROM tables WHERE guild = ?)",
    "DELETE FROM panels WHERE table_id IN (SELECT id FROM tables WHERE guild = ?)",
    "DELETE FROM direct_panels WHERE table_id IN (SELECT id FROM tables WHERE guild = ?)",
    "DELETE FROM pictures WHERE table_id IN (SELECT id FROM tables WHERE guild = ?)",
    "DELETE FROM mentions WHERE table_id IN (SELECT id FROM tables WHERE guild = ?)",
    "DELETE FROM arena_journal WHERE arena IN (SELECT id FROM arenas WHERE guild = ?)",
    "DELETE FROM arena_panels WHERE arena IN (SELECT id FROM arenas WHERE guild = ?)",
    _ARENA_NUMBER_ONLY,
    "DELETE FROM learned WHERE guild = ?",
    # The row stays, so that its table number is never reused.
    _NUMBER_ONLY,
    "DELETE FROM guilds WHERE guild = ?",
)
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
    db: aiosqlite.Connection, application: int, present: Collection[GuildId], at: int
) -> None:
    """Record, inside a transaction, which servers the bot is in and which removed it meanwhile.

    Called at startup and daily. `present` must hold every server that Discord lists, including
    those unavailable because of an outage. `at`: Unix ms.
    """
    for (guild,) in await rows(db, KNOWN, (application,)):
        if guild not in present:
            await db.execute(*left(guild, application, at))
    await db.executemany(_JOINED, [(guild, application) for guild in present])


async def overdue(db: aiosqlite.Connection, application: int, now: int) -> tuple[GuildId, ...]:
    """Return the servers that removed the bot more than 30 days ago. `now`: Unix ms."""
    found = await rows(db, OVERDUE, (application, now - KEPT_FOR))
    return tuple(guild for (guild,) in found)


async def purge(db: aiosqlite.Connection, guild: GuildId, application: int, now: int) -> None:
    """Delete all data of a server, inside a transaction, unless the bot is back in it."""
    if await rows(db, IS_OVERDUE, (application, now - KEPT_FOR, guild)):
        await delete(db, guild)


async def delete(db: aiosqlite.Connection, guild: GuildId) -> None:
    """Delete all data of a server, inside a transaction."""
    for sql in _DELETE:
        await db.execute(sql, (guild,))


async def old_logs(db: aiosqlite.Connection, now: int) -> list[Statement]:
    """Return statements that delete what has been kept for long enough. `now`: Unix ms.

    That is match logs past their server's retention, and notes of what was posted.
    """
    found = await rows(db, KEEP)
    logs: list[Statement] = [(OLD_LOGS, (guild, now - days * DAY)) for guild, days in found]
    return [*logs, (OLD_POSTS, (now / 1000 - POSTS_KEPT,))]
