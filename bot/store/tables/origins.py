"""The tables that a database knows, open or closed, and their places of birth."""

import aiosqlite

from bot.groups.numbers import BASE, SPAN
from bot.store.database.query import first, rows
from bot.tables.state.journal import TableId

_ORIGINS = """
    SELECT DISTINCT CASE WHEN id < :base THEN 0 ELSE (id - :base) % :span END FROM tables
"""


class SqliteOrigins:
    """The store of which tables a database has. `db` only reads."""

    def __init__(self, db: aiosqlite.Connection) -> None:
        self._db = db

    async def origins(self) -> frozenset[int]:
        """Return the groups in which this database's tables were born."""
        found = await rows(self._db, _ORIGINS, {"base": BASE, "span": SPAN})
        return frozenset(int(group) for (group,) in found)

    async def has(self, table: TableId) -> bool:
        """Return whether this database has ever had a table."""
        return await first(self._db, "SELECT 1 FROM tables WHERE id = ?", (table,)) is not None
