"""Ratings worked out anew, written in small transactions: a move waits for one of them at most."""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import partial
from itertools import groupby, islice
from operator import attrgetter
from typing import TypeVar

import aiosqlite

from bot.clock import Clock
from bot.ids import GuildId
from bot.records.ratings import Rated, rate_all
from bot.store.database.query import Work, first, rows
from bot.store.database.writer import Writer
from bot.store.records.stored_ratings import (
    DONE,
    NOW,
    Forecast,
    keep,
    matches_between,
    players_of,
    skills_of,
    write_rated,
)

T = TypeVar("T")
BATCH = 50
"""Matches, or people, per transaction."""
REST = 0.05
"""Seconds between two transactions, so that presses come first."""
FEW = 50
"""Matches that are rated inside a transaction at most."""
DUE_NOW = "SELECT since, version FROM ratings_due WHERE guild = ? AND game = ?"
AGAIN = """
    INSERT INTO ratings_due (guild, game, since) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET since = min(since, excluded.since), version = version + 1
"""
_GONE_ON = "UPDATE ratings_due SET since = ? WHERE guild = ? AND game = ?"
_LATER = """
    SELECT count(*) FROM (
        SELECT 1 FROM matches WHERE guild = ? AND id > ? AND standing != 'void' LIMIT ?)
"""
_CHANGED = """
    UPDATE seats SET mu = ?, sigma = ?
    WHERE match_id = ? AND player = ? AND (mu IS NOT ? OR sigma IS NOT ?)
"""
_UNRATED = """
    UPDATE seats SET mu = NULL, sigma = NULL
    WHERE match_id = ? AND mu IS NOT NULL AND player NOT IN (SELECT value FROM json_each(?))
"""
_STALE = """
    SELECT DISTINCT m.id FROM matches m JOIN seats s ON s.match_id = m.id
    WHERE m.guild = ? AND m.game = ? AND (m.standing = 'void' OR m.rated_rounds = '[]')
      AND s.mu IS NOT NULL AND s.player IS NOT NULL
"""
_RATED_NOW = """
    SELECT r.player FROM players p JOIN ratings r ON r.player = p.id AND r.game = ?
    WHERE p.guild = ?
"""
_UNRATE = "DELETE FROM ratings WHERE player = ? AND game = ?"


@dataclass(frozen=True, slots=True)
class Due:
    """Ratings of a game on a server that are due from a match on, 0 for all."""

    guild: GuildId
    game: str
    since: int
    version: int


class OutOfDateError(Exception):
    """Another match was voided meanwhile, or the server's data deleted."""


async def due_now(db: aiosqlite.Connection, guild: GuildId, game: str) -> Due | None:
    row = await first(db, DUE_NOW, (guild, game))
    return Due(guild, game, *row) if row is not None else None


async def has_few_later(db: aiosqlite.Connection, guild: GuildId, match: int) -> bool:
    """Return whether so few matches follow one that they are rated at once."""
    ((later,),) = await rows(db, _LATER, (guild, match, FEW + 1))
    return bool(later <= FEW)


class Rewriting:
    """Writes ratings batch by batch: after each match first, then the present ones.

    Until the last batch, ratings stay due: matches that end are rated with the last batch.
    """

    def __init__(self, reader: aiosqlite.Connection, writer: Writer, clock: Clock) -> None:
        self._reader = reader
        self._writer = writer
        self._clock = clock

    async def write(self, due: Due, ready: Forecast) -> None:
        """Write all. Raises OutOfDateError if it has to be worked out again; nothing is lost."""
        of_match = ((match, [*rated]) for match, rated in groupby(ready.rated, attrgetter("match")))
        for matches in _batches(of_match):
            await self._step(due, partial(_write_matches, rated=matches))
        if not due.since:
            await self._clear(due, ready.skills.keys())
        for people in _batches(ready.skills.items()):
            await self._step(due, partial(keep, game=due.game, skills=dict(people)))
        await self._step(due, partial(_finish, due=due, until=ready.until))

    async def _clear(self, due: Due, rated: Set[int]) -> None:
        """Clear ratings that no match gives any more."""
        stale = await rows(self._reader, _STALE, (due.guild, due.game))
        for some in _batches(stale):
            values = [(match, "[]") for (match,) in some]
            await self._step(due, partial(_many, sql=_UNRATED, values=values))
        there = {
            player for (player,) in await rows(self._reader, _RATED_NOW, (due.game, due.guild))
        }
        for people in _batches(sorted(there - rated)):
            gone = [(player, due.game) for player in people]
            await self._step(due, partial(_many, sql=_UNRATE, values=gone))

    async def _step(self, due: Due, work: Work) -> None:
        is_valid = False

        async def checked(db: aiosqlite.Connection) -> None:
            nonlocal is_valid
            is_valid = await due_now(db, due.guild, due.game) == due
            if is_valid:
                await work(db)

        await self._writer.write([checked])
        if not is_valid:
            raise OutOfDateError
        await self._clock.sleep(REST)


def _batches(found: Iterable[T]) -> Iterator[list[T]]:
    left = iter(found)
    while some := list(islice(left, BATCH)):
        yield some


async def _many(
    db: aiosqlite.Connection, sql: str, values: Sequence[tuple[int | str | float, ...]]
) -> None:
    await db.executemany(sql, values)


async def _write_matches(
    db: aiosqlite.Connection, rated: Sequence[tuple[int, Sequence[Rated]]]
) -> None:
    others = [(match, str([one.player for one in found])) for match, found in rated]
    await db.executemany(_UNRATED, others)
    flat = [one for _, found in rated for one in found]
    skills = [(one.skill.mu, one.skill.sigma, one) for one in flat]
    await db.executemany(
        _CHANGED, [(mu, sigma, one.match, one.player, mu, sigma) for mu, sigma, one in skills]
    )


async def _finish(db: aiosqlite.Connection, due: Due, until: int) -> None:
    """Rate the matches that have ended meanwhile; if there are many, leave them due."""
    if not await has_few_later(db, due.guild, until):
        await db.execute(_GONE_ON, (until + 1, due.guild, due.game))
        return
    later = await matches_between(db, due.guild, due.game, until + 1)
    if later:
        skills = await skills_of(db, NOW, due.game, players_of(later))
        await write_rated(db, due.game, rate_all(due.game, skills, later))
    await db.execute(DONE, (due.guild, due.game))
