"""Ratings in SQLite: rating a match as it ends, and working ratings out anew."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import aiosqlite

from bot.records.ratings import NEWCOMER, Finish, Rated, Skill, rate_all
from bot.store.database import connect, only_process
from bot.store.rows import first, rows

_NOW = "SELECT mu, sigma FROM ratings WHERE player = ? AND game = ?"
_KEEP = """
    INSERT INTO ratings (player, game, mu, sigma, shown) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET mu = excluded.mu, sigma = excluded.sigma, shown = excluded.shown
"""
_AFTER = "UPDATE seats SET mu = ?, sigma = ? WHERE match_id = ? AND seat = ?"
_FINISHES = """
    SELECT s.match_id, s.seat, s.player, s.rank
    FROM matches m JOIN seats s ON s.match_id = m.id
    WHERE m.guild = ? AND m.game = ? AND m.standing = 'rated' AND m.id >= ?
      AND s.player IS NOT NULL
    ORDER BY m.id, s.seat
"""
_BEFORE = """
    SELECT mu, sigma FROM seats
    WHERE player = ? AND game = ? AND rated = 1 AND match_id < ?
    ORDER BY match_id DESC LIMIT 1
"""
_GAMES = "SELECT DISTINCT guild, game FROM matches ORDER BY guild, game"
_PLAYERS = """
    SELECT player FROM ratings
    WHERE game = ? AND player IN (SELECT id FROM players WHERE guild = ?)
"""


async def rate_match(db: aiosqlite.Connection, game: str, finishes: Sequence[Finish]) -> None:
    """Rate a match that has just been written, inside its transaction."""
    before: dict[int, Skill] = {}
    for one in finishes:
        row = await first(db, _NOW, (one.player, game))
        before[one.player] = Skill(*row) if row is not None else NEWCOMER
    await _write(db, game, rate_all(before, finishes))


@dataclass(frozen=True, slots=True)
class Basis:
    """What ratings are worked out from: matches in their order, and the ratings before them."""

    before: Mapping[int, Skill]
    finishes: tuple[Finish, ...]


@dataclass(frozen=True, slots=True)
class Forecast:
    """Ratings worked out before a transaction. They hold if the basis is still the same in it."""

    basis: Basis
    rated: Sequence[Rated]


async def forecast(db: aiosqlite.Connection, guild: int, game: str, without: int) -> Forecast:
    """A server's ratings from a match on as they will be without it: years take a moment."""
    basis = await _basis(db, guild, game, without, without)
    return Forecast(basis, await _worked_out(basis))


async def rerate(
    db: aiosqlite.Connection,
    guild: int,
    game: str,
    since: int = 0,
    ready: Forecast | None = None,
) -> int:
    """Work out a server's ratings anew from match `since` on, inside a transaction.

    The ratings after the matches before it are taken as they are. Returns how many matches were
    rated.
    """
    basis = await _basis(db, guild, game, since)
    holds = ready is not None and ready.basis == basis
    await _write(db, game, ready.rated if ready and holds else await _worked_out(basis))
    return len({one.match for one in basis.finishes})


async def _basis(
    db: aiosqlite.Connection, guild: int, game: str, since: int, without: int = 0
) -> Basis:
    found = (Finish(*row) for row in await rows(db, _FINISHES, (guild, game, since)))
    finishes = tuple(one for one in found if one.match != without)
    before: dict[int, Skill] = {}
    for player in {one.player for one in finishes} if since else ():
        row = await first(db, _BEFORE, (player, game, since))
        if row is not None:
            before[player] = Skill(*row)
    return Basis(before, finishes)


async def _worked_out(basis: Basis) -> Sequence[Rated]:
    """In a thread of its own: everybody else's presses go on meanwhile."""
    return await asyncio.to_thread(rate_all, basis.before, basis.finishes)


async def restore(db: aiosqlite.Connection, game: str, match: int, players: Sequence[int]) -> None:
    """Give players the rating they had before a match; who had none has none."""
    for player in players:
        row = await first(db, _BEFORE, (player, game, match))
        if row is None:
            await db.execute("DELETE FROM ratings WHERE player = ? AND game = ?", (player, game))
        else:
            await db.execute(_KEEP, (player, game, *row, Skill(*row).shown))


async def recompute(db: aiosqlite.Connection) -> int:
    """Work out every rating anew from all rated matches. Returns how many these are.

    Each server's game is a transaction of its own.
    """
    matches = 0
    for guild, game in await rows(db, _GAMES):
        await db.execute("BEGIN IMMEDIATE")
        try:
            players = [player for (player,) in await rows(db, _PLAYERS, (game, guild))]
            await restore(db, game, 0, players)
            matches += await rerate(db, guild, game)
            await db.execute("COMMIT")
        finally:
            if db.in_transaction:
                await db.rollback()
    return matches


async def recomputed(path: Path) -> int:
    """`recompute` on a file that no process uses. Raises DatabaseError when one does."""
    with only_process(path):
        db = await connect(path)
        try:
            return await recompute(db)
        finally:
            await db.close()


async def _write(db: aiosqlite.Connection, game: str, rated: Sequence[Rated]) -> None:
    after = [(r.skill.mu, r.skill.sigma, r.finish.match, r.finish.seat) for r in rated]
    await db.executemany(_AFTER, after)
    newest = {r.finish.player: r.skill for r in rated}
    kept = [(player, game, s.mu, s.sigma, s.shown) for player, s in newest.items()]
    await db.executemany(_KEEP, kept)
