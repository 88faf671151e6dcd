"""Which rounds of a match are rated, for matches of versions that did not store it."""

import asyncio
import json
import logging
import zlib
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import asdict
from typing import Any, TypeAlias

import aiosqlite

from bot.games.kernel import Reason
from bot.records.rated_rounds import RatedRound, StoredRound, of_log, of_stored
from bot.store.rows import Row, first, rows

log = logging.getLogger(__name__)

Found: TypeAlias = tuple[str, list[tuple[str, int]]]
"""A statement, and its values for each match."""

BATCH = 50
"""Matches whose logs are read at a time."""
UNKNOWN = """
    SELECT id FROM matches WHERE guild = ? AND game = ? AND id > ? AND rated_rounds IS NULL
    ORDER BY id LIMIT ?
"""
_LOG = "SELECT log FROM logs WHERE match_id = ?"
_SEATS = "SELECT player IS NOT NULL, gone FROM seats WHERE match_id = ? ORDER BY seat"
_ROUNDS = "SELECT reason, plus, minus, laid FROM rounds WHERE match_id = ? ORDER BY round"
_KNOWN = "UPDATE matches SET rated_rounds = ? WHERE id = ?"


def written(rounds: Iterable[RatedRound]) -> str:
    """As it is stored."""
    return json.dumps([asdict(one) for one in rounds], separators=(",", ":"))


async def find_unknown(db: aiosqlite.Connection, guild: int, game: str) -> AsyncIterator[Found]:
    """What to store, for a few matches at a time. It takes CPU, in a thread of its own."""
    last = 0
    while found := await rows(db, UNKNOWN, (guild, game, last, BATCH)):
        matches = [await _match(db, match) for (match,) in found]
        yield _KNOWN, await asyncio.to_thread(_worked_out, matches)
        ((last,),) = found[-1:]


_Match: TypeAlias = tuple[int, bytes | None, Sequence[Row], Sequence[Row]]


async def _match(db: aiosqlite.Connection, match: int) -> _Match:
    packed = await first(db, _LOG, (match,))
    seats, rounds = await rows(db, _SEATS, (match,)), await rows(db, _ROUNDS, (match,))
    return match, packed[0] if packed is not None else None, seats, rounds


def _worked_out(matches: Iterable[_Match]) -> list[tuple[str, int]]:
    return [(written(_rated(*one)), one[0]) for one in matches]


def _rated(
    match: int, packed: bytes | None, seats: Sequence[Row], rounds: Sequence[Row]
) -> tuple[RatedRound, ...]:
    people, left = [bool(person) for person, _ in seats], [bool(gone) for _, gone in seats]
    if packed is not None:
        try:
            return of_log(_lines(packed), people)
        except Exception:
            log.warning(
                "match %d: its log can't be read; rated by its result", match, exc_info=True
            )
    return of_stored([_stored(*one) for one in rounds], people, left)


def _lines(packed: bytes) -> Iterable[Any]:
    return map(json.loads, zlib.decompress(packed).decode().splitlines())


def _stored(reason: str, plus: str, minus: str, laid: str) -> StoredRound:
    points = [
        None if more is None or less is None else more - less
        for more, less in zip(json.loads(plus), json.loads(minus), strict=True)
    ]
    return StoredRound(Reason(reason), points, json.loads(laid))
