"""Seasons in SQLite: the open one of each server, those that are over, and their champions."""

from collections.abc import Mapping

import aiosqlite

from bot.ids import GuildId, UserId
from bot.records.models import Person
from bot.records.periods import Bounds
from bot.records.seasons.season import Champion, OpenSeason, SeasonOfGame, month_of
from bot.store.database.query import Row, first, rows
from bot.store.database.writer import Writer
from bot.store.leaderboards.kept import asked_for, complete, has_few
from bot.store.leaderboards.standings import leaders
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
        SELECT player, sum(1 - of_arena) AS matches, sum(won * (1 - of_arena)) AS wins,
               round(1.0 * sum(points) / max(1, sum(rounds)), 2) AS points
        FROM seats INDEXED BY seats_by_end
        WHERE guild = ? AND ended >= ? AND ended < ? AND game = ? AND rated = 1
          AND player IS NOT NULL
        GROUP BY player
    ), ranked AS (
        SELECT played.*, rank() OVER (ORDER BY wins DESC, points DESC) AS place,
               count(*) OVER () AS players
        FROM played
    )
    SELECT k.player, k.matches, k.wins, k.points, h.user, h.name, k.players
    FROM ranked k JOIN players h ON h.id = k.player WHERE k.place = 1 ORDER BY k.player
"""
MATCHES = """
    SELECT game, count(*) FROM matches
    WHERE guild = ? AND ended >= ? AND ended < ? AND standing = 'rated'
      AND json_extract(options, '$.arena') IS NULL
    GROUP BY game ORDER BY game
"""
_CROWNED = """
    INSERT INTO champions (guild, month, game, player, matches, wins, points)
    VALUES (?, ?, ?, ?, ?, ?, ?)
"""
_UNCROWNED = "DELETE FROM champions WHERE guild = ? AND month = ? AND game = ?"
SEASON = "SELECT began, ended FROM seasons WHERE guild = ? AND month = ?"
SEASON_AT = """
    SELECT month, began, ended FROM seasons
    WHERE guild = ? AND began <= ? AND ended > ?
"""
EXACTLY = "SELECT month FROM seasons WHERE guild = ? AND began = ? AND ended = ?"
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
        if found:
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
            within = Bounds(season.began, ended)
            for game, _ in await rows(db, MATCHES, (guild, within.start, within.end)):
                await _crown(db, guild, str(season.month), game, within)
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
    found: list[SeasonOfGame] = []
    for game, matches in await rows(db, MATCHES, (guild, within.start, within.end)):
        players, best = await _best(db, guild, game, within)
        champions = tuple(one for one in map(_champion, best) if one.wins)
        if players:
            found.append(SeasonOfGame(game, matches, players, champions))
    return tuple(found)


async def crown_again(db: aiosqlite.Connection, guild: GuildId, game: str, at: int) -> None:
    """Work out the champion of a past season again, inside a transaction.

    `at`: Unix ms, when a match of it ended that counts no longer. If much was played in it and no
    leaderboard is kept of it, one is asked for: the season is crowned once that is filled.
    """
    if (row := await first(db, SEASON_AT, (guild, at, at))) is None:
        return
    month, within = row[0], Bounds(*row[1:])
    if await complete(db, guild, game, within) or await has_few(db, guild, within):
        await _crown(db, guild, month, game, within)
    else:
        await db.execute(*asked_for(guild, game, within))


async def crown_filled(db: aiosqlite.Connection, guild: GuildId, game: str, within: Bounds) -> None:
    """Crown a past season, inside the transaction that completes its leaderboard."""
    if (row := await first(db, EXACTLY, (guild, within.start, within.end))) is not None:
        await _crown(db, guild, row[0], game, within)


async def _crown(
    db: aiosqlite.Connection, guild: GuildId, month: str, game: str, within: Bounds
) -> None:
    await db.execute(_UNCROWNED, (guild, month, game))
    _, best = await _best(db, guild, game, within)
    won = [row for row in best if _champion(row).wins]
    await db.executemany(_CROWNED, [(guild, month, game, *row[:4]) for row in won])


async def _best(
    db: aiosqlite.Connection, guild: GuildId, game: str, within: Bounds
) -> tuple[int, list[Row]]:
    """Return how many played a game in a time, and who was best: without a win if robots won all.

    Without a leaderboard of that time, everything played in it is read.
    """
    leaderboard = await complete(db, guild, game, within)
    if leaderboard is not None:
        return await leaders(db, leaderboard)
    found = await rows(db, PLAYED, (guild, within.start, within.end, game))
    return (found[0][-1] if found else 0), found


def _champion(row: Row) -> Champion:
    _, matches, wins, points, user, name, *_ = row
    return Champion(Person(user, name), matches, wins, points)


def _open(month: str, began: int) -> OpenSeason:
    found = month_of(month)
    assert found is not None, month
    return OpenSeason(found, began)
