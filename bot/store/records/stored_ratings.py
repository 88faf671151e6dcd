"""Ratings in SQLite: rating a match as it ends, and working out those of many matches."""

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import aiosqlite

from bot.ids import GuildId
from bot.records.rated_rounds import RatedRound
from bot.records.ratings import Finish, Rated, RatedMatch, Skill, rate_all, shown
from bot.store.database.query import Row, first, rows

BATCH = 200
"""Matches that are read at once."""
_MOST = 2**63 - 1
DUE = "SELECT guild, game FROM ratings_due ORDER BY guild, game"
_IS_DUE = "SELECT 1 FROM ratings_due WHERE guild = ? AND game = ?"
DONE = "DELETE FROM ratings_due WHERE guild = ? AND game = ?"
NOW = "SELECT mu, sigma FROM ratings WHERE player = ? AND game = ?"
_KEEP = """
    INSERT INTO ratings (player, game, mu, sigma, shown, margin) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET mu = excluded.mu, sigma = excluded.sigma, shown = excluded.shown,
        margin = excluded.margin
"""
AFTER = "UPDATE seats SET mu = ?, sigma = ? WHERE match_id = ? AND player = ?"
_MATCHES = """
    SELECT m.id, m.rated_rounds, s.seat, s.player
    FROM matches m JOIN seats s ON s.match_id = m.id
    WHERE m.guild = ? AND m.game = ? AND m.id >= ? AND m.id <= ? AND m.standing != 'void'
      AND m.rated_rounds != '[]' AND s.player IS NOT NULL
    ORDER BY m.id, s.seat
"""
_LAST_OF_BATCH = """
    SELECT max(id) FROM (SELECT id FROM matches WHERE guild = ? AND id >= ? ORDER BY id LIMIT ?)
"""
_LATEST_ACTION = "SELECT max(id) FROM moderation WHERE guild = ?"
_NEWEST = "SELECT max(id) FROM matches WHERE guild = ?"
_BEFORE = """
    SELECT mu, sigma FROM seats
    WHERE player = ? AND game = ? AND match_id < ? AND mu IS NOT NULL
    ORDER BY match_id DESC LIMIT 1
"""
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
    before = await skills_of(db, NOW, game, players_of([one]))
    await write_rated(db, game, rate_all(game, before, [one]))


def players_of(matches: Iterable[RatedMatch]) -> set[int]:
    """Return the ids of everybody who was rated in these matches."""
    return {p for one in matches for finish in one.rounds for p in finish.players}


async def skills_of(
    db: aiosqlite.Connection, sql: str, game: str, players: Iterable[int], *more: int
) -> dict[int, Skill]:
    found = {player: await first(db, sql, (player, game, *more)) for player in players}
    return {player: Skill(*row) for player, row in found.items() if row is not None}


@dataclass(frozen=True, slots=True)
class Forecast:
    """Ratings of one game on one server, calculated before the transaction that writes them.

    They cover matches `since` to `until`, and are valid while `action` is the latest of the
    server's moderators: no other match has been voided. `skills` are the players' last ones, and
    `matches` counts those rated.
    """

    guild: GuildId
    game: str
    since: int
    until: int
    action: int
    rated: Sequence[Rated]
    skills: Mapping[int, Skill]
    matches: int


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
    action = await _latest_action(db, guild)
    found = await matches_between(db, guild, game, since, until)
    matches = [one for one in found if one.match != without]
    players = await asyncio.to_thread(players_of, matches) if since else ()
    before = await skills_of(db, _BEFORE, game, players, since)
    rated, skills = await asyncio.to_thread(_rated_all, game, before, watch(matches))
    return Forecast(guild, game, since, until, action, rated, skills, len(matches))


def _rated_all(
    game: str, before: Mapping[int, Skill], matches: Iterable[RatedMatch]
) -> tuple[list[Rated], dict[int, Skill]]:
    """Return the ratings after each match, and everybody's last one."""
    rated = rate_all(game, before, matches)
    return rated, {one.player: one.skill for one in rated}


async def rerate(db: aiosqlite.Connection, ready: Forecast) -> int:
    """Write a forecast, inside a transaction, then rate all later matches.

    A forecast that is no longer valid is recalculated first. Return the number of matches rated.
    """
    guild, game, since = ready.guild, ready.game, ready.since
    if await _latest_action(db, guild) != ready.action:
        ready = await forecast(db, guild, game, since)
    if not since:
        for sql in _CLEAR:
            await db.execute(sql, (guild, game))
    await write_rated(db, game, ready.rated)
    later = await matches_between(db, guild, game, ready.until + 1)
    if later:
        before = await skills_of(db, NOW, game, players_of(later))
        await write_rated(db, game, rate_all(game, before, later))
    return ready.matches + len(later)


async def swap(db: aiosqlite.Connection, ready: Forecast) -> int:
    """Call `rerate` with a forecast of all matches of one game, and mark them no longer due."""
    matches = await rerate(db, ready)
    await db.execute(DONE, (ready.guild, ready.game))
    return matches


async def is_due(db: aiosqlite.Connection, guild: GuildId, game: str) -> bool:
    """Return whether a server's ratings of a game are due for recalculation."""
    return await first(db, _IS_DUE, (guild, game)) is not None


async def _latest_action(db: aiosqlite.Connection, guild: GuildId) -> int:
    ((latest,),) = await rows(db, _LATEST_ACTION, (guild,))
    return int(latest or 0)


async def matches_between(
    db: aiosqlite.Connection, guild: GuildId, game: str, since: int, until: int = _MOST
) -> list[RatedMatch]:
    """Return the rated matches from one to another, read in batches: others read in between."""
    matches: list[RatedMatch] = []
    while since <= until:
        ((last,),) = await rows(db, _LAST_OF_BATCH, (guild, since, BATCH))
        if last is None:
            break
        found = await rows(db, _MATCHES, (guild, game, since, min(last, until)))
        of_match = groupby(found, key=itemgetter(0))
        matches += [_rated(match, list(seats)) for match, seats in of_match]
        since = last + 1
    return matches


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
            await keep(db, game, {player: Skill(*row)})


async def write_rated(db: aiosqlite.Connection, game: str, rated: Sequence[Rated]) -> None:
    """Store the players' ratings after each match, and now."""
    after = [(r.skill.mu, r.skill.sigma, r.match, r.player) for r in rated]
    await db.executemany(AFTER, after)
    await keep(db, game, {r.player: r.skill for r in rated})


async def keep(db: aiosqlite.Connection, game: str, skills: Mapping[int, Skill]) -> None:
    """Store the players' current ratings."""
    kept = []
    for player, skill in skills.items():
        seen = shown(skill, game)
        kept.append((player, game, skill.mu, skill.sigma, seen.points, seen.margin))
    await db.executemany(_KEEP, kept)
