"""Which servers the bot is in, and the end of what is kept of one it has left.

Only an application's own servers are ever compared or deleted: a database that is used with
another application's token loses nothing.
"""

from collections.abc import Collection

import aiosqlite

from bot.store.rows import rows
from bot.store.writer import Statement

DAY = 24 * 60 * 60 * 1000
KEPT_FOR = 30 * DAY
"""How long a server's data is kept after the bot was removed, in ms."""

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
_DELETE = (
    "DELETE FROM matches WHERE guild = ?",
    "DELETE FROM ratings_due WHERE guild = ?",
    "DELETE FROM ratings WHERE player IN (SELECT id FROM players WHERE guild = ?)",
    "DELETE FROM players WHERE guild = ?",
    "DELETE FROM settings WHERE guild = ?",
    "DELETE FROM moderation WHERE guild = ?",
    "DELETE FROM paces WHERE guild = ?",
    "DELETE FROM journal WHERE table_id IN (SELECT id FROM tables WHERE guild = ?)",
    "DELETE FROM panels WHERE table_id IN (SELECT id FROM tables WHERE guild = ?)",
    "DELETE FROM direct_panels WHERE table_id IN (SELECT id FROM tables WHERE guild = ?)",
    "DELETE FROM pictures WHERE table_id IN (SELECT id FROM tables WHERE guild = ?)",
    "DELETE FROM learned WHERE guild = ?",
    # The number stays, so that no table ever gets it again.
    _NUMBER_ONLY,
    "DELETE FROM guilds WHERE guild = ?",
)
KEEP = "SELECT guild, keep_logs FROM settings WHERE keep_logs IS NOT NULL"
OLD_LOGS = """
    DELETE FROM logs WHERE match_id IN (SELECT id FROM matches WHERE guild = ? AND ended < ?)
"""


def joined(guild: int, application: int) -> Statement:
    return _JOINED, (guild, application)


def left(guild: int, application: int, at: int) -> Statement:
    return _LEFT, (at, guild, application)


async def compare(
    db: aiosqlite.Connection, application: int, present: Collection[int], at: int
) -> None:
    """At the start, inside a transaction: which servers removed the bot while it was away.

    `present` must hold every server Discord lists, also those that are unavailable because of an
    outage.
    """
    for (guild,) in await rows(db, KNOWN, (application,)):
        if guild not in present:
            await db.execute(*left(guild, application, at))
    await db.executemany(_JOINED, [(guild, application) for guild in present])


async def overdue(db: aiosqlite.Connection, application: int, now: int) -> tuple[int, ...]:
    """The servers that removed the bot more than 30 days ago."""
    found = await rows(db, OVERDUE, (application, now - KEPT_FOR))
    return tuple(guild for (guild,) in found)


async def purge(db: aiosqlite.Connection, guild: int, application: int, now: int) -> None:
    """Deletes all that is kept of a server, inside a transaction, unless it has come back."""
    if await rows(db, IS_OVERDUE, (application, now - KEPT_FOR, guild)):
        await delete(db, guild)


async def delete(db: aiosqlite.Connection, guild: int) -> None:
    """Deletes all that is kept of a server, inside a transaction."""
    for sql in _DELETE:
        await db.execute(sql, (guild,))


async def old_logs(db: aiosqlite.Connection, now: int) -> list[Statement]:
    """Deletes the logs that each server wants no more."""
    found = await rows(db, KEEP)
    return [(OLD_LOGS, (guild, now - days * DAY)) for guild, days in found]
