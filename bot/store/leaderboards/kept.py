"""The leaderboards of a server's game: one of all time, and one of each year, month and week."""

from collections.abc import Iterator
from dataclasses import dataclass

import aiosqlite

from bot.ids import GuildId
from bot.records.periods import Bounds, Period, bounds, known_zone
from bot.store.database.query import first, rows

ALL = Bounds(-(2**63), 2**63 - 1)
EVERYBODY = 2**63 - 1
"""`filled` of a leaderboard that is complete."""

OPEN = """
    SELECT start, until FROM leaderboards
    WHERE guild = ? AND game = ? AND start <= ? AND until > ?
"""
COMPLETE = """
    SELECT id, is_rated FROM leaderboards
    WHERE guild = ? AND game = ? AND start = ? AND until = ? AND filled = 9223372036854775807
"""
_ZONE = "SELECT time_zone FROM settings WHERE guild = ?"
_NEW = """
    INSERT INTO leaderboards (guild, game, period, start, until, filled)
    VALUES (:guild, :game, :period, :start, :until, iif(EXISTS (
        SELECT 1 FROM seats INDEXED BY seats_by_end
        WHERE guild = :guild AND ended >= :start AND ended < :until AND game = :game AND rated = 1
          AND player IS NOT NULL
    ), 0, 9223372036854775807))
"""
_OVER = "UPDATE leaderboards SET is_rated = 0 WHERE guild = ? AND game = ? AND until <= ?"


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A complete leaderboard.

    `is_rated`: its order by rating is kept, since its period isn't over.
    """

    id: int
    is_rated: bool


async def complete(
    db: aiosqlite.Connection, guild: GuildId, game: str, within: Bounds | None
) -> Leaderboard | None:
    """Return the leaderboard of a time; None if there is none, or it is being filled.

    `within` is None for all time.
    """
    of = within or ALL
    row = await first(db, COMPLETE, (guild, game, of.start, of.end))
    return Leaderboard(row[0], bool(row[1])) if row is not None else None


async def open_leaderboards(
    db: aiosqlite.Connection, guild: GuildId, game: str, ended: int
) -> None:
    """Make the leaderboards of a match, inside the transaction that writes it, before it.

    `ended`: Unix ms. If others have played in its time, a new one is filled in the background.
    """
    there = {tuple(row) for row in await rows(db, OPEN, (guild, game, ended, ended))}
    zone = await first(db, _ZONE, (guild,))
    new = [
        {"guild": guild, "game": game, "period": period, "start": of.start, "until": of.end}
        for period, of in _periods(ended, known_zone(zone[0] if zone is not None else None))
        if (of.start, of.end) not in there
    ]
    if new:
        await db.executemany(_NEW, new)
        await db.execute(_OVER, (guild, game, ended))


def _periods(at: int, zone: str) -> Iterator[tuple[str, Bounds]]:
    for period in Period:
        yield period.value, bounds(period, at, zone) or ALL
