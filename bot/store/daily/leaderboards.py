"""Leaderboards and recaps of dailies, read in the order of an index: nothing is sorted."""

import aiosqlite

from bot.daily.dates import DayNumber
from bot.daily.result import Result
from bot.daily.store import GameRecap, Leaderboard, LeaderboardRow, RoundKey, Winners
from bot.ids import GuildId, UserId
from bot.store.database.query import first, rows

SHOWN = 10
"""Rows of a leaderboard."""
PODIUM = 3
NAMED = 3
"""Names shown of a shared place. Of those beyond them, only the number is."""

_OF_GAME = "WHERE guild = ? AND day = ? AND game = ? AND points IS NOT NULL"
_THERE = f"daily_places INDEXED BY daily_places_by_points {_OF_GAME}"
GAMES = """
    SELECT DISTINCT game FROM daily_places INDEXED BY daily_places_by_points
    WHERE guild = ? AND day = ? AND points IS NOT NULL
"""
COUNT = f"SELECT count(*) FROM {_THERE}"  # noqa: S608 this module's own
TOP = f"""
    SELECT user, name, points, presses FROM {_THERE} ORDER BY points DESC, presses LIMIT ?
"""  # noqa: S608 this module's own
OWN = f"SELECT name, points, presses FROM daily_places {_OF_GAME} AND user = ?"  # noqa: S608 this module's own
MORE_POINTS = f"SELECT count(*) FROM {_THERE} AND points > ?"  # noqa: S608 this module's own
FEWER_PRESSES = f"""
    SELECT count(*) FROM {_THERE} AND points = ? AND presses < ?
"""  # noqa: S608 this module's own
RESULTS = f"""
    SELECT points, presses, count(*) FROM {_THERE}
    GROUP BY points, presses ORDER BY points DESC, presses LIMIT ?
"""  # noqa: S608 this module's own
NAMES = f"""
    SELECT name FROM {_THERE} AND points = ? AND presses = ? ORDER BY user LIMIT ?
"""  # noqa: S608 this module's own


async def leaderboard(db: aiosqlite.Connection, guild: GuildId, key: RoundKey) -> Leaderboard:
    """Return the first of a date, and the row of whoever the key is of."""
    there = (guild, key.day, key.game)
    found: list[LeaderboardRow] = []
    for number, (user, name, points, presses) in enumerate(await rows(db, TOP, (*there, SHOWN)), 1):
        result = Result(points, presses)
        place = found[-1].place if found and found[-1].result == result else number
        found.append(LeaderboardRow(place, UserId(user), name, result))
    return Leaderboard(tuple(found), await _count(db, COUNT, *there), await _own(db, guild, key))


async def _own(db: aiosqlite.Connection, guild: GuildId, key: RoundKey) -> LeaderboardRow | None:
    there = (guild, key.day, key.game)
    row = await first(db, OWN, (*there, key.user))
    if row is None:
        return None
    name, points, presses = row
    better = await _count(db, MORE_POINTS, *there, points)
    better += await _count(db, FEWER_PRESSES, *there, points, presses)
    return LeaderboardRow(better + 1, key.user, name, Result(points, presses))


async def recap(db: aiosqlite.Connection, guild: GuildId, day: DayNumber) -> tuple[GameRecap, ...]:
    """Return each game of a date that somebody has finished in a server, most played first."""
    found = [await _recap(db, guild, day, game) for (game,) in await rows(db, GAMES, (guild, day))]
    return tuple(sorted(found, key=lambda one: -one.players))


async def _recap(db: aiosqlite.Connection, guild: GuildId, day: DayNumber, game: str) -> GameRecap:
    there, winners, place = (guild, day, game), list[Winners](), 1
    for points, presses, count in await rows(db, RESULTS, (*there, PODIUM)):
        if place > PODIUM:
            break
        named = await rows(db, NAMES, (*there, points, presses, NAMED))
        names = tuple(name for (name,) in named)
        winners.append(Winners(place, Result(points, presses), names, count))
        place += count
    return GameRecap(game, await _count(db, COUNT, *there), tuple(winners))


async def _count(db: aiosqlite.Connection, sql: str, *values: int | str) -> int:
    row = await first(db, sql, values)
    assert row is not None, "a count has a row"
    return int(row[0])
