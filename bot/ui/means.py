"""What the messages of all tables work with."""

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
    """Where the message of a table is, kept across restarts."""

    def message_at(self, table: TableId, message: int | None) -> None: ...
    async def posting(self, table: TableId, nonce: str) -> None: ...
    async def place(self, table: TableId) -> TablePlace: ...


@dataclass(frozen=True, slots=True)
class Means:
    """What every board works with. `occupied`: whether a table is in that channel; `followed`:
    whether a newer one is in this one's; `epilogue`: what a finished match gets added, which
    never fails and takes a moment at most.
    """

    office: Office
    places: Places
    occupied: Callable[[int], bool]
    followed: Callable[[Table], bool]
    epilogue: Callable[[Table], Awaitable[Finish]]
