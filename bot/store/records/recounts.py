"""The background jobs that work out again what follows from matches, each whenever some is due."""

from collections.abc import Awaitable, Callable, Coroutine, Iterator
from functools import partial
from typing import Any, TypeAlias

import aiosqlite

from bot.clock import Clock
from bot.store.database.writer import Writer
from bot.store.feats.backfill import FeatsBackfill
from bot.store.leaderboards.filling import LeaderboardFilling
from bot.store.records.rerating import Rerating

LOOK = 5.0
"""Seconds between two looks for work."""
Job: TypeAlias = tuple[str, Callable[[], Coroutine[Any, Any, None]]]


def recounts(reader: aiosqlite.Connection, writer: Writer, clock: Clock) -> Iterator[Job]:
    """Yield each job's name, and what runs it for as long as the bot runs."""
    for job in (Rerating, LeaderboardFilling, FeatsBackfill):
        yield job.__name__, partial(_repeat, job(reader, writer, clock).run, clock)


async def _repeat(run: Callable[[], Awaitable[None]], clock: Clock) -> None:
    while True:
        await run()
        await clock.sleep(LOOK)
