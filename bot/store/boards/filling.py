"""The background job that fills new boards, and clears those of past weeks and years."""

import logging
import sqlite3
from functools import partial

import aiosqlite

from bot.clock import Clock
from bot.records.ratings import NEWCOMER, shown
from bot.store.boards.boards import EVERYBODY
from bot.store.database.query import first, rows
from bot.store.database.writer import Writer

log = logging.getLogger(__name__)

BATCH = 50
"""People per transaction, for which a move waits at most."""
REST = 0.05
"""Seconds between two transactions, so that presses come first."""
AGAIN = 60 * 60.0
"""Seconds until a retry after a failure."""
UNFILLED = """
    SELECT id, guild, game, start, until, filled FROM boards
    WHERE filled < 9223372036854775807 ORDER BY id LIMIT 1
"""
_STATE = """
    SELECT id, guild, game, start, until, filled FROM boards
    WHERE id = ? AND filled < 9223372036854775807
"""
PEOPLE = "SELECT id FROM players WHERE guild = ? AND id > ? ORDER BY id LIMIT ?"
FILL = """
    INSERT INTO standings (board, player, matches, wins, points, rounds, shown, margin)
    SELECT ?, s.player, count(*), sum(s.won), sum(s.points), sum(s.rounds),
           coalesce(r.shown, ?), coalesce(r.margin, ?)
    FROM seats s LEFT JOIN ratings r ON r.player = s.player AND r.game = s.game
    WHERE s.guild = ? AND s.game = ? AND s.rated = 1 AND s.player > ? AND s.player <= ?
      AND s.ended >= ? AND s.ended < ?
    GROUP BY s.player
"""
_FILLED = "UPDATE boards SET filled = ? WHERE id = ?"
PAST = "SELECT id FROM boards WHERE is_rated = 0 AND period IN ('year', 'week') ORDER BY id LIMIT 1"
CLEAR = """
    DELETE FROM standings WHERE board = ? AND player IN (
        SELECT player FROM standings WHERE board = ? ORDER BY player LIMIT ?)
"""
_HAS_MORE = "SELECT 1 FROM standings WHERE board = ? LIMIT 1"
_GONE = "DELETE FROM boards WHERE id = ?"


class BoardFilling:
    """A resumable job: each board notes up to whom it is filled."""

    def __init__(self, reader: aiosqlite.Connection, writer: Writer, clock: Clock) -> None:
        self._reader = reader
        self._writer = writer
        self._clock = clock

    async def run(self) -> None:
        """Run until every board is complete. Cancelling loses the work on one batch at most."""
        try:
            while (row := await first(self._reader, UNFILLED)) is not None:
                await self._writer.write([partial(_fill, board=row[0])])
                await self._clock.sleep(REST)
            while (row := await first(self._reader, PAST)) is not None:
                await self._writer.write([partial(_clear, board=row[0])])
                await self._clock.sleep(REST)
        except sqlite3.Error as error:
            log.warning("leaderboards: filling failed, retrying in %d s: %s", AGAIN, error)
            await self._clock.sleep(AGAIN)


async def _fill(db: aiosqlite.Connection, board: int) -> None:
    """Add the next people to a board, inside a transaction. Others' matches go on it meanwhile."""
    if (row := await first(db, _STATE, (board,))) is None:
        return
    _, guild, game, start, until, filled = row
    people = await rows(db, PEOPLE, (guild, filled, BATCH))
    if not people:
        await db.execute(_FILLED, (EVERYBODY, board))
        return
    ((last,),) = people[-1:]
    new = shown(NEWCOMER, game)
    times = (guild, game, filled, last, start, until)
    await db.execute(FILL, (board, new.points, new.margin, *times))
    await db.execute(_FILLED, (last, board))


async def _clear(db: aiosqlite.Connection, board: int) -> None:
    """Take the next people off a board of the past, inside a transaction, and at last the board."""
    await db.execute(CLEAR, (board, board, BATCH))
    if await first(db, _HAS_MORE, (board,)) is None:
        await db.execute(_GONE, (board,))
