"""A page of a leaderboard, and a person's place on it."""

from dataclasses import dataclass

import aiosqlite

from bot.ids import GuildId, UserId
from bot.records.models import (
    PAGE,
    LeaderboardPage,
    LeaderboardRow,
    Order,
    Person,
    Place,
    Wanted,
    pages,
)
from bot.records.ratings import NEWCOMER, Shown, shown
from bot.store.database.query import Row, first, rows
from bot.store.leaderboards.counted import at, before, total
from bot.store.leaderboards.kept import Leaderboard, complete

_LINES = """
    SELECT s.by_{kind}, h.user, h.name, coalesce(r.shown, :shown), coalesce(r.margin, :margin),
           s.matches, s.wins, round(1.0 * s.points / max(1, s.rounds), 2)
    FROM standings s JOIN players h ON h.id = s.player
    LEFT JOIN ratings r ON r.player = s.player AND r.game = :game
    WHERE s.leaderboard = :leaderboard AND
"""
_FROM = " s.by_{kind} >= :key ORDER BY s.by_{kind} LIMIT :size OFFSET :skip"
_OF_PERSON = " s.player = (SELECT id FROM players WHERE user = :user AND guild = :guild)"
KINDS = ("rating", "points", "wins")
PAGES = tuple((_LINES + _FROM).format(kind=kind) for kind in KINDS)
OWN = tuple((_LINES + _OF_PERSON).format(kind=kind) for kind in KINDS)


@dataclass(frozen=True, slots=True)
class _Keys:
    """Keys of an order. Those that are alike above the lowest `bits` share a place."""

    kind: str
    bits: int

    def group(self, key: int) -> int:
        return key >> self.bits << self.bits


_KEYS = {
    Order.RATING: _Keys("rating", 28),
    Order.POINTS: _Keys("points", 28),
    Order.WINS: _Keys("wins", 48),
    Order.SEASON: _Keys("wins", 28),
}


async def page(db: aiosqlite.Connection, wanted: Wanted, user: UserId) -> LeaderboardPage | None:
    """Return a page with the asking user's row; None if no complete leaderboard has this order."""
    leaderboard = await complete(db, wanted.guild, wanted.game, wanted.within)
    if leaderboard is None or (wanted.order is Order.RATING and not leaderboard.is_rated):
        return None
    keys = _KEYS[wanted.order]
    players = await total(db, keys.kind, leaderboard.id)
    if not players:
        return LeaderboardPage((), 0, 1, 0, None)
    number = min(max(0, wanted.page), pages(players, PAGE) - 1)
    key, skip = await at(db, keys.kind, leaderboard.id, number * PAGE)
    values = _values(leaderboard, wanted.guild, wanted.game, user)
    which = KINDS.index(keys.kind)
    found = await rows(db, PAGES[which], values | {"key": key, "size": PAGE, "skip": skip})
    own = await first(db, OWN[which], values)
    return LeaderboardPage(
        rows=await _placed(db, leaderboard, keys, found, number * PAGE),
        page=number,
        pages=pages(players, PAGE),
        players=players,
        own=_row(await _place(db, leaderboard, keys, own[0]), own) if own is not None else None,
    )


async def _placed(
    db: aiosqlite.Connection, leaderboard: Leaderboard, keys: _Keys, found: list[Row], line: int
) -> tuple[LeaderboardRow, ...]:
    """Return the rows from a line on. Whoever isn't equal to the one before has their own line."""
    placed: list[LeaderboardRow] = []
    place, group = 0, None
    for number, row in enumerate(found, line + 1):
        if keys.group(row[0]) != group:
            place = number if placed else await _place(db, leaderboard, keys, row[0])
            group = keys.group(row[0])
        placed.append(_row(place, row))
    return tuple(placed)


async def place(db: aiosqlite.Connection, guild: GuildId, user: UserId, game: str) -> Place | None:
    """Return a person's place by rating; None if they have none, or it isn't complete."""
    leaderboard = await complete(db, guild, game, None)
    if leaderboard is None:
        return None
    keys = _KEYS[Order.RATING]
    values = _values(leaderboard, guild, game, user)
    row = await first(db, OWN[KINDS.index(keys.kind)], values)
    if row is None:
        return None
    own = await _place(db, leaderboard, keys, row[0])
    return Place(own, await total(db, keys.kind, leaderboard.id))


async def _place(db: aiosqlite.Connection, leaderboard: Leaderboard, keys: _Keys, key: int) -> int:
    return 1 + await before(db, keys.kind, leaderboard.id, keys.group(key))


def _values(
    leaderboard: Leaderboard, guild: GuildId, game: str, user: UserId
) -> dict[str, int | str]:
    new = shown(NEWCOMER, game)
    return {
        "leaderboard": leaderboard.id,
        "guild": guild,
        "game": game,
        "user": user,
        "shown": new.points,
        "margin": new.margin,
    }


def _row(place: int, row: Row) -> LeaderboardRow:
    _, user, name, rating, margin, matches, wins, points = row
    return LeaderboardRow(place, Person(user, name), Shown(rating, margin), matches, wins, points)
