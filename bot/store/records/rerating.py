"""The background job that recalculates ratings: after an upgrade, or when an old match is void."""

import logging
import sqlite3

import aiosqlite

from bot.clock import Clock
from bot.ids import GuildId
from bot.store.database.query import rows
from bot.store.database.writer import Writer
from bot.store.records.rated_round_backfill import find_missing
from bot.store.records.rewriting import OutOfDateError, Rewriting, due_now
from bot.store.records.stored_ratings import DUE, forecast

log = logging.getLogger(__name__)

REST = 0.05
"""Seconds between two steps, so that presses come first."""
AGAIN = 60 * 60.0
"""Seconds until a retry after a failure."""


class Rerating:
    """A resumable recalculation of all ratings that are due.

    A server's old ratings of a game are shown until all its new ones are worked out; then these
    are written in small transactions.
    """

    def __init__(self, reader: aiosqlite.Connection, writer: Writer, clock: Clock) -> None:
        self._reader = reader
        self._writer = writer
        self._clock = clock
        self._rewriting = Rewriting(reader, writer, clock)

    async def run(self) -> None:
        """Run until nothing is due. Cancelling loses the work on one server's game at most."""
        while due := await rows(self._reader, DUE):
            log.info("ratings: recalculating %d leaderboards in the background", len(due))
            began, matches = self._clock.now(), 0
            try:
                for guild, game in due:
                    matches += await self._renewed(guild, game)
            except sqlite3.Error as error:
                log.warning("ratings: recalculation failed, retrying in %d s: %s", AGAIN, error)
                await self._clock.sleep(AGAIN)
            else:
                seconds = self._clock.now() - began
                log.info("ratings: %d matches recalculated in %.0f s", matches, seconds)

    async def _renewed(self, guild: GuildId, game: str) -> int:
        """Recalculate one server's ratings of a game. Return the number of matches rated."""
        async for sql, values in find_missing(self._reader, guild, game):
            await self._writer.write([(sql, one) for one in values])
            await self._clock.sleep(REST)
        matches = 0
        while (due := await due_now(self._reader, guild, game)) is not None:
            ready = await forecast(self._reader, guild, game, due.since)
            try:
                await self._rewriting.write(due, ready)
            except OutOfDateError:
                log.info("server %d: data changed, restarting the ratings of %s", guild, game)
                continue
            matches += ready.matches
        return matches
