"""Recording a finished match, inside the transaction that ends it."""

import json
import logging
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import aiosqlite

from bot.groups.numbers import after
from bot.records import match_log
from bot.records.badges.badges import Badge, badges
from bot.records.feats import Seated, category, variant
from bot.records.ratings import RatedMatch
from bot.records.replay import replay
from bot.records.results import MatchResult, RoundRecord, SeatRecord, result
from bot.store.database.query import first
from bot.store.feats import entries as feats
from bot.store.leaderboards.kept import open_leaderboards
from bot.store.records.rated_round_backfill import as_json
from bot.store.records.stored_ratings import finishes, rate_match
from bot.tables.decisions.rated_or_practice import Standing
from bot.tables.state.journal import JournalLine
from bot.tables.state.options import ARENA

log = logging.getLogger(__name__)

_MATCH = """
    INSERT INTO matches (
        id, number, table_id, guild, game, began, ended, options, standing, unranked, forfeited,
        rated_rounds
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_NEWEST = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'matches'"
_NEXT_OF_SERVER = "SELECT coalesce(max(number), 0) + 1 FROM matches WHERE guild = ?"
_PLAYER = """
    INSERT INTO players (guild, user, name) VALUES (?, ?, ?)
    ON CONFLICT (user, guild) DO UPDATE SET name = excluded.name RETURNING id
"""
_ROUND = """
    INSERT INTO rounds (match_id, round, reason, by_seat, lasted, plus, minus, laid, duels, gone)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_SEAT = """
    INSERT INTO seats (
        match_id, seat, player, name, guild, game, ended, rated, of_arena, place, rank, won, gone,
        points, rounds, lasted, laid, best, worst, firsts, firsts_ms, lates, lates_ms
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_LOG = "INSERT INTO logs (match_id, log) VALUES (?, ?)"
_MOVES = "DELETE FROM journal WHERE table_id = ? AND kind IN ('Moved', 'Rejected')"


@dataclass(frozen=True, slots=True)
class Report:
    """A finished match, ready to write. `log`: zlib-compressed, None if it has none.

    `badges`: those that its people earned in it, by seat.
    """

    result: MatchResult
    log: bytes | None
    badges: Mapping[int, frozenset[Badge]] = field(default_factory=dict)


def report(table: int, lines: Iterable[JournalLine]) -> Report | None:
    """Work out a match from all journal lines of its table, up to those that end it.

    CPU only, no I/O. None if no round was dealt, or if the journal cannot be read (logged).
    """
    try:
        steps = replay(lines)
        found = result(steps)
        if found is None:
            return None
        text = match_log.text(steps)
        if text is None:
            return Report(found, None)
        return Report(found, zlib.compress(text.encode(), 9), _badges(found, text))
    except Exception:
        log.exception("table %d: match not recorded", table)
        return None


def _badges(found: MatchResult, text: str) -> Mapping[int, frozenset[Badge]]:
    """Return the badges in a match's log. None are worth losing a match: a failure is logged."""
    try:
        return badges(match_log.events(text), _people(found))
    except Exception:
        log.exception("table %d: badges not recorded", found.table)
        return {}


def _people(found: MatchResult) -> list[bool]:
    return [seat.user is not None for seat in found.seats]


async def write(db: aiosqlite.Connection, report: Report, group: int = 0) -> None:
    """Write everything kept of a match, and delete its moves from the journal.

    Called inside the transaction that ends the match. `group`: the number of the group that gives
    the match its id. Its number is one more than the highest of its server. Raises
    sqlite3.IntegrityError for a second match of the same table.
    """
    found = report.result
    options, rated_rounds = json.dumps(dict(found.options)), as_json(found.rated_rounds)
    of_match = (found.table, found.guild, found.game, found.began, found.ended)
    kind = (found.standing, found.unranked, found.forfeited)
    if found.standing is Standing.RATED:
        await open_leaderboards(db, found.guild, found.game, found.ended)
    match = after(await _value(db, _NEWEST, ()), group)
    number = await _value(db, _NEXT_OF_SERVER, (found.guild,))
    await db.execute(_MATCH, (match, number, *of_match, options, *kind, rated_rounds))
    players: dict[int, int] = {}
    for i, seat in enumerate(found.seats):
        player = None
        if seat.user is not None:
            player = players[i] = await _value(db, _PLAYER, (found.guild, seat.user, seat.name))
        await db.execute(_SEAT, (match, i, player, *_seat(found, seat)))
    await db.executemany(
        _ROUND, [(match, i, *_round(one)) for i, one in enumerate(found.rounds, 1)]
    )
    rated = RatedMatch(match, finishes(found.rated_rounds, players))
    await rate_match(db, found.guild, found.game, rated)
    if (earned := _feats(match, report, players)) is not None:
        await feats.add(db, earned)
    if report.log is not None:
        await db.execute(_LOG, (match, report.log))
    await db.execute(_MOVES, (found.table,))


def _feats(match: int, report: Report, players: Mapping[int, int]) -> feats.MatchFeats | None:
    found = report.result
    of = category(found.game, found.options, found.standing, found.unranked, _people(found))
    if of is None:
        return None
    of_arena = ARENA in found.options
    kind = feats.Kind(found.guild, found.game, variant(found.game, found.options), of, of_arena)
    seats = [
        Seated(one.user is not None, one.left, one.won, one.place, one.points)
        for one in found.seats
    ]
    played = feats.Played(found.rounds, seats, players)
    return feats.worked_out(match, kind, played, report.badges)


async def _value(db: aiosqlite.Connection, sql: str, values: Sequence[Any]) -> int:
    row = await first(db, sql, values)
    assert row is not None
    return int(row[0])


def _round(one: RoundRecord) -> tuple[Any, ...]:
    duels = [(duel.first, duel.late, duel.ms) for duel in one.duels]
    lists = (json.dumps(part) for part in (one.plus, one.minus, one.laid, duels, one.gone))
    return (one.reason.value, one.by, one.lasted, *lists)


def _seat(found: MatchResult, seat: SeatRecord) -> tuple[Any, ...]:
    values = asdict(seat)
    user, name = values.pop("user"), values.pop("name")
    rated = found.standing is Standing.RATED
    of_match = (found.guild, found.game, found.ended, rated, ARENA in found.options)
    return (name if user is None else None, *of_match, *values.values())
