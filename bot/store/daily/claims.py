"""The claims of a group: the rounds of dailies that were begun in it."""

from collections import defaultdict

import aiosqlite

from bot.daily.dates import DayNumber
from bot.ids import UserId
from bot.store.database.query import first, rows
from bot.store.database.writer import Writer

BEGUN = "SELECT DISTINCT day, user FROM daily_rounds WHERE day > ?"
HAS_BEGUN = "SELECT 1 FROM daily_rounds WHERE user = ? AND day = ? LIMIT 1"
MARKS = "SELECT DISTINCT day, mark FROM daily_marks WHERE day > ?"
_KEY = "INSERT INTO daily_keys (day, key) VALUES (?, ?) ON CONFLICT DO NOTHING"


class SqliteClaims:
    """The SQLite implementation of `bot.ui.daily.group_homes.ClaimStore`."""

    def __init__(self, reader: aiosqlite.Connection, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer
        self._kept: set[DayNumber] = set()

    async def keep_key(self, day: DayNumber, key: bytes) -> None:
        if day not in self._kept:
            await self._writer.write([(_KEY, (day, key))])
            self._kept.add(day)

    async def has_begun(self, user: UserId, day: DayNumber) -> bool:
        return await first(self._reader, HAS_BEGUN, (user, day)) is not None

    async def begun(self, after: DayNumber | None) -> dict[DayNumber, set[UserId]]:
        found: defaultdict[DayNumber, set[UserId]] = defaultdict(set)
        for day, user in await rows(self._reader, BEGUN, (after or 0,)):
            found[DayNumber(day)].add(UserId(user))
        return found

    async def marks(self, after: DayNumber | None) -> dict[DayNumber, set[bytes]]:
        found: defaultdict[DayNumber, set[bytes]] = defaultdict(set)
        for day, mark in await rows(self._reader, MARKS, (after or 0,)):
            found[DayNumber(day)].add(bytes(mark))
        return found
