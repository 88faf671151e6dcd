"""The dependencies shared by the messages of all tables."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from bot.ids import ChannelId, MessageId
from bot.tables.running.table import Table
from bot.tables.state.journal import TableId
from bot.tables.state.message_refs import PicturePlace, TablePlace
from bot.tables.views.results.records import Records
from bot.ui.panels.context import PanelContext


class Places(Protocol):
    """The stored places of each table's message, and of the image of its score beside it."""

    def message_at(self, table: TableId, message: MessageId | None) -> None: ...
    async def posting(self, table: TableId, nonce: str) -> None: ...
    async def place(self, table: TableId) -> TablePlace: ...
    async def picture(self, table: TableId) -> PicturePlace | None: ...
    def picture_at(self, table: TableId, place: PicturePlace) -> None: ...


@dataclass(frozen=True, slots=True)
class MessageContext:
    """The dependencies of every table's message.

    `occupied`: whether an open table is in a channel; `followed`: whether a newer table is in
    this one's channel; `match_summary`: returns what the records add to a finished match. It
    never raises and takes a moment at most.
    """

    context: PanelContext
    places: Places
    occupied: Callable[[ChannelId], bool]
    followed: Callable[[Table], bool]
    match_summary: Callable[[Table], Awaitable[Records]]
