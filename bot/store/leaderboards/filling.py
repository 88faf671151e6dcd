"""The background job that fills new leaderboards, and clears those of past weeks and years."""

import logging
import sqlite3
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeAlias

import aiosqlite

from bot.clock import Clock
from bot.ids import GuildId
from bot.records.periods import Bounds
from bot.records.ratings import NEWCOMER, shown
from bot.store.database.query import first, rows
from bot.store.database.writer import Writer
from bot.store.leaderboards.kept import EVERYBODY

Completed: TypeAlias = Callable[[aiosqlite.Connection, GuildId, str, Bounds], Awaitable[None]]
log = logging.getLogger(__name__)

BATCH = 100
"""People per transaction, for which a move waits at most."""
REST = 0.05
"""Seconds between two transactions, so that presses come first."""
AGAIN = 60 * 60.0
"""Seconds until a retry after a failure."""
UNFILLED = """
    SELECT id, guild, game, start, until, filled FROM leaderboards
    WHERE filled < 9223372036854775807 ORDER BY id LIMIT 1
"""
_STATE = """
    SELECT id, guild, game, start, until, filled FROM leaderboards
    WHERE id = ? AND filled < 9223372036854775807
"""
PEOPLE = "SELECT id FROM players WHERE guild = ? AND id > ? ORDER BY id LIMIT ?"
FILL = """
    INSERT INTO standings (leaderboard, player, matches, wins, points, rounds, shown, margin)
    SELECT ?, s.player, sum(1 - s.of_arena), sum(s.won * (1 - s.of_arena)), sum(s.points),
           sum(s.rounds),
           coalesce(r.shown, ?), coalesce(r.margin, ?)
    FROM seats s LEFT JOIN ratings r ON r.player = s.player AND r.game = s.game
    WHERE s.guild = ? AND s.game = ? AND s.rated = 1 AND s.player > ? AND s.player <= ?
      AND s.ended >= ? AND s.ended < ?
    GROUP BY s.player
"""
_FILLED = "UPDATE leaderboards SET filled = ? WHERE id = ?"
PAST = """
    SELECT id FROM leaderboards
    WHERE is_rated = 0 AND period IN ('year', 'week') ORDER BY id LIMIT 1
"""
CLEAR = """
    DELETE FROM standings WHERE leaderboard = ? AND player IN (
        SELECT player FROM standings WHERE leaderboard = ? ORDER BY player LIMIT ?)
"""
_HAS_MORE = "SELECT 1 FROM standings WHERE leaderboard = ? LIMIT 1"
_GONE = "DELETE FROM leaderboards WHERE id = ?"


async def _nothing(*_: object) -> None:
    pass


class LeaderboardFilling:
    """A resumable job: each leaderboard notes up to whom it is filled.

    `completed` is called inside the transaction that completes one.
    """

    def __init__(
        self,
        reader: aiosqlite.Connection,
        writer: Writer,
        clock: Clock,
        completed: Completed = _nothing,
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._clock = clock
        self._completed = completed

    async def run(self) -> None:
        """Run until all are complete. Cancelling loses the work on one batch at most."""
        while True:
            try:
                while (row := await first(self._reader, UNFILLED)) is not None:
                    await self._writer.write([partial(self._fill, leaderboard=row[0])])
                    await self._clock.sleep(REST)
                while (row := await first(self._reader, PAST)) is not None:
                    await self._writer.write([partial(_clear, leaderboard=row[0])])
                    await self._clock.sleep(REST)
            except sqlite3.Error as error:
                log.warning("leaderboards: filling failed, retrying in %d s: %s", AGAIN, error)
                await self._clock.sleep(AGAIN)
            else:
                return

    async def _fill(self, db: aiosqlite.Connection, leaderboard: int) -> None:
        """Add the next people, inside a transaction. Others' matches go on it meanwhile."""
        if (row := await first(db, _STATE, (leaderboard,))) is None:
            return
        _, guild, game, start, until, filled = row
        people = await rows(db, PEOPLE, (guild, filled, BATCH))
        last = people[-1][0] if len(people) == BATCH else EVERYBODY
        new = shown(NEWCOMER, game)
        times = (guild, game, filled, last, start, until)
        await db.execute(FILL, (leaderboard, new.points, new.margin, *times))
        await db.execute(_FILLED, (last, leaderboard))
        if last == EVERYBODY:
            await self._completed(db, guild, game, Bounds(start, until))


async def _clear(db: aiosqlite.Connection, leaderboard: int) -> None:
    """Delete the next people of a past leaderboard, inside a transaction; at last itself."""
    await db.execute(CLEAR, (leaderboard, leaderboard, BATCH))
    if await first(db, _HAS_MORE, (leaderboard,)) is None:
        await db.execute(_GONE, (leaderboard,))
