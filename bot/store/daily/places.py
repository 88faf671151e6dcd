"""Results on servers of other groups, which keep their leaderboards."""

from collections.abc import Sequence

import aiosqlite

from bot.daily.dates import DayNumber
from bot.daily.places import Placed
from bot.daily.result import Result
from bot.ids import GuildId, UserId
from bot.store.database.query import rows
from bot.store.database.writer import Writer

TO_TELL = """
    SELECT guild, day, game, user, name, points, presses FROM daily_places
    WHERE away = 1 AND points IS NOT NULL ORDER BY day
"""
_TOLD = "UPDATE daily_places SET away = 2 WHERE guild = ? AND day = ? AND game = ? AND user = ?"
_PLACE = """
    INSERT INTO daily_places (guild, day, game, user, name, points, presses)
    VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET name = excluded.name,
        points = excluded.points, presses = excluded.presses
"""


class SqlitePlaces:
    """The SQLite implementation of `bot.daily.places.PlaceStore`."""

    def __init__(self, reader: aiosqlite.Connection, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def to_tell(self) -> Sequence[Placed]:
        return [
            Placed(
                GuildId(guild), DayNumber(day), game, UserId(user), name, Result(points, presses)
            )
            for guild, day, game, user, name, points, presses in await rows(self._reader, TO_TELL)
        ]

    async def told(self, guild: GuildId, day: DayNumber, game: str, user: UserId) -> None:
        await self._writer.write([(_TOLD, (guild, day, game, user))])

    async def place(self, one: Placed) -> None:
        there = (one.guild, one.day, one.game, one.user, one.name)
        values = (*there, one.result.points, one.result.presses)
        await self._writer.write([(_PLACE, values)], durable=True)
