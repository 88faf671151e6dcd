"""Ratings in SQLite: rating a match as it ends, and recalculating ratings."""

import asyncio
import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import aiosqlite

from bot.ids import GuildId
from bot.progress_reporting import Progress, Steps, unwatched
from bot.records.rated_rounds import RatedRound
from bot.records.ratings import Finish, Rated, RatedMatch, Skill, rate_all, shown
from bot.store.database import missing_or_damaged
from bot.store.database.file import connect
from bot.store.database.lock import only_process
from bot.store.database.query import Row, first, rows
from bot.store.records.rated_round_backfill import find_missing

DUE = "SELECT guild, game FROM ratings_due ORDER BY guild, game"
_IS_DUE = "SELECT 1 FROM ratings_due WHERE guild = ? AND game = ?"
_DONE = "DELETE FROM ratings_due WHERE guild = ? AND game = ?"
_NOW = "SELECT mu, sigma FROM ratings WHERE player = ? AND game = ?"
_KEEP = """
    INSERT INTO ratings (player, game, mu, sigma, shown, margin) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET mu = excluded.mu, sigma = excluded.sigma, shown = excluded.shown,
        margin = excluded.margin
"""
_AFTER = "UPDATE seats SET mu = ?, sigma = ? WHERE match_id = ? AND player = ?"
_MATCHES = """
    SELECT m.id, m.rated_rounds, s.seat, s.player
    FROM matches m JOIN seats s ON s.match_id = m.id
    WHERE m.guild = ? AND m.game = ? AND m.id >= ? AND m.standing != 'void'
      AND m.rated_rounds != '[]' AND s.player IS NOT NULL
    ORDER BY m.id, s.seat
"""
_COUNT = """
    SELECT count(*) FROM matches
    WHERE guild = ? AND game = ? AND id <= ? AND standing != 'void'
"""
_NEWEST = "SELECT max(id) FROM matches WHERE guild = ?"
_BEFORE = """
    SELECT mu, sigma FROM seats
    WHERE player = ? AND game = ? AND match_id < ? AND mu IS NOT NULL
    ORDER BY match_id DESC LIMIT 1
"""
_STEPS = """
    SELECT count(*) FILTER (WHERE rated_rounds IS NULL)
        + count(*) FILTER (WHERE standing != 'void' AND rated_rounds IS NOT '[]')
    FROM matches
"""
_GAMES = "SELECT DISTINCT guild, game FROM matches ORDER BY guild, game"
_CLEAR = (
    """
    UPDATE seats SET mu = NULL, sigma = NULL
    WHERE guild = ? AND game = ? AND player IS NOT NULL AND mu IS NOT NULL
    """,
    """
    DELETE FROM ratings WHERE player IN (SELECT id FROM players WHERE guild = ?) AND game = ?
    """,
)


def finishes(rounds: Iterable[RatedRound], players: Mapping[int, int]) -> tuple[Finish, ...]:
    """Return rated rounds with player ids in place of seats. `players`: id by seat."""
    found: list[Finish] = []
    for one in rounds:
        ranks = {seat: rank for seat, rank in enumerate(one.ranks) if rank is not None}
        seats = list(ranks)
        found.append(
            Finish(
                tuple(players[seat] for seat in seats),
                tuple(ranks.values()),
                tuple(seats.index(seat) for seat in one.idle),
            )
        )
    return tuple(found)


async def rate_match(db: aiosqlite.Connection, guild: GuildId, game: str, one: RatedMatch) -> None:
    """Rate a match that has just been written, inside its transaction.

    Does nothing if the server's ratings are due for recalculation, which will include it.
    """
    if await first(db, _IS_DUE, (guild, game)) is not None:
        return
    await _write(db, game, rate_all(game, await _skills(db, _NOW, game, [one]), [one]))


async def _skills(
    db: aiosqlite.Connection, sql: str, game: str, matches: Sequence[RatedMatch], *more: int
) -> dict[int, Skill]:
    players = {p for one in matches for finish in one.rounds for p in finish.players}
    found = {player: await first(db, sql, (player, game, *more)) for player in players}
    return {player: Skill(*row) for player, row in found.items() if row is not None}


@dataclass(frozen=True, slots=True)
class Forecast:
    """Ratings of one game on one server, calculated before the transaction that writes them.

    They cover matches `since` to `until`, and are valid if there are still `count` matches up
    to `until`.
    """

    guild: GuildId
    game: str
    since: int
    until: int
    count: int
    rated: Sequence[Rated]


async def forecast(
    db: aiosqlite.Connection,
    guild: GuildId,
    game: str,
    since: int = 0,
    without: int = 0,
    watch: Callable[[Iterable[RatedMatch]], Iterable[RatedMatch]] = iter,
) -> Forecast:
    """Calculate the ratings from match `since` on, leaving out match `without`.

    Starts from the stored ratings before `since`. Years of matches take a moment, so the
    calculation runs in a thread and presses are not delayed. `watch` yields the matches
    it is given, in that thread, as they are rated.
    """
    newest = await first(db, _NEWEST, (guild,))
    until = int(newest[0] or 0) if newest is not None else 0
    count = await _count(db, guild, game, until) - (without > 0)
    found = await _matches(db, guild, game, since)
    matches = [one for one in found if one.match != without and one.match <= until]
    before = await _skills(db, _BEFORE, game, matches, since) if since else {}
    rated = await asyncio.to_thread(rate_all, game, before, watch(matches))
    return Forecast(guild, game, since, until, count, rated)


async def rerate(db: aiosqlite.Connection, ready: Forecast) -> int:
    """Write a forecast, inside a transaction, then rate all later matches.

    A forecast that is no longer valid is recalculated first. Return the number of matches rated.
    """
    guild, game, since, until = ready.guild, ready.game, ready.since, ready.until
    if await _count(db, guild, game, until) != ready.count:
        ready = await forecast(db, guild, game, since)
    if not since:
        for sql in _CLEAR:
            await db.execute(sql, (guild, game))
    await _write(db, game, ready.rated)
    later = await _matches(db, guild, game, ready.until + 1)
    if later:
        await _write(db, game, rate_all(game, await _skills(db, _NOW, game, later), later))
    return len({one.match for one in ready.rated} | {one.match for one in later})


async def swap(db: aiosqlite.Connection, ready: Forecast) -> int:
    """Call `rerate` with a forecast of all matches of one game, and mark them no longer due."""
    matches = await rerate(db, ready)
    await db.execute(_DONE, (ready.guild, ready.game))
    return matches


async def is_due(db: aiosqlite.Connection, guild: GuildId, game: str) -> bool:
    """Return whether a server's ratings of a game are due for recalculation."""
    return await first(db, _IS_DUE, (guild, game)) is not None


async def _count(db: aiosqlite.Connection, guild: GuildId, game: str, until: int) -> int:
    row = await first(db, _COUNT, (guild, game, until))
    assert row is not None
    return int(row[0])


async def _matches(
    db: aiosqlite.Connection, guild: GuildId, game: str, since: int
) -> list[RatedMatch]:
    found = await rows(db, _MATCHES, (guild, game, since))
    return [_rated(match, list(seats)) for match, seats in groupby(found, key=itemgetter(0))]


def _rated(match: int, seats: Sequence[Row]) -> RatedMatch:
    rounds = (RatedRound(**one) for one in json.loads(seats[0][1]))
    return RatedMatch(match, finishes(rounds, {seat: player for *_, seat, player in seats}))


async def restore(db: aiosqlite.Connection, game: str, match: int, players: Sequence[int]) -> None:
    """Reset players to the rating they had before a match, deleting it if they had none."""
    for player in players:
        row = await first(db, _BEFORE, (player, game, match))
        if row is None:
            await db.execute("DELETE FROM ratings WHERE player = ? AND game = ?", (player, game))
        else:
            await _keep(db, game, {player: Skill(*row)})


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


async def _write(db: aiosqlite.Connection, game: str, rated: Sequence[Rated]) -> None:
    after = [(r.skill.mu, r.skill.sigma, r.match, r.player) for r in rated]
    await db.executemany(_AFTER, after)
    await _keep(db, game, {r.player: r.skill for r in rated})


async def _keep(db: aiosqlite.Connection, game: str, skills: Mapping[int, Skill]) -> None:
    """Store the players' current ratings."""
    kept = []
    for player, skill in skills.items():
        seen = shown(skill, game)
        kept.append((player, game, skill.mu, skill.sigma, seen.points, seen.margin))
    await db.executemany(_KEEP, kept)
