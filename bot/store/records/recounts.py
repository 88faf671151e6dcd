"""The background jobs: what follows from matches is worked out again, and servers are deleted."""

from collections.abc import Awaitable, Callable, Coroutine, Iterator
from functools import partial
from typing import Any, TypeAlias

import aiosqlite

from bot.clock import Clock
from bot.ids import GuildId
from bot.records.periods import Bounds
from bot.store.database.writer import Writer
from bot.store.feats.backfill import FeatsBackfill
from bot.store.leaderboards.filling import LeaderboardFilling
from bot.store.people.deletion import ServerDeletion
from bot.store.records.rerating import Rerating
from bot.store.seasons.seasons import crown_filled

LOOK = 5.0
"""Seconds between two looks for work. What has not changed since the last needs none."""
Job: TypeAlias = tuple[str, Callable[[], Coroutine[Any, Any, None]]]


def recounts(
    reader: aiosqlite.Connection,
    writer: Writer,
    clock: Clock,
    crowned: Callable[[GuildId], Awaitable[None]],
) -> Iterator[Job]:
    """Yield each job's name, and what runs it for as long as the bot runs.

    `crowned` is called once a past season of a server may have another champion.
    """
    changed: set[GuildId] = set()

    async def completed(
        db: aiosqlite.Connection, guild: GuildId, game: str, within: Bounds
    ) -> None:
        await crown_filled(db, guild, game, within)
        changed.add(guild)

    filling = LeaderboardFilling(reader, writer, clock, completed)

    async def fill() -> None:
        await filling.run()
        while changed:
            await crowned(changed.pop())

    yield LeaderboardFilling.__name__, partial(_repeat, fill, writer, clock)
    for job in (job(reader, writer, clock) for job in (Rerating, FeatsBackfill, ServerDeletion)):
        yield type(job).__name__, partial(_repeat, job.run, writer, clock)


async def _repeat(run: Callable[[], Awaitable[None]], writer: Writer, clock: Clock) -> None:
    seen = None
    while True:
        if seen != writer.commits:
            seen = writer.commits
            await run()
        await clock.sleep(LOOK)
