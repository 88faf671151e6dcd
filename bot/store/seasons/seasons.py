"""Seasons in SQLite: the open one of each server, those that are over, and their champions."""

from collections.abc import Mapping

import aiosqlite

from bot.ids import GuildId, UserId
from bot.records.models import Person
from bot.records.periods import Bounds
from bot.records.seasons.season import Champion, OpenSeason, SeasonOfGame, month_of
from bot.store.database.query import Row, first, rows
from bot.store.database.writer import Writer
from bot.text import Month

OPEN = "SELECT guild, month, began FROM open_seasons"
OPEN_OF = f"{OPEN} WHERE guild = ?"
UNOPENED = """
    SELECT g.guild, (
        SELECT m.ended FROM matches m WHERE m.guild = g.guild AND m.standing = 'rated'
        ORDER BY m.ended LIMIT 1
    ) AS played
    FROM guilds g
    WHERE g.application = ? AND g.left_at IS NULL AND played IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM open_seasons o WHERE o.guild = g.guild)
"""
_OPENED = """
    INSERT INTO open_seasons (guild, month, began) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET month = excluded.month, began = excluded.began
"""
_FIRST = "INSERT OR IGNORE INTO open_seasons (guild, month, began) VALUES (?, ?, ?)"
_OVER = "INSERT INTO seasons (guild, month, began, ended) VALUES (?, ?, ?, ?)"
PLAYED = """
    WITH played AS (
        SELECT game, player, count(*) AS matches, sum(won) AS wins,
               round(1.0 * sum(points) / max(1, sum(rounds)), 2) AS points
        FROM seats INDEXED BY seats_by_end
        WHERE guild = ? AND ended >= ? AND ended < ? AND rated = 1 AND player IS NOT NULL
        GROUP BY game, player
    ), ranked AS (
        SELECT played.*, rank() OVER best AS place, count(*) OVER (PARTITION BY game) AS players
        FROM played WINDOW best AS (PARTITION BY game ORDER BY wins DESC, points DESC)
    )
    SELECT k.game, k.players, k.player, k.matches, k.wins, k.points, h.user, h.name
    FROM ranked k JOIN players h ON h.id = k.player WHERE k.place = 1 ORDER BY k.game, k.player
"""
MATCHES = """
    SELECT game, count(*) FROM matches
    WHERE guild = ? AND ended >= ? AND ended < ? AND standing = 'rated' GROUP BY game
"""
_CROWNED = """
    INSERT INTO champions (guild, month, game, player, matches, wins, points)
    VALUES (?, ?, ?, ?, ?, ?, ?)
"""
_UNCROWNED = "DELETE FROM champions WHERE guild = ? AND month = ?"
SEASON = "SELECT began, ended FROM seasons WHERE guild = ? AND month = ?"
SEASON_AT = """
    SELECT month, began, ended FROM seasons
    WHERE guild = ? AND began <= ? AND ended > ?
"""
MONTHS = "SELECT DISTINCT month FROM champions WHERE guild = ? ORDER BY month DESC"
REIGNING = """
    SELECT c.guild, c.game, h.user
    FROM open_seasons o
    CROSS JOIN seasons s ON s.guild = o.guild AND s.ended = o.began
    CROSS JOIN champions c ON c.guild = s.guild AND c.month = s.month
    CROSS JOIN players h ON h.id = c.player
    WHERE h.user IS NOT NULL
"""
REIGNING_IN = f"{REIGNING} AND o.guild = ?"


class SqliteSeasons:
    """The SQLite implementation of `bot.records.archive.Seasons`."""

    def __init__(self, reader: aiosqlite.Connection, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def open_seasons(self) -> Mapping[GuildId, OpenSeason]:
        return {guild: _open(*row) for guild, *row in await rows(self._reader, OPEN)}

    async def open_season(self, guild: GuildId) -> OpenSeason | None:
        row = await first(self._reader, OPEN_OF, (guild,))
        return _open(*row[1:]) if row is not None else None

    async def open(self, seasons: Mapping[GuildId, OpenSeason]) -> None:
        """Keep first seasons, so that a change of the time zone moves no match out of them."""
        found = [(guild, str(one.month), one.began) for guild, one in seasons.items()]
        await self._writer.write([(_FIRST, values) for values in found])

    async def unopened(self, application: int) -> Mapping[GuildId, int]:
        found = await rows(self._reader, UNOPENED, (application,))
        return {GuildId(guild): ended for guild, ended in found}

    async def close(self, guild: GuildId, season: OpenSeason, ended: int) -> OpenSeason:
        """Close a season in one transaction, unless it is closed. Return the open one."""
        after = OpenSeason(season.month.after, ended)

        async def work(db: aiosqlite.Connection) -> None:
            nonlocal after
            if (row := await first(db, OPEN_OF, (guild,))) is not None:
                _, month, began = row
                if month != str(season.month):
                    after = _open(month, began)
                    return
            await db.execute(_OVER, (guild, str(season.month), season.began, ended))
            await _crown(db, guild, season.month, Bounds(season.began, ended))
            await db.execute(_OPENED, (guild, str(after.month), after.began))

        await self._writer.write([work], durable=True)
        return after

    async def months(self, guild: GuildId) -> tuple[Month, ...]:
        found = [month_of(word) for (word,) in await rows(self._reader, MONTHS, (guild,))]
        return tuple(month for month in found if month is not None)

    async def season(self, guild: GuildId, month: Month) -> Bounds | None:
        row = await first(self._reader, SEASON, (guild, str(month)))
        return Bounds(*row) if row is not None else None

    async def played(self, guild: GuildId, within: Bounds) -> tuple[SeasonOfGame, ...]:
        return await played(self._reader, guild, within)

    async def champions(self, guild: GuildId) -> frozenset[tuple[str, UserId]]:
        found = await rows(self._reader, REIGNING_IN, (guild,))
        return frozenset((game, UserId(user)) for _, game, user in found)

    async def every_champion(self) -> Mapping[GuildId, frozenset[tuple[str, UserId]]]:
        found: dict[GuildId, set[tuple[str, UserId]]] = {}
        for guild, game, user in await rows(self._reader, REIGNING):
            found.setdefault(GuildId(guild), set()).add((game, UserId(user)))
        return {guild: frozenset(champions) for guild, champions in found.items()}


async def played(
    db: aiosqlite.Connection, guild: GuildId, within: Bounds
) -> tuple[SeasonOfGame, ...]:
    """Return what was played of each game in a time. Games without rated matches are left out."""
    times = (guild, within.start, within.end)
    matches: dict[str, int] = dict(await rows(db, MATCHES, times))
    best: dict[str, list[Row]] = {}
    for row in await rows(db, PLAYED, times):
        game, *_ = row
        best.setdefault(game, []).append(row)
    return tuple(
        SeasonOfGame(game, matches[game], found[0][1], tuple(map(_champion, _winners(found))))
        for game, found in best.items()
    )


async def crown_again(db: aiosqlite.Connection, guild: GuildId, at: int) -> None:
    """Work out again, inside a transaction, who is champion of a past season.

    `at`: Unix ms, when a match of it ended that counts no longer.
    """
    if (row := await first(db, SEASON_AT, (guild, at, at))) is None:
        return
    word, began, ended = row
    month = month_of(word)
    assert month is not None, row
    await db.execute(_UNCROWNED, (guild, word))
    await _crown(db, guild, month, Bounds(began, ended))


async def _crown(db: aiosqlite.Connection, guild: GuildId, month: Month, within: Bounds) -> None:
    found = await rows(db, PLAYED, (guild, within.start, within.end))
    await db.executemany(
        _CROWNED,
        [
            (guild, str(month), game, player, matches, wins, points)
            for game, _, player, matches, wins, points, *_ in _winners(found)
        ],
    )


def _winners(found: list[Row]) -> list[Row]:
    """Leave out whoever leads without a win: robots have won every match."""
    return [row for row in found if _champion(row).wins]


def _champion(row: Row) -> Champion:
    _, _, _, matches, wins, points, user, name = row
    return Champion(Person(user, name), matches, wins, points)


def _open(month: str, began: int) -> OpenSeason:
    found = month_of(month)
    assert found is not None, month
    return OpenSeason(found, began)
