"""The leaderboards of a server's game: one of all time, and one of each year, month and week."""

from collections.abc import Iterable
from dataclasses import dataclass

import aiosqlite

from bot.ids import GuildId
from bot.records.periods import Bounds, Period, bounds, known_zone
from bot.records.seasons.season import OpenSeason, month_of
from bot.store.database.query import Statement, first, rows

ALL = Bounds(-(2**63), 2**63 - 1)
EVERYBODY = 2**63 - 1
"""`filled` of a leaderboard that is complete."""
FEW = 1_000
"""Matches that are counted and sorted for an answer at most."""

DAY = 24 * 60 * 60 * 1000
_LONGEST = ((Period.WEEK, 8), (Period.MONTH, 100), (Period.YEAR, 400))
"""Days. A change of the time zone makes seasons a little longer, and weeks and years by an hour."""

OPEN = """
    SELECT start, until FROM leaderboards
    WHERE guild = ? AND game = ? AND start <= ? AND until > ?
"""
COMPLETE = """
    SELECT id, is_rated FROM leaderboards
    WHERE guild = ? AND game = ? AND start = ? AND until = ? AND filled = 9223372036854775807
"""
MATCHES = """
    SELECT count(*) FROM (
        SELECT 1 FROM matches WHERE guild = ? AND ended >= ? AND ended < ? LIMIT ?)
"""
_ZONE = "SELECT time_zone FROM settings WHERE guild = ?"
_SEASON = "SELECT month, began FROM open_seasons WHERE guild = ?"
_NEW = """
    INSERT INTO leaderboards (guild, game, period, start, until, filled)
    VALUES (:guild, :game, :period, :start, :until, iif(EXISTS (
        SELECT 1 FROM seats INDEXED BY seats_by_end
        WHERE guild = :guild AND ended >= :start AND ended < :until AND game = :game AND rated = 1
          AND player IS NOT NULL
    ), 0, 9223372036854775807))
"""
_ASKED = """
    INSERT OR IGNORE INTO leaderboards (guild, game, period, start, until, is_rated)
    SELECT ?, ?, ?, ?, ?, NOT EXISTS (SELECT 1 FROM matches WHERE guild = ? AND ended >= ?)
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


async def has_few(db: aiosqlite.Connection, guild: GuildId, within: Bounds | None) -> bool:
    """Return whether so few matches ended in a time that they can be sorted for an answer."""
    of = within or ALL
    row = await first(db, MATCHES, (guild, of.start, of.end, FEW + 1))
    assert row is not None
    return int(row[0]) <= FEW


def asked_for(guild: GuildId, game: str, within: Bounds | None) -> Statement:
    """Return what makes a leaderboard that is missing. It is filled in the background."""
    of = within or ALL
    days = (of.end - of.start) // DAY
    period = next((period for period, most in _LONGEST if days <= most), Period.ALL)
    return _ASKED, (guild, game, period.value, of.start, of.end, guild, of.end)


async def open_leaderboards(
    db: aiosqlite.Connection, guild: GuildId, game: str, ended: int
) -> None:
    """Make the leaderboards of a match, inside the transaction that writes it, before it.

    `ended`: Unix ms. If others have played in its time, a new one is filled in the background.
    """
    there = {tuple(row) for row in await rows(db, OPEN, (guild, game, ended, ended))}
    new = [
        {"guild": guild, "game": game, "period": period, "start": of.start, "until": of.end}
        for period, of in await _periods(db, guild, ended)
        if (of.start, of.end) not in there
    ]
    if new:
        await db.executemany(_NEW, new)
        await db.execute(_OVER, (guild, game, ended))


async def _periods(
    db: aiosqlite.Connection, guild: GuildId, at: int
) -> Iterable[tuple[str, Bounds]]:
    """Return the times of a match. Its month is the season, which a change of zone lengthens."""
    chosen, season = await first(db, _ZONE, (guild,)), await first(db, _SEASON, (guild,))
    zone = known_zone(chosen[0] if chosen is not None else None)
    of = {period: bounds(period, at, zone) or ALL for period in Period}
    if season is not None and (month := month_of(season[0])) is not None and season[1] <= at:
        of[Period.MONTH] = OpenSeason(month, season[1]).this_month(zone, at)
    return [(period.value, one) for period, one in of.items()]
