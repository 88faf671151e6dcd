"""The backfill of rated rounds: for matches recorded by versions that did not store them."""

import asyncio
import json
import logging
import zlib
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TypeAlias

import aiosqlite

from bot.games.values import Reason
from bot.ids import GuildId
from bot.records.match_log import events
from bot.records.rated_rounds import RatedRound, StoredRound, of_log, of_stored
from bot.store.database.query import Row, first, rows
from bot.tables.decisions.rated_or_practice import agreed_rounds, has_handicap

log = logging.getLogger(__name__)

Found: TypeAlias = tuple[str, list[tuple[str, int]]]
"""A statement, and its values per match, for `executemany`."""

BATCH = 50
"""Matches per batch, so that few logs are in memory at once."""
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


def as_json(rounds: Iterable[RatedRound]) -> str:
    """Return rated rounds as the JSON that is stored."""
    return json.dumps([asdict(one) for one in rounds], separators=(",", ":"))


async def find_missing(db: aiosqlite.Connection, guild: GuildId, game: str) -> AsyncIterator[Found]:
    """Yield the updates to store, `BATCH` matches at a time. The CPU work runs in a thread.

    The caller must store each batch; a match without stored rounds is found again next time.
    """
    last = 0
    while found := await rows(db, UNKNOWN, (guild, game, last, BATCH)):
        matches = [await _kept(db, match) for (match,) in found]
        yield _KNOWN, await asyncio.to_thread(_worked_out, matches)
        ((last,),) = found[-1:]


@dataclass(frozen=True, slots=True)
class _Kept:
    """The stored rows of one match. `log`: zlib-compressed, None if it was deleted."""

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
    return [(as_json(_rated(one)), one.match) for one in matches]


def _rated(kept: _Kept) -> tuple[RatedRound, ...]:
    """Return the rated rounds; none if neither the log nor the result can be read."""
    people, left = [bool(one) for one, _ in kept.seats], [bool(gone) for _, gone in kept.seats]
    if kept.log is not None:
        try:
            return of_log(events(zlib.decompress(kept.log).decode()), people)
        except Exception:
            log.warning("match %d: log unreadable, rating its result", kept.match, exc_info=True)
    try:
        rounds = [_stored(*one) for one in kept.rounds]
        options, seats = json.loads(kept.options), len(people)
        agreed = agreed_rounds(kept.game, options, seats)
        handicap = has_handicap(kept.game, options, seats)
        return of_stored(rounds, people, left, agreed, handicap=handicap)
    except Exception:
        log.warning("match %d: result unreadable, not rated", kept.match, exc_info=True)
        return ()


def _stored(reason: str, plus: str, minus: str, laid: str) -> StoredRound:
    points = [
        None if more is None or less is None else more - less
        for more, less in zip(json.loads(plus), json.loads(minus), strict=True)
    ]
    return StoredRound(Reason(reason), points, json.loads(laid))
