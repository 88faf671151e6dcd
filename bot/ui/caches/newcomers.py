"""The first times of people, kept in memory so that no press waits for the database."""

from typing import Protocol

from bot.ids import UserId
from bot.tables.state.journal import TableId
from bot.tables.views.newcomer import First


class FirstTimes(Protocol):
    """The store of first times, kept across restarts."""

    async def firsts(self) -> list[tuple[UserId, str, TableId]]: ...
    def first_at(self, user: UserId, what: str, table: TableId) -> None: ...


class Newcomers:
    """The table of each first time, about 200 bytes for a person. It holds in every server."""

    def __init__(self, store: FirstTimes) -> None:
        self._store = store
        self._tables: dict[tuple[UserId, str], TableId] = {}

    async def recall(self) -> None:
        """Read what was noted before the start."""
        self._tables = {(user, what): table for user, what, table in await self._store.firsts()}

    def is_first(self, user: UserId, what: First, table: TableId) -> bool:
        """Return whether it is at this table that somebody does this for the first time.

        If it was never done before it is now, and noted.
        """
        known = self._tables.get((user, what))
        if known is None:
            known = self._tables[user, what] = table
            self._store.first_at(user, what, table)
        return known == table

    def forget(self, user: UserId) -> None:
        for what in First:
            self._tables.pop((user, what), None)
