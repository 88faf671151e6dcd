"""One update of what Discord shows of a table."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from bot.screen import Screen
from bot.tables.running.table import Table
from bot.ui.limits.errors import FAILURES
from bot.ui.tables.bot_membership import BotMembership
from bot.ui.tables.public_message import state
from bot.ui.tables.public_message.calls import TableChannel
from bot.ui.tables.public_message.context import MessageContext
from bot.ui.tables.public_message.first_message import FirstMessage
from bot.ui.tables.public_message.picture_message import PictureMessage
from bot.ui.tables.public_message.retries import Refusals
from bot.ui.tables.public_message.state import Posted, Posting
from bot.ui.tables.public_message.table_message import TableMessage
from bot.ui.tables.public_message.table_screen import ENDED, TableScreen
from bot.ui.tables.table_message_failures import TableMessageFailures
from bot.ui.tables.threads import OwnThread


class TableUpdater:
    """All that Discord shows of one table to everybody, and the calls that bring it up to date.

    Those are the table's thread, its message, and the messages beside that one. `again` asks for
    another update after this one. Updates never run side by side.
    """

    def __init__(
        self, table: Table, message_context: MessageContext, again: Callable[[], None]
    ) -> None:
        context = message_context.context
        self.has_said_farewell = asyncio.Event()
        self.membership = BotMembership(table, context.client)
        self.refusals = Refusals(table)
        self.screen = TableScreen(table, message_context)
        channel = TableChannel(table, context.client, context.budget.take_own_now)
        self.first = FirstMessage(table, channel)
        self.apart = PictureMessage(table, channel, self.screen, message_context)
        self.thread = OwnThread(
            table,
            context.client,
            context.clock,
            message_context.occupied,
            self.refusals,
            context.budget.take_own_now,
        )
        self.message = TableMessage(
            table, message_context, channel, self.screen, self.first, self.refusals
        )
        self._table = table
        self._again = again
        self._followed = message_context.followed
        self._budget = context.budget
        self._failures = TableMessageFailures(
            table,
            context.clock,
            channel,
            self.membership,
            self.message,
            self.first,
            self.refusals,
            lambda: self.is_superseded,
            again,
            lambda: self._move_to(self.thread.reopen()),
        )

    async def update(self) -> None:
        """Bring everything up to date, unless the message rests after failures.

        Discord's failures are dealt with here, after a pause where they may pass. Raises what the
        journal raises.
        """
        if self.first.is_wanted or not self.refusals.is_resting:
            await self._make_ready()
            await self._show()

    async def finish(self) -> None:
        """Archive the thread of a closed table, and draw nothing from now on."""
        await self.thread.put_away()
        self.message.end()

    async def _make_ready(self) -> None:
        """Prepare the table's thread, and everything the screen needs."""
        there = state.on_screen(self.message.state)
        if self.thread.is_wanted and there is not None:
            await self._move_to(self.thread.open(there.message))
        self.thread.say_what_holds()
        await self.thread.point_to()
        await self.screen.prepare()

    async def _move_to(self, moving: Coroutine[Any, Any, None]) -> None:
        """Move the table into its thread or back, and have the message posted there."""
        before = self._table.session.channel
        try:
            await moving
        except FAILURES as error:
            await self._failures.handle(error)
        if self._table.session.channel != before:
            self.message.moved()

    async def _show(self) -> None:
        """Bring the message up to date. The screen is drawn after waiting for the budget."""
        if self.first.is_wanted:
            self.message.repost()
        if self.message.state == Posting() and self.is_superseded:
            self.message.end()
        if state.is_due(self.message.state, self.screen.now()):
            here = self._table.session.channel
            await self._budget.take_own(channel=here, urgent=self._is_urgent)
        screen = self.screen.now()
        if state.is_due(self.message.state, screen):
            await self._send(screen)
        if not self._table.notices.restarting:
            await self._show_beside(screen)
        elif state.shows(self.message.state, self.screen.now()):
            self.has_said_farewell.set()  # what stands beside it comes after the next start

    def _is_urgent(self) -> bool:
        """Return whether others wait for the message: a first deal, or the end of the process."""
        return self.first.is_wanted or self._table.notices.restarting

    async def _send(self, screen: Screen) -> None:
        is_new = not isinstance(self.message.state, Posted)
        try:
            is_taken = await self.message.show(screen)
        except FAILURES as error:
            await self._failures.handle(error)
            return
        if is_taken:
            self.refusals.over(is_new=is_new)
        if is_new or not is_taken:
            self._again()

    async def _show_beside(self, screen: Screen) -> None:
        """Update the messages beside it: strays, a score's image, and the lobby's old message."""
        await self.message.clear()
        if self.apart.is_due and state.shows(self.message.state, screen):
            await self._budget.take_own()
            await self.apart.post()
        if self.first.is_link_due:
            await self._budget.take_own()
            await self.first.link()

    @property
    def is_superseded(self) -> bool:
        """True if the match is over and players have moved on to a newer table.

        Posting now would push that table's message out of sight.
        """
        return self._table.session.phase in ENDED and self._followed(self._table)
