"""All public messages and panels of all tables, and their upkeep."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from operator import itemgetter
from typing import Protocol

from bot.tables.journal import TableId
from bot.tables.places import Direct, Token
from bot.tables.session import Phase
from bot.tables.table import Table
from bot.ui.answers import Interaction, is_on_its_message, is_private
from bot.ui.board import Board
from bot.ui.budget import Where
from bot.ui.last_words import Ending, starts
from bot.ui.means import Means, Places
from bot.ui.office import Office, PanelStore
from bot.ui.panels import Panels
from bot.ui.table_picture import Finish
from bot.ui.token_life import is_alive, left

log = logging.getLogger(__name__)

LOOK = 5.0
"""Seconds between two looks at tokens that are about to die."""


class Store(Places, PanelStore, Protocol):
    """The stored places of messages and panels."""

    async def panels(self, table: TableId) -> list[tuple[int, Token, str | None]]: ...
    async def direct_panels(self, table: TableId) -> list[tuple[int, Direct, str | None]]: ...
    def panels_gone(self, table: TableId) -> None: ...


class House:
    """The messages and panels of all tables, redrawn whenever a table changes."""

    def __init__(
        self,
        office: Office,
        store: Store,
        occupied: Callable[[int], bool],
        followed: Callable[[Table], bool],
        epilogue: Callable[[Table], Awaitable[Finish]],
    ) -> None:
        self.budget = office.budget
        self._store = store
        self._clock = office.clock
        self._means = Means(office, store, occupied, followed, epilogue)
        self.panels = Panels(office)
        self._boards: dict[TableId, Board] = {}

    def board(self, table: Table) -> Board:
        if table.id not in self._boards:
            self._boards[table.id] = Board(table, self._means)
        return self._boards[table.id]

    def watch(self, table: Table) -> None:
        """Redraw a table's message and panels. Called on every change of the table."""
        self.board(table).touch()
        self.panels.watch(table)

    async def resume(self, table: Table) -> None:
        """Restore a table's message and panels after a restart.

        The message is edited, not reposted. Panels that are still alive continue in their
        players' languages, even those of players who left: they may not show that yet.
        """
        board = self.board(table)
        board.hold()  # before the first await, so that no press makes it post
        now, spoken = self._clock.wall(), table.session.opened.locale
        for user, direct, locale in await self._store.direct_panels(table.id):
            self.panels.of(table, user, locale or spoken).restore(direct)
        for user, token, locale in await self._store.panels(table.id):
            if is_alive(token, now):
                self.panels.of(table, user, locale or spoken).restore(token)
        await board.find()

    def pressed(self, table: TableId, interaction: Interaction) -> None:
        """Note a press on one of the table's buttons, to find public messages that are strays."""
        board, message = self._boards.get(table), interaction.message
        if board is None or message is None or is_private(interaction):
            return
        is_here = interaction.channel_id == board.table.session.channel
        if is_here and is_on_its_message(interaction):
            board.pressed_on(message.id)

    def held(self) -> Mapping[str, int]:
        """Count the objects kept in memory, by kind, for finding leaks."""
        return {
            "table messages": len(self._boards),
            "panels": len(tuple(self.panels)),
            "lanes": self.budget.lanes,
        }

    async def farewell(self) -> None:
        """Show on the message of every open table that the bot restarts."""
        await asyncio.gather(*(board.farewell() for board in self._boards.values()))

    async def tick(self) -> None:
        """Do the upkeep: old messages, panels about to expire, closed tables. Every few seconds."""
        now = self._clock.wall()
        self.budget.tidy()
        for board in tuple(self._boards.values()):
            board.grow_old(now)
            if board.done:
                self._drop(board)
        self._end_panels(now)

    def _end_panels(self, now: float) -> None:
        """Let panels whose tokens are about to die say so, each by its own writer, those first that
        die first. What can wait for the next look waits. `now`: Unix seconds.
        """
        budget, panels, endings = self.budget, [], []
        for panel in self.panels:
            if (token := panel.token) is not None:
                where = Where.of(panel.table.session)
                endings.append(Ending(left(token, now), where.channel, budget.gap_in(where)))
                panels.append(panel)
        begin = zip(starts(endings, budget.gap), panels, strict=True)
        for _, panel in sorted((one for one in begin if one[0] <= LOOK), key=itemgetter(0)):
            panel.fall_asleep()

    def _drop(self, board: Board) -> None:
        table = board.table
        if table.session.phase is Phase.CLOSED:
            del self._boards[table.id]
            self.panels.drop(table.id)
            self._store.panels_gone(table.id)
