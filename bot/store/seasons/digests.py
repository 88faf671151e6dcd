"""The weekly digest in SQLite."""

import aiosqlite

from bot.ids import GuildId
from bot.records.models import Person
from bot.records.periods import Bounds
from bot.records.seasons.digest import BestRound, ClosestRace, Week
from bot.store.database.query import first
from bot.store.seasons.seasons import played

PLAYERS = """
    SELECT count(DISTINCT player) FROM seats INDEXED BY seats_by_end
    WHERE guild = ? AND ended >= ? AND ended < ? AND rated = 1 AND player IS NOT NULL
"""
# A race that a robot was in is nobody's story: the join leaves it out.
RACE = """
    SELECT m.id, m.game, a.user, a.name, b.user, b.name, d.value ->> 2 AS ms
    FROM matches m
    JOIN rounds r ON r.match_id = m.id
    JOIN json_each(r.duels) d
    JOIN seats s ON s.match_id = m.id AND s.seat = d.value ->> 0
    JOIN players a ON a.id = s.player
    JOIN seats t ON t.match_id = m.id AND t.seat = d.value ->> 1
    JOIN players b ON b.id = t.player
    WHERE m.guild = ? AND m.ended >= ? AND m.ended < ? AND m.standing = 'rated'
    ORDER BY ms, m.id LIMIT 1
"""
ROUND = """
    SELECT m.id, m.game, p.user, p.name, s.best
    FROM matches m
    JOIN seats s ON s.match_id = m.id
    JOIN players p ON p.id = s.player
    WHERE m.guild = ? AND m.ended >= ? AND m.ended < ? AND m.standing = 'rated' AND s.best > 0
    ORDER BY s.best DESC, m.id, s.seat LIMIT 1
"""


async def week(db: aiosqlite.Connection, guild: GuildId, within: Bounds) -> Week:
    """Return what was played in a week. Of two equal races or rounds, the earlier one is told."""
    times = (guild, within.start, within.end)
    players = await first(db, PLAYERS, times)
    assert players is not None
    race, best = await first(db, RACE, times), await first(db, ROUND, times)
    return Week(
        await played(db, guild, within),
        players[0],
        ClosestRace(race[0], race[1], Person(*race[2:4]), Person(*race[4:6]), race[6])
        if race is not None
        else None,
        BestRound(best[0], best[1], Person(*best[2:4]), best[4]) if best is not None else None,
    )
