"""The weekly digest in SQLite."""

from collections.abc import Iterable

import aiosqlite

from bot.ids import GuildId
from bot.records.models import Person
from bot.records.periods import Bounds
from bot.records.seasons.digest import BestRound, ClosestRace, RecordOfWeek, Week
from bot.records.seasons.season import SeasonOfGame
from bot.store.database.query import first
from bot.store.feats.queries import fallen_between, loser_of
from bot.store.seasons.seasons import played

PLAYERS = """
    SELECT count(DISTINCT player) FROM seats INDEXED BY seats_by_end
    WHERE guild = ? AND ended >= ? AND ended < ? AND rated = 1 AND player IS NOT NULL
"""
RACE = """
    SELECT m.id, m.number, m.game, p.user, p.name, f.duel, f.seat
    FROM matches m JOIN feats f ON f.match_id = m.id JOIN players p ON p.id = f.player
    WHERE m.guild = ? AND m.ended >= ? AND m.ended < ? AND f.category = 'ranked'
      AND f.duel IS NOT NULL
    ORDER BY f.duel, m.id, f.seat LIMIT 1
"""
ROUND = """
    SELECT m.number, m.game, p.user, p.name, f.points
    FROM matches m JOIN feats f ON f.match_id = m.id JOIN players p ON p.id = f.player
    WHERE m.guild = ? AND m.ended >= ? AND m.ended < ? AND f.category = 'ranked' AND f.points > 0
    ORDER BY f.points DESC, m.id, f.seat LIMIT 1
"""
FIRST_SINCE = "SELECT id FROM matches WHERE guild = ? AND ended >= ? ORDER BY ended, id LIMIT 1"
NONE_YET = 2**62
"""More than the id of any match."""


async def week(db: aiosqlite.Connection, guild: GuildId, within: Bounds) -> Week:
    """Return what was played in a week. Of two equal races or rounds, the earlier one is told.

    As with records, races and rounds are those of whole rounds (docs/feats.md).
    """
    times = (guild, within.start, within.end)
    players = await first(db, PLAYERS, times)
    assert players is not None
    games, best = await played(db, guild, within), await first(db, ROUND, times)
    return Week(
        games,
        players[0],
        await _race(db, times),
        BestRound(best[0], best[1], Person(*best[2:4]), best[4]) if best is not None else None,
        await _records(db, guild, within, _most_played(games)),
    )


def _most_played(games: Iterable[SeasonOfGame]) -> list[str]:
    return [one.game for one in sorted(games, key=lambda one: -one.matches)]


async def _race(db: aiosqlite.Connection, times: tuple[int, int, int]) -> ClosestRace | None:
    row = await first(db, RACE, times)
    if row is None:
        return None
    match, number, game, user, name, ms, seat = row
    late = await loser_of(db, match, seat, ms) or Person(None, None)
    return ClosestRace(number, game, Person(user, name), late, ms)


async def _records(
    db: aiosqlite.Connection, guild: GuildId, within: Bounds, games: Iterable[str]
) -> tuple[RecordOfWeek, ...]:
    since = await first(db, FIRST_SINCE, (guild, within.start))
    if since is None:
        return ()
    until = await first(db, FIRST_SINCE, (guild, within.end)) or (NONE_YET,)
    found: list[RecordOfWeek] = []
    for game in games:
        fallen = await fallen_between(db, guild, game, since[0], until[0])
        found += [RecordOfWeek(game, one) for one in fallen]
    return tuple(found)
