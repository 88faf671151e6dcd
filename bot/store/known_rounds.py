"""Which rounds of a match are rated, for matches of versions that did not store it."""

import asyncio
import json
import logging
import zlib
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TypeAlias

import aiosqlite

from bot.games.values import Reason
from bot.records.log import events
from bot.records.rated_rounds import RatedRound, StoredRound, of_log, of_stored
from bot.store.rows import Row, first, rows
from bot.tables.standing import agreed_rounds, has_handicap

log = logging.getLogger(__name__)

Found: TypeAlias = tuple[str, list[tuple[str, int]]]
"""A statement, and its values for each match."""

BATCH = 50
"""Matches whose logs are read at a time."""
UNKNOWN = """
    SELECT id FROM matches WHERE guild = ? AND game = ? AND id > ? AND rated_rounds IS NULL
    ORDER BY id LIMIT ?
"""
_MATCH = "SELECT game, options FROM matches WHERE id = ?"
_LOG = "SELECT log FROM logs WHERE match_id = ?"
_SEATS = "SELECT player IS NOT NULL, gone FROM seats WHERE match_id = ? ORDER BY seat"
_ROUNDS = "SELECT reason, plus, minus, laid FROM rounds WHERE match_id = ? ORDER BY round"
_KNOWN = """
    UPDATE matches SET rated_rounds = known.rounds,
        standing = iif(standing = 'dropped' AND known.rounds != '[]', 'practice', standing)
    FROM (SELECT ? AS rounds) AS known WHERE id = ?
"""


def written(rounds: Iterable[RatedRound]) -> str:
    """As it is stored."""
    return json.dumps([asdict(one) for one in rounds], separators=(",", ":"))


async def find_unknown(db: aiosqlite.Connection, guild: int, game: str) -> AsyncIterator[Found]:
    """What to store, for a few matches at a time. It takes CPU, in a thread of its own."""
    last = 0
    while found := await rows(db, UNKNOWN, (guild, game, last, BATCH)):
        matches = [await _kept(db, match) for (match,) in found]
        yield _KNOWN, await asyncio.to_thread(_worked_out, matches)
        ((last,),) = found[-1:]


@dataclass(frozen=True, slots=True)
class _Kept:
    """What is kept of a match. `log`: zlib, None if it is not kept any more."""

    match: int
    game: str
    options: str
    log: bytes | None
    seats: Sequence[Row]
    rounds: Sequence[Row]


async def _kept(db: aiosqlite.Connection, match: int) -> _Kept:
    ((game, options),) = await rows(db, _MATCH, (match,))
    packed = await first(db, _LOG, (match,))
    seats, rounds = await rows(db, _SEATS, (match,)), await rows(db, _ROUNDS, (match,))
    return _Kept(match, game, options, packed[0] if packed else None, seats, rounds)


def _worked_out(matches: Iterable[_Kept]) -> list[tuple[str, int]]:
    return [(written(_rated(one)), one.match) for one in matches]


def _rated(kept: _Kept) -> tuple[RatedRound, ...]:
    """None where neither the log nor the result can be understood."""
    people, left = [bool(one) for one, _ in kept.seats], [bool(gone) for _, gone in kept.seats]
    if kept.log is not None:
        try:
            return of_log(events(zlib.decompress(kept.log).decode()), people)
        except Exception:
            log.warning("match %d: unreadable log, rated by its result", kept.match, exc_info=True)
    try:
        rounds = [_stored(*one) for one in kept.rounds]
        options, seats = json.loads(kept.options), len(people)
        agreed = agreed_rounds(kept.game, options, seats)
        handicap = has_handicap(kept.game, options, seats)
        return of_stored(rounds, people, left, agreed, handicap=handicap)
    except Exception:
        log.warning("match %d: unreadable result, not rated", kept.match, exc_info=True)
        return ()


def _stored(reason: str, plus: str, minus: str, laid: str) -> StoredRound:
    points = [
        None if more is None or less is None else more - less
        for more, less in zip(json.loads(plus), json.loads(minus), strict=True)
    ]
    return StoredRound(Reason(reason), points, json.loads(laid))
