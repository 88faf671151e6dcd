"""Queries for a server's matches, one match with its rounds, and its log."""

import json
import zlib
from dataclasses import replace

import aiosqlite

from bot.ids import GuildId
from bot.records.match_log import named
from bot.records.models import (
    MATCHES,
    History,
    MatchDetails,
    Person,
    PlayedMatch,
    PlayedSeat,
    pages,
)
from bot.records.ratings import NEWCOMER, Skill, shown
from bot.store.database.query import Row, first, rows
from bot.store.feats.stored_rounds import ROUNDS, round_record
from bot.store.leaderboards.counted import at, total
from bot.tables.decisions.rated_or_practice import Standing, Unranked, unranked_before_noted

_COLUMNS = """
    m.id, m.number, m.table_id, m.game, m.began, m.ended, m.options, m.standing, m.unranked,
    m.forfeited,
    NOT EXISTS (SELECT 1 FROM rounds WHERE match_id = m.id), coalesce(m.rated_rounds, '[]') != '[]',
    EXISTS (SELECT 1 FROM logs WHERE match_id = m.id)
"""
PLAYED = f"""
    SELECT {_COLUMNS} FROM matches m
    WHERE m.guild = ? AND m.standing != 'dropped' AND m.number >= ?
    ORDER BY m.number LIMIT ? OFFSET ?
"""  # noqa: S608 this module's own columns
LATEST_GAME = """
    SELECT game FROM matches WHERE guild = ? AND standing != 'dropped' ORDER BY id DESC LIMIT 1
"""
_ONE = f"SELECT {_COLUMNS} FROM matches m WHERE m.guild = ?"  # noqa: S608 as above
SHOWN = f"{_ONE} AND m.number = ? AND m.standing != 'dropped'"
OF_TABLE = f"{_ONE} AND m.table_id = ?"
BY_NUMBER = "SELECT id FROM matches WHERE guild = ? AND number = ?"
SEATS = """
    SELECT s.name, s.player, p.user, p.name, s.place, s.won, s.gone, s.points, s.mu, s.sigma,
           (SELECT b.match_id FROM seats b
            WHERE b.player = s.player AND b.game = s.game AND b.mu IS NOT NULL
              AND b.match_id < s.match_id
            ORDER BY b.match_id DESC LIMIT 1)
    FROM seats s LEFT JOIN players p ON p.id = s.player WHERE s.match_id = ? ORDER BY s.seat
"""
_SKILL = "SELECT mu, sigma FROM seats WHERE match_id = ? AND player = ?"
LOG = """
    SELECT l.log FROM logs l JOIN matches m ON m.id = l.match_id
    WHERE m.guild = ? AND m.number = ?
"""


async def history(db: aiosqlite.Connection, guild: GuildId, page: int) -> History:
    """Return a page of a server's matches; the last one if it is past the end."""
    played = await total(db, "match", guild)
    if not played:
        return History((), 0, 1)
    last = pages(played, MATCHES) - 1
    page = min(max(0, page), last)
    after = played - page * MATCHES
    oldest = max(0, after - MATCHES)
    key, skip = await at(db, "match", guild, oldest)
    found = await rows(db, PLAYED, (guild, key, after - oldest, skip))
    return History(tuple([await _match(db, row) for row in reversed(found)]), page, last + 1)


async def latest_game(db: aiosqlite.Connection, guild: GuildId) -> str | None:
    """Return the game of the newest match that is shown; None if there is none."""
    row = await first(db, LATEST_GAME, (guild,))
    return None if row is None else str(row[0])


async def match(db: aiosqlite.Connection, guild: GuildId, number: int) -> MatchDetails | None:
    """Return a match of this server; None for a dropped one or another server's."""
    return await _details(db, SHOWN, guild, number)


async def id_of(db: aiosqlite.Connection, guild: GuildId, number: int) -> int:
    """Return the id of the match that a server's people name by a number; 0 if there is none."""
    row = await first(db, BY_NUMBER, (guild, number))
    return 0 if row is None else int(row[0])


async def _details(
    db: aiosqlite.Connection, sql: str, guild: GuildId, which: int
) -> MatchDetails | None:
    row = await first(db, sql, (guild, which))
    if row is None:
        return None
    found = await rows(db, ROUNDS, (row[0],))
    return MatchDetails(await _match(db, row), tuple(round_record(row) for row in found))


async def match_of_table(
    db: aiosqlite.Connection, guild: GuildId, table: int
) -> MatchDetails | None:
    """Return the match played at a table, even a dropped one; None while there is none."""
    return await _details(db, OF_TABLE, guild, table)


async def packed_log(db: aiosqlite.Connection, guild: GuildId, number: int) -> bytes | None:
    """Return the log of a match without names, as it is stored; None as `match_log`."""
    row = await first(db, LOG, (guild, number))
    return None if row is None else bytes(row[0])


async def match_log(
    db: aiosqlite.Connection, guild: GuildId, number: int, nameless: str
) -> str | None:
    """Return the log of a match as text, with the players' current names.

    `nameless` stands for players without a name. None if the match has no log, its log was
    deleted, or it is another server's.
    """
    if (packed := await packed_log(db, guild, number)) is None:
        return None
    seats = await rows(db, SEATS, (await id_of(db, guild, number),))
    names = [own or name or nameless for own, _, _, name, *_ in seats]
    return named(zlib.decompress(packed).decode(), names)


async def _match(db: aiosqlite.Connection, row: Row) -> PlayedMatch:
    match_id, number, table, game, began, ended, options, standing, *why, has_log = row
    noted, forfeited, is_empty, is_rated = why
    seats = tuple([await _seat(db, game, seat) for seat in await rows(db, SEATS, (match_id,))])
    found = PlayedMatch(
        number=number,
        table=table,
        game=game,
        began=began,
        ended=ended,
        options=json.loads(options),
        standing=Standing(standing),
        has_log=bool(has_log),
        seats=seats,
        unranked=None if noted is None else Unranked(noted),
        forfeited=bool(forfeited or (is_empty and is_rated)),
    )
    if noted is None and found.standing is Standing.PRACTICE:
        people = [seat.person is not None for seat in seats]
        earlier = unranked_before_noted(game, found.options, people, is_rated=bool(is_rated))
        return replace(found, unranked=earlier)
    return found


async def _seat(db: aiosqlite.Connection, game: str, row: Row) -> PlayedSeat:
    own, player, user, name, place, won, gone, points, mu, sigma, before = row
    rating = change = None
    if mu is not None:
        rating = shown(Skill(mu, sigma), game)
        earlier = await first(db, _SKILL, (before, player)) if before is not None else None
        old = Skill(*earlier) if earlier is not None else NEWCOMER
        change = rating.points - shown(old, game).points
    person = Person(user, name) if player is not None else None
    return PlayedSeat(own, person, place, bool(won), bool(gone), points, rating, change)
