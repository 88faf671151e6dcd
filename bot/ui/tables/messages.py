"""All public messages and panels of all tables, and their upkeep."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from operator import itemgetter
from typing import Protocol

from bot.ids import ChannelId, GuildId, MessageId, UserId
from bot.tables.decisions.presence import ABSENT_AFTER
from bot.tables.running.table import Table
from bot.tables.state.journal import TableId
from bot.tables.state.message_refs import Direct, Token
from bot.tables.state.session import Phase
from bot.tables.views.results.records import Records
from bot.ui.connection.responses import Interaction, is_on_its_message, is_private
from bot.ui.connection.token_life import is_alive, left
from bot.ui.limits.edit_budget import CountedChannel
from bot.ui.panel_states.last_words import DyingToken, starts
from bot.ui.panels.context import PanelContext, PanelStore
from bot.ui.panels.notes import Notes
from bot.ui.panels.panel import Panel
from bot.ui.panels.panels import Panels
from bot.ui.tables.public_message.context import MessageContext, Places
from bot.ui.tables.public_message.table_screen import ENDED
from bot.ui.tables.reminders import Mentions, Reminders
from bot.ui.tables.upkeep import TableMessageUpkeep

log = logging.getLogger(__name__)

LOOK = 5.0
"""Seconds between two looks at tokens that are about to die."""
POSTED = 1.5
"""Seconds that an answer waits for the table's message, so that it stands below it: half of what
Discord gives it (PLATFORM 1).
"""
PEEK = 0.05
"""Seconds between two looks for it."""
IDLE = 1.0
"""Seconds that the end of the bot waits for messages that nobody is likely to look at."""


class Store(Places, PanelStore, Mentions, Protocol):
    """The stored places of messages, panels and mentions."""

    async def panels(self, table: TableId) -> list[tuple[UserId, Token, str | None]]: ...
    async def direct_panels(self, table: TableId) -> list[tuple[UserId, Direct, str | None]]: ...
    def panels_gone(self, table: TableId) -> None: ...


class TableMessages:
    """The messages and panels of all tables, redrawn whenever a table changes."""

    def __init__(
        self,
        context: PanelContext,
        store: Store,
        occupied: Callable[[ChannelId], bool],
        followed: Callable[[Table], bool],
        match_summary: Callable[[Table], Awaitable[Records]],
        pings: Callable[[GuildId], bool] = lambda _: False,
    ) -> None:
        self.context = context
        self.budget = context.budget
        self._store = store
        self._discord = context.discord_time
        self._message_context = MessageContext(context, store, occupied, followed, match_summary)
        self.panels = Panels(context)
        self.notes = Notes(context)
        self.reminders = Reminders(context, store, pings)
        self._clock = context.clock
        self._upkeeps: dict[TableId, TableMessageUpkeep] = {}
        self._ended: dict[TableId, Table] = {}  # of arenas

    def upkeep(self, table: Table) -> TableMessageUpkeep:
        if table.id not in self._upkeeps:
            self._upkeeps[table.id] = TableMessageUpkeep(table, self._message_context)
        return self._upkeeps[table.id]

    def watch(self, table: Table) -> None:
        """Redraw a table's message and panels. Called on every change of the table.

        An arena's table has no message of its own, and once it is over its panels are the arena's.
        """
        if table.session.opened.arena is None:
            self.upkeep(table).touch()
            self.reminders.watch(table)
        elif table.session.phase in ENDED:
            self._ended[table.id] = table
            return
        self.panels.watch(table)
        self.notes.watch(table)

    def give_up(self, table: Table) -> None:
        """Draw the message of a closed table no more, if drawing it fails."""
        if table.id in self._upkeeps:
            self._upkeeps[table.id].give_up()

    def hold(self, table: Table) -> None:
        """Post no message of this table until `resume`, whatever is pressed."""
        if table.session.opened.arena is None:
            self.upkeep(table).hold()

    async def recall(self, table: Table) -> None:
        """Read after a restart which panels and mentions a table has. Nothing is drawn.

        Panels that are still alive continue in their players' languages, even those of players who
        left: they may not show that yet.
        """
        now = self._discord.now()
        for user, direct, locale in await self._store.direct_panels(table.id):
            self._recalled(table, user, locale).restore(direct)
        for user, token, locale in await self._store.panels(table.id):
            if is_alive(token, now):
                self._recalled(table, user, locale).restore(token)
        if table.session.opened.arena is None:
            await self.reminders.resume(table)

    def _recalled(self, table: Table, user: UserId, locale: str | None) -> Panel:
        """Return a panel of before a restart. A press that came first knows its language."""
        known = self.panels.get(table.id, user)
        return known or self.panels.of(table, user, locale or table.session.opened.locale)

    async def resume(self, table: Table) -> None:
        """Find a table's message after a restart, and bring it and the panels up to date.

        The message is edited, not reposted.
        """
        self.panels.draw_again(table.id)
        if table.session.opened.arena is None:
            await self.upkeep(table).find()

    def channel_deleted(self, channel: ChannelId) -> None:
        """Have the tables look for their messages that were in a channel, or in its threads.

        Each edits its message next; if that says that the channel is gone, the table is closed
        (`table_message_failures`), and its people are free.
        """
        for upkeep in self._upkeeps.values():
            if channel in (upkeep.table.session.channel, upkeep.table.session.parent):
                upkeep.asked()

    async def posted(self, table: Table, before: MessageId | None) -> None:
        """Wait until the table has another message than `before`, for `POSTED` seconds at most."""
        until = self._clock.now() + POSTED
        while table.message in (None, before) and self._clock.now() < until:
            await self._clock.sleep(PEEK)

    def pressed(self, table: TableId, interaction: Interaction) -> None:
        """Note a press on one of the table's buttons, to find public messages that are strays."""
        upkeep, message = self._upkeeps.get(table), interaction.message
        if upkeep is None or message is None or is_private(interaction):
            return
        is_here = interaction.channel_id == upkeep.table.session.channel
        if is_here and is_on_its_message(interaction):
            upkeep.pressed_on(MessageId(message.id))

    def held(self) -> Mapping[str, int]:
        """Count the objects kept in memory, by kind, for finding leaks."""
        return {
            "table messages": len(self._upkeeps),
            "panels": len(tuple(self.panels)),
            "notes": len(tuple(self.notes)),
            "mentions": len(self.reminders),
            "channel queues": self.budget.queues,
        }

    async def farewell(self) -> None:
        """Show on the messages of open tables that the bot restarts, on the liveliest first.

        Returns once they show it. Tables where everyone is away are waited for `IDLE` seconds.
        """

        async def said(upkeep: TableMessageUpkeep) -> None:
            is_lively = upkeep.table.attendance.idle < ABSENT_AFTER
            with suppress(TimeoutError):
                async with asyncio.timeout(None if is_lively else IDLE):
                    await upkeep.farewell()

        liveliest = sorted(self._upkeeps.values(), key=lambda one: one.table.attendance.idle)
        await asyncio.gather(*map(said, liveliest))

    async def tick(self) -> None:
        """Do the upkeep: old messages, panels about to expire, closed tables. Every few seconds."""
        now = self._discord.now()
        self.budget.tidy()
        for upkeep in tuple(self._upkeeps.values()):
            upkeep.grow_old(now)
            self.reminders.tick(upkeep.table)
            if upkeep.done:
                self._drop(upkeep)
        for table in tuple(self._ended.values()):
            self._drop_ended(table)
        for panel in self.panels:
            panel.settle()
        self._end_panels(now)

    def _end_panels(self, now: float) -> None:
        """Let panels whose tokens are about to die say so, earliest death first.

        Each is drawn by its own writer. What can wait for the next look waits. `now`: Unix seconds
        by Discord's clock.
        """
        budget, panels, endings = self.budget, [], []
        for panel in self.panels:
            if (token := panel.token) is not None:
                where = CountedChannel.of(panel.table.session)
                endings.append(DyingToken(left(token, now), where.channel, budget.gap_in(where)))
                panels.append(panel)
        begin = zip(starts(endings, budget.gap), panels, strict=True)
        for _, panel in sorted((one for one in begin if one[0] <= LOOK), key=itemgetter(0)):
            panel.fall_asleep()

    def _drop(self, upkeep: TableMessageUpkeep) -> None:
        table = upkeep.table
        if table.session.phase is Phase.CLOSED:
            del self._upkeeps[table.id]
            self._drop_private(table)

    def _drop_ended(self, table: Table) -> None:
        if table.session.phase is Phase.CLOSED:
            del self._ended[table.id]
            self._drop_private(table)

    def _drop_private(self, table: Table) -> None:
        self.panels.drop(table.id)
        self.notes.drop(table.id)
        self._store.panels_gone(table.id)
