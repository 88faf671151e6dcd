"""Feats, badges and rivals of a match: written with it, and taken back when it is voided."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import aiosqlite

from bot.ids import GuildId
from bot.records.badges.badges import Badge
from bot.records.feats import Category, Meeting, Seated, SeatFeats, feats, meetings
from bot.records.results import RoundRecord
from bot.store.database.query import Row, first, rows
from bot.store.feats.stored_rounds import ROUNDS, round_records

_FEAT = """
    INSERT INTO feats (
        match_id, seat, player, guild, game, variant, category, won, points, stop, duel, come_back,
        of_arena
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_BADGE = "INSERT INTO badges (player, badge, match_id) VALUES (?, ?, ?)"
_MET = """
    INSERT INTO rivals (player, game, other, matches, ahead, points, firsts, firsts_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET matches = matches + excluded.matches, ahead = ahead + excluded.ahead,
        points = points + excluded.points, firsts = firsts + excluded.firsts,
        firsts_ms = firsts_ms + excluded.firsts_ms
"""
_UNMET = """
    UPDATE rivals SET matches = matches - 1, ahead = ahead - ?, points = points - ?,
        firsts = firsts - ?, firsts_ms = firsts_ms - ?
    WHERE player = ? AND game = ? AND other = ?
"""
_STRANGERS = "DELETE FROM rivals WHERE player = ? AND game = ? AND matches = 0"
_OF_MATCH = "SELECT seat, player, game, variant, category FROM feats WHERE match_id = ?"
_GONE = (
    "DELETE FROM feats WHERE match_id = ?",
    "DELETE FROM badges WHERE match_id = ?",
    "DELETE FROM feats_due WHERE match_id = ?",
)
_STREAK_BEFORE = """
    SELECT streak FROM feats WHERE player = ? AND game = ? AND variant = ? AND category = 'ranked'
        AND of_arena = 0 AND match_id < ? ORDER BY match_id DESC LIMIT 1
"""
_WON_SINCE = """
    SELECT match_id, won, streak FROM feats WHERE player = ? AND game = ? AND variant = ?
        AND category = 'ranked' AND of_arena = 0 AND match_id >= ? ORDER BY match_id
"""
_STREAK = "UPDATE feats SET streak = ? WHERE match_id = ? AND player = ?"
_SEATS = """
    SELECT player, gone, won, place, points FROM seats WHERE match_id = ? ORDER BY seat
"""


@dataclass(frozen=True, slots=True)
class MatchFeats:
    """The feats of a match, ready to write. `players`: ids by seat, robots left out.

    `nameless`: those of them who had themselves forgotten. They keep no badges and no rivals.
    """

    match: int
    guild: GuildId
    game: str
    variant: str
    category: Category
    players: Mapping[int, int]
    feats: tuple[SeatFeats, ...]
    meetings: Mapping[tuple[int, int], Meeting]
    badges: Mapping[int, frozenset[Badge]] = field(default_factory=dict)
    nameless: frozenset[int] = frozenset()
    of_arena: bool = False


@dataclass(frozen=True, slots=True)
class Kind:
    """The guild, game, variant and category of a match. `of_arena`: it was a round of an arena."""

    guild: GuildId
    game: str
    variant: str
    category: Category
    of_arena: bool = False


@dataclass(frozen=True, slots=True)
class Played:
    """The rounds and seats of a match, and the player ids by seat."""

    rounds: Sequence[RoundRecord]
    seats: Sequence[Seated]
    players: Mapping[int, int]


def worked_out(
    match: int,
    kind: Kind,
    played: Played,
    badges: Mapping[int, frozenset[Badge]],
    nameless: frozenset[int] = frozenset(),
) -> MatchFeats:
    """Return a match's feats. CPU only.

    Only ranked matches make rivals. Badges are earned in these, or alone against robots.
    """
    ranked = kind.category is Category.RANKED
    return MatchFeats(
        match,
        kind.guild,
        kind.game,
        kind.variant,
        kind.category,
        played.players,
        feats(played.rounds, played.seats),
        meetings(played.rounds, played.seats) if ranked else {},
        badges if kind.category is not Category.PRACTICE else {},
        nameless,
        kind.of_arena,
    )


async def add(db: aiosqlite.Connection, one: MatchFeats) -> None:
    """Write a match's feats, inside a transaction. Matches may be added in any order."""
    kind = (one.guild, one.game, one.variant, one.category.value)
    await db.executemany(_FEAT, [_row(one, own, kind) for own in one.feats])
    named = {seat: who for seat, who in one.players.items() if who not in one.nameless}
    earned = [
        (named[seat], badge.value, one.match)
        for seat, found in one.badges.items()
        for badge in sorted(found)
        if seat in named
    ]
    await db.executemany(_BADGE, earned)
    met = [
        (named[own], one.game, named[other], 1, its.ahead, its.points, its.firsts, its.firsts_ms)
        for (own, other), its in one.meetings.items()
        if own in named and other in named
    ]
    await db.executemany(_MET, met)
    if one.category is Category.RANKED and not one.of_arena:
        await _count_streaks(db, one.players.values(), one.game, one.variant, one.match)


def _row(one: MatchFeats, own: SeatFeats, kind: tuple[object, ...]) -> tuple[object, ...]:
    values = (own.won, own.points, own.stop, own.duel, own.come_back, one.of_arena)
    return (one.match, own.seat, one.players[own.seat], *kind, *values)


async def remove(db: aiosqlite.Connection, match: int) -> None:
    """Take a match's feats back, inside a transaction: records pass to the next best.

    Does nothing for a match without feats.
    """
    found = await rows(db, _OF_MATCH, (match,))
    ranked = [row for row in found if row[-1] == Category.RANKED]
    if ranked:
        await _part(db, match, ranked[0][2])
    for sql in _GONE:
        await db.execute(sql, (match,))
    for _, player, game, variant, _ in ranked:
        await _count_streaks(db, [player], game, variant, match)


async def _part(db: aiosqlite.Connection, match: int, game: str) -> None:
    """Take back what a match added between its people."""
    played = await stored(db, match)
    players = played.players
    less = [
        (its.ahead, its.points, its.firsts, its.firsts_ms, players[own], game, players[other])
        for (own, other), its in meetings(played.rounds, played.seats).items()
    ]
    await db.executemany(_UNMET, less)
    await db.executemany(_STRANGERS, [(player, game) for player in players.values()])


async def stored(db: aiosqlite.Connection, match: int) -> Played:
    """Return what is recorded of a match."""
    found = await rows(db, _SEATS, (match,))
    seats = tuple(map(_seated, found))
    left = [seat for seat, one in enumerate(seats) if one.left]
    players = {seat: row[0] for seat, row in enumerate(found) if row[0] is not None}
    return Played(round_records(await rows(db, ROUNDS, (match,)), left), seats, players)


def _seated(row: Row) -> Seated:
    player, gone, won, place, points = row
    return Seated(player is not None, bool(gone), bool(won), place, points)


async def _count_streaks(
    db: aiosqlite.Connection, players: Iterable[int], game: str, variant: str, since: int
) -> None:
    """Count wins in a row again, from a match on that has been added or taken away.

    It ends where nothing changes any more: at each player's next match that was not won.
    """
    for player in players:
        key = (player, game, variant, since)
        before = await first(db, _STREAK_BEFORE, key)
        now, changed = (before[0] if before is not None else 0), []
        async with db.execute(_WON_SINCE, key) as cursor:
            async for match, won, streak in cursor:
                now = now + 1 if won else 0
                if now == streak and match != since:
                    break
                changed.append((now, match, player))
        await db.executemany(_STREAK, changed)
