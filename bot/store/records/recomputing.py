"""The operator's command that recalculates every rating, while no bot runs."""

import sqlite3
from pathlib import Path

import aiosqlite

from bot.progress_reporting import Progress, Steps, unwatched
from bot.store.database import missing_or_damaged
from bot.store.database.file import connect
from bot.store.database.lock import only_process
from bot.store.database.query import rows
from bot.store.records.rated_round_backfill import find_missing
from bot.store.records.stored_ratings import forecast, swap

_STEPS = """
    SELECT count(*) FILTER (WHERE rated_rounds IS NULL)
        + count(*) FILTER (WHERE standing != 'void' AND rated_rounds IS NOT '[]')
    FROM matches
"""
_GAMES = "SELECT DISTINCT guild, game FROM matches ORDER BY guild, game"


async def recompute(db: aiosqlite.Connection, progress: Progress = unwatched) -> int:
    """Recalculate every rating from all rated rounds. Return the number of matches rated.

    Each game of each server gets its own transaction.
    """
    matches, ((total,),) = 0, await rows(db, _STEPS)
    steps = Steps(total, progress)
    for guild, game in await rows(db, _GAMES):
        async for sql, values in find_missing(db, guild, game):
            await db.executemany(sql, [*steps.of(values)])
        await db.execute("BEGIN IMMEDIATE")
        try:
            matches += await swap(db, await forecast(db, guild, game, watch=steps.of))
            await db.execute("COMMIT")
        finally:
            if db.in_transaction:
                await db.rollback()
    return matches


async def recompute_file(path: Path, progress: Progress = unwatched) -> int:
    """Call `recompute` on a file that no process uses.

    Raises DatabaseError if another process uses it, if it doesn't exist or if the disk fails. Even
    then, each server's ratings of a game are either all old or all new.
    """
    missing_or_damaged.refuse_if_missing(path)
    with only_process(path):
        db = await connect(path)
        try:
            return await recompute(db, progress)
        except sqlite3.DatabaseError as error:
            raise missing_or_damaged.in_words(path, error) from None
        finally:
            await db.close()
