"""The tables at which people did something for the first time."""

import aiosqlite

from bot.ids import UserId
from bot.store.database.query import rows
from bot.store.database.writer import Writer
from bot.tables.state.journal import TableId

FIRSTS = "SELECT user, what, table_id FROM firsts"
_FIRST = "INSERT INTO firsts (user, what, table_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"


class SqliteNewcomers:
    """The store of first times, written behind: a lost one is noted again when it is next shown."""

    def __init__(self, db: aiosqlite.Connection, writer: Writer) -> None:
        self._db = db
        self._writer = writer

    async def firsts(self) -> list[tuple[UserId, str, TableId]]:
        """Return each user's first times, with the table of each."""
        found = await rows(self._db, FIRSTS)
        return [(UserId(user), str(what), TableId(table)) for user, what, table in found]

    def first_at(self, user: UserId, what: str, table: TableId) -> None:
        self._writer.later([(_FIRST, (user, what, table))])
