"""A person's data in this process: in its file, at its tables, and in memory."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

from bot.ids import UserId
from bot.records.archive import Archive
from bot.tables.arenas.arenas import Arenas
from bot.tables.registry.registry import Tables
from bot.tables.state.session import Phase


class Remembered(Protocol):
    """Something kept in memory about people."""

    def forget(self, user: UserId) -> None: ...


class OwnData:
    """The data of each person, of all servers of this process."""

    def __init__(
        self, archive: Archive, tables: Tables, arenas: Arenas, remembered: Sequence[Remembered]
    ) -> None:
        self._archive = archive
        self._tables = tables
        self._arenas = arenas
        self._remembered = remembered

    async def export(self, user: UserId) -> dict[str, Any]:
        """Return everything stored under this person's id, as JSON-compatible values."""
        return await self._archive.export(user)

    def playing(self, user: UserId) -> tuple[str, ...]:
        """Return links to open tables where this person has a seat.

        That includes a match they have left: what they played there counts when it ends.
        """
        return tuple(
            table.link
            for table in self._tables.index
            if table.session.phase not in (Phase.OVER, Phase.CLOSED)
            and any(chair.user == user for chair in table.session.chairs)
        )

    async def forget(
        self, user: UserId, stored: Callable[[UserId], Awaitable[None]] | None = None
    ) -> None:
        """Anonymise this person, who plays at no table. `stored` does it in the file."""
        await self._tables.forget(user)
        await self._arenas.forget(user)
        await (stored or self._archive.forget)(user)
        for one in self._remembered:
            one.forget(user)
        self._tables.index.records_changed()
