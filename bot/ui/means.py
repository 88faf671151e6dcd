"""The dependencies shared by the messages of all tables."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from bot.tables.journal import TableId
from bot.tables.places import TablePlace
from bot.tables.table import Table
from bot.ui.office import Office
from bot.ui.picture_message import Pictures
from bot.ui.table_picture import Finish


class Places(Pictures, Protocol):
    """The stored place of each table's message."""

    def message_at(self, table: TableId, message: int | None) -> None: ...
    async def posting(self, table: TableId, nonce: str) -> None: ...
    async def place(self, table: TableId) -> TablePlace: ...


@dataclass(frozen=True, slots=True)
class Means:
    """The dependencies of every table's message.

    `occupied`: whether an open table is in a channel; `followed`: whether a newer table is in
    this one's channel; `epilogue`: returns the additions to a finished match. It never raises and
    takes a moment at most.
    """

    office: Office
    places: Places
    occupied: Callable[[int], bool]
    followed: Callable[[Table], bool]
    epilogue: Callable[[Table], Awaitable[Finish]]
