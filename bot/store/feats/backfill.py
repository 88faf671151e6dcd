"""The background job that works out the feats of matches that earlier versions recorded."""

import asyncio
import json
import logging
import sqlite3
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import aiosqlite

from bot.clock import Clock
from bot.records.badges.badges import Badge, badges
from bot.records.badges.log_rounds import read
from bot.records.feats import category, variant
from bot.records.match_log import events
from bot.store.database.query import first, rows
from bot.store.database.writer import Writer
from bot.store.feats.entries import Kind, MatchFeats, add, remove, stored, worked_out
from bot.tables.decisions.rated_or_practice import (
    Standing,
    Unranked,
    unranked_before_noted,
)
from bot.tables.state.options import ARENA

log = logging.getLogger(__name__)

BATCH = 20
"""Matches per transaction, for which a move waits at most."""
REST = 0.05
"""Seconds between two transactions, so that presses come first."""
AGAIN = 60 * 60.0
"""Seconds until a retry after a failure."""
DUE = "SELECT match_id FROM feats_due ORDER BY match_id LIMIT ?"
IS_DUE = "SELECT 1 FROM feats_due LIMIT 1"
_STILL_DUE = """
    SELECT 1 FROM feats_due d JOIN matches m ON m.id = d.match_id
    WHERE d.match_id = ? AND m.standing IN ('rated', 'practice')
"""
_DONE = "DELETE FROM feats_due WHERE match_id = ?"
_MATCH = """
    SELECT guild, game, options, standing, unranked, coalesce(rated_rounds, '[]') != '[]'
    FROM matches WHERE id = ?
"""
_LOG = "SELECT log FROM logs WHERE match_id = ?"
_KEPT = """
    SELECT s.seat, b.badge FROM badges b JOIN seats s
        ON s.match_id = b.match_id AND s.player = b.player
    WHERE b.match_id = ?
"""
_GONE = "UPDATE rounds SET gone = ? WHERE match_id = ? AND round = ?"
_NAMELESS = """
    SELECT s.player FROM seats s JOIN players p ON p.id = s.player
    WHERE s.match_id = ? AND p.user IS NULL
"""


class FeatsBackfill:
    """A resumable recalculation of the feats of all matches that are due, the oldest first."""

    def __init__(self, reader: aiosqlite.Connection, writer: Writer, clock: Clock) -> None:
        self._reader = reader
        self._writer = writer
        self._clock = clock

    async def run(self) -> None:
        """Run until nothing is due. Cancelling loses the work on one batch at most."""
        while due := await rows(self._reader, DUE, (BATCH,)):
            try:
                found = [(match, await _feats(self._reader, match)) for (match,) in due]
                await self._writer.write([partial(_write, found=found)])
                await self._clock.sleep(REST)
            except sqlite3.Error as error:
                log.warning("feats: recalculation failed, retrying in %d s: %s", AGAIN, error)
                await self._clock.sleep(AGAIN)


@dataclass(frozen=True, slots=True)
class _Told:
    """The badges of a match by seat, and who had gone from each round, by its log."""

    badges: Mapping[int, frozenset[Badge]]
    gone: Sequence[tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class _WorkedOut:
    """`feats`: None for a match without any. `gone`: as in `_Told`, None without a readable log."""

    feats: MatchFeats | None
    gone: Sequence[tuple[int, ...]] | None = None


async def _write(db: aiosqlite.Connection, found: Sequence[tuple[int, _WorkedOut | None]]) -> None:
    """Write a batch. A match that was voided or deleted meanwhile is left out."""
    for match, one in found:
        if one is not None and await first(db, _STILL_DUE, (match,)) is not None:
            gone = [(json.dumps(seats), match, i) for i, seats in enumerate(one.gone or (), 1)]
            await db.executemany(_GONE, gone)
            await remove(db, match)
            if one.feats is not None:
                await add(db, one.feats)
        await db.execute(_DONE, (match,))


async def _feats(db: aiosqlite.Connection, match: int) -> _WorkedOut | None:
    """Return the feats of a recorded match. None if it can't be read (logged), or is gone.

    Without a log it keeps the badges that it has, if it was worked out before.
    """
    row = await first(db, _MATCH, (match,))
    if row is None:
        return None
    guild, game, text, standing, noted, is_rated = row
    packed = await first(db, _LOG, (match,))
    nameless = frozenset(player for (player,) in await rows(db, _NAMELESS, (match,)))
    try:
        played = await stored(db, match)
        options, people = json.loads(text), [seat.person for seat in played.seats]
        why = Unranked(noted) if noted is not None else None
        if why is None and standing == Standing.PRACTICE:
            why = unranked_before_noted(game, options, people, is_rated=bool(is_rated))
        of = category(game, options, Standing(standing), why, people)
        if of is None:
            return _WorkedOut(None)
        kind = Kind(guild, game, variant(game, options), of, ARENA in options)
        told = None
        if packed is not None:
            count = len(played.rounds)
            told = await asyncio.to_thread(_told, match, packed[0], people, count)
        if told is None:
            kept = await _kept_badges(db, match)
            return _WorkedOut(worked_out(match, kind, played, kept, nameless))
        pairs = zip(played.rounds, told.gone, strict=True)
        played = replace(played, rounds=[replace(one, gone=gone) for one, gone in pairs])
        return _WorkedOut(worked_out(match, kind, played, told.badges, nameless), told.gone)
    except Exception:
        log.warning("match %d: result unreadable, no feats", match, exc_info=True)
        return None


def _told(match: int, packed: bytes, people: Sequence[bool], rounds: int) -> _Told | None:
    """Return what a stored log of so many rounds tells; None if it can't be read (logged)."""
    try:
        lines = events(zlib.decompress(packed).decode())
        gone = [tuple(sorted(one.gone)) for one in read(lines, people).rounds]
        assert len(gone) == rounds, "the log has other rounds than the result"
        return _Told(badges(lines, people), gone)
    except Exception:
        log.warning("match %d: log unreadable, no new badges", match, exc_info=True)
        return None


async def _kept_badges(db: aiosqlite.Connection, match: int) -> Mapping[int, frozenset[Badge]]:
    found: dict[int, frozenset[Badge]] = {}
    for seat, badge in await rows(db, _KEPT, (match,)):
        found[seat] = found.get(seat, frozenset()) | {Badge(badge)}
    return found
