"""The newest matches of a server in one line each, to choose from while somebody types."""

import aiosqlite

from bot.ids import GuildId
from bot.records.models import ListedMatch
from bot.store.database.query import Row, rows
from bot.tables.decisions.rated_or_practice import Standing

LISTED = """
    WITH newest AS (
        SELECT id, number, game, ended, standing FROM matches
        WHERE guild = ? AND standing != 'dropped' ORDER BY id DESC LIMIT ?
    )
    SELECT m.number, m.game, m.ended, m.standing, p.name, s.player,
           EXISTS (SELECT 1 FROM logs WHERE match_id = m.id)
    FROM newest m JOIN seats s ON s.match_id = m.id LEFT JOIN players p ON p.id = s.player
    ORDER BY m.id DESC, s.place, s.seat
"""


async def listed(db: aiosqlite.Connection, guild: GuildId, limit: int) -> tuple[ListedMatch, ...]:
    """Return the newest matches of a server, newest first, the winners' names first in each."""
    found: dict[int, list[Row]] = {}
    for row in await rows(db, LISTED, (guild, limit)):
        found.setdefault(row[0], []).append(row)
    return tuple(_match(seats) for seats in found.values())


def _match(seats: list[Row]) -> ListedMatch:
    number, game, ended, standing, *_, has_log = seats[0]
    people = tuple(name for *_, name, _, _ in seats if name is not None)
    robots = sum(player is None for *_, player, _ in seats)
    return ListedMatch(number, game, ended, Standing(standing), bool(has_log), people, robots)
