"""The deletion of a server's data, in small transactions: a move waits for one of them at most."""

# ruff: noqa: S608 the statements are put together from this module's own words

import logging
import sqlite3
from functools import partial

import aiosqlite

from bot.clock import Clock
from bot.groups.layout import Layout
from bot.ids import GuildId
from bot.store.database.query import Statement, first, rows, together
from bot.store.database.writer import Writer

log = logging.getLogger(__name__)

BATCH = 50
"""Rows of a kind per transaction: matches, people, tables, or places on a leaderboard."""
REST = 0.05
"""Seconds between two transactions, so that presses come first."""
AGAIN = 60 * 60.0
"""Seconds until a retry after a failure."""
ALL_DUE = "SELECT guild FROM deletions ORDER BY guild"
DUE = f"{ALL_DUE} LIMIT 1"
_OVERDUE = "SELECT guild FROM guilds WHERE application = ? AND left_at <= ?"
_BEGIN = ("INSERT OR IGNORE INTO deletions VALUES (?)", "DELETE FROM guilds WHERE guild = ?")
_PLACES = "FROM leaderboards b CROSS JOIN standings s ON s.leaderboard = b.id WHERE b.guild = ?"
HAS_PLACES = f"SELECT 1 {_PLACES} LIMIT 1"
PLACES = f"""
    DELETE FROM standings WHERE (leaderboard, player) IN (
        SELECT s.leaderboard, s.player {_PLACES} LIMIT ?)
"""
HAS_MATCHES = "SELECT 1 FROM matches WHERE guild = ? LIMIT 1"
MATCHES = """
    DELETE FROM matches WHERE id IN (SELECT id FROM matches WHERE guild = ? ORDER BY id LIMIT ?)
"""
HAS_PEOPLE = "SELECT 1 FROM players WHERE guild = ? LIMIT 1"
_SOME_PEOPLE = "IN (SELECT id FROM players WHERE guild = ? ORDER BY id LIMIT ?)"
PEOPLE = (
    f"DELETE FROM champions WHERE player {_SOME_PEOPLE}",
    f"DELETE FROM ratings WHERE player {_SOME_PEOPLE}",
    f"DELETE FROM rivals WHERE player {_SOME_PEOPLE}",
    f"DELETE FROM players WHERE id {_SOME_PEOPLE}",
)
HAS_TABLES = "SELECT 1 FROM tables WHERE guild = ? LIMIT 1"
_SOME_TABLES = "IN (SELECT id FROM tables WHERE guild = ? ORDER BY id LIMIT ?)"
TABLES = (
    f"DELETE FROM journal WHERE table_id {_SOME_TABLES}",
    f"DELETE FROM panels WHERE table_id {_SOME_TABLES}",
    f"DELETE FROM direct_panels WHERE table_id {_SOME_TABLES}",
    f"DELETE FROM pictures WHERE table_id {_SOME_TABLES}",
    f"DELETE FROM mentions WHERE table_id {_SOME_TABLES}",
    # The row stays, so that its table number is never reused.
    f"""
    UPDATE tables
    SET guild = 0, channel = 0, closed = 1, message = NULL, token = NULL, nonce = NULL
    WHERE id {_SOME_TABLES}
    """,
)
HAS_ARENAS = "SELECT 1 FROM arenas WHERE guild = ? LIMIT 1"
_SOME_ARENAS = "IN (SELECT id FROM arenas WHERE guild = ? ORDER BY id LIMIT ?)"
ARENAS = (
    f"DELETE FROM arena_journal WHERE arena {_SOME_ARENAS}",
    f"DELETE FROM arena_panels WHERE arena {_SOME_ARENAS}",
    # The row stays, so that its number is never reused.
    f"""
    UPDATE arenas
    SET guild = 0, channel = 0, put_away = 1, message = NULL, shown = NULL, token = NULL,
        secret = NULL
    WHERE id {_SOME_ARENAS}
    """,
)
_MANY = (
    (HAS_PLACES, (PLACES,)),
    (HAS_MATCHES, (MATCHES,)),
    (HAS_PEOPLE, PEOPLE),
    (HAS_TABLES, TABLES),
    (HAS_ARENAS, ARENAS),
)
"""In this order: people are named by matches."""
_FEW = tuple(
    f"DELETE FROM {table} WHERE guild = ?"
    for table in (
        *("leaderboards", "seasons", "open_seasons", "posts", "ratings_due", "settings"),
        *("moderation", "paces", "learned", "daily_places", "deletions"),
    )
)


class ServerDeletion:
    """A resumable job: a deletion that has begun is finished, after a kill as well."""

    def __init__(self, reader: aiosqlite.Connection, writer: Writer, clock: Clock) -> None:
        self._reader = reader
        self._writer = writer
        self._clock = clock

    async def run(self) -> None:
        """Run until nothing is due. Cancelling loses the work on one batch at most."""
        while True:
            try:
                while (row := await first(self._reader, DUE)) is not None:
                    await self._writer.write([partial(step, guild=row[0])])
                    await self._clock.sleep(REST)
            except sqlite3.Error as error:
                log.warning("deleted servers: cleanup failed, retrying in %d s: %s", AGAIN, error)
                await self._clock.sleep(AGAIN)
            else:
                return


async def begin_overdue(
    db: aiosqlite.Connection, application: int, before: int, layout: Layout
) -> None:
    """Begin, inside a transaction, to delete servers that removed the bot `before` or then.

    `before`: Unix ms. Only servers of this layout: whether others have come back isn't known here.
    If the bot comes back later, the server starts from scratch: what is played meanwhile may be
    deleted too.
    """
    for (guild,) in await rows(db, _OVERDUE, (application, before)):
        if layout.owns(guild):
            await together(db, begun(guild))


def begun(guild: GuildId) -> list[Statement]:
    """Return what begins the deletion of a server."""
    return [(sql, (guild,)) for sql in _BEGIN]


async def step(db: aiosqlite.Connection, guild: GuildId) -> None:
    """Delete the next of a server's data, inside a transaction; at last that it is due."""
    for has_more, statements in _MANY:
        if await first(db, has_more, (guild,)) is not None:
            for sql in statements:
                await db.execute(sql, (guild, BATCH))
            return
    for sql in _FEW:
        await db.execute(sql, (guild,))
