"""One update of what Discord shows of a table, and what each failure leads to."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from bot.screen import Screen
from bot.tables.decisions.decide import close
from bot.tables.running.table import Table
from bot.tables.state.session import Phase
from bot.ui.limits.backoff import SHORTEST
from bot.ui.limits.errors import FAILURES, Trouble, is_too_old, trouble
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
from bot.ui.tables.threads import OwnThread

log = logging.getLogger(__name__)


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
        self.first = FirstMessage(table, context.client)
        self._channel = channel = TableChannel(table, context.client)
        self.apart = PictureMessage(table, channel, self.screen, message_context)
        self.thread = OwnThread(
            table, context.client, context.clock, message_context.occupied, self.refusals
        )
        self.message = TableMessage(
            table, message_context, channel, self.screen, self.first, self.refusals
        )
        self._table = table
        self._again = again
        self._followed = message_context.followed
        self._clock, self._budget = context.clock, context.budget

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
        self.end()

    def end(self) -> None:
        """Draw nothing from now on."""
        self.message.become(state.ended(self.message.state))

    def repost(self) -> None:
        """Have the message posted at the bottom of its channel, with the next update."""
        self.message.become(state.move_down(self.message.state))

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
            await self._failed(error)
        if self._table.session.channel != before:
            self.message.moved()

    async def _show(self) -> None:
        """Bring the message up to date. The screen is drawn after waiting for the budget."""
        if self.first.is_wanted:
            self.repost()
        if self.message.state == Posting() and self.is_superseded:
            self.end()
        if state.is_due(self.message.state, self.screen.now()):
            here = self._table.session.channel
            await self._budget.take_own(channel=here, urgent=lambda: self.first.is_wanted)
        screen = self.screen.now()
        if state.is_due(self.message.state, screen):
            await self._send(screen)
        await self._show_beside(screen)
        if self._table.notices.restarting and state.shows(self.message.state, screen):
            self.has_said_farewell.set()

    async def _send(self, screen: Screen) -> None:
        is_new = not isinstance(self.message.state, Posted)
        try:
            is_taken = await self.message.show(screen)
        except FAILURES as error:
            await self._failed(error)
            return
        if is_taken:
            self.refusals.over(is_new=is_new)
        if is_new or not is_taken:
            self._again()

    async def _show_beside(self, screen: Screen) -> None:
        """Update the messages beside it: strays, a score's image, and the lobby's old message."""
        if self.message.strays:
            await self._budget.take_own()
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

    async def _failed(self, error: Exception) -> None:
        table = self._table
        match trouble(error):
            case Trouble.MESSAGE_GONE:
                await self._gone(error)
            case Trouble.PLACE_GONE if await self._channel.is_gone():
                self.end()
                log.info("%s: channel deleted, closing the table", table)
                await table.do(partial(close, reason="table.closed.channel"))
            case Trouble.FORBIDDEN | Trouble.ARCHIVED | Trouble.REFUSED if (
                table.session.phase is Phase.CLOSED
            ):
                self.end()
            case Trouble.ARCHIVED:
                await self._move_to(self.thread.reopen())
                self._again()
            case Trouble.FORBIDDEN if await self.membership.closes(error):
                self.end()
            case _:
                pause = self.refusals.failed(error)
                if pause is None and self.first.is_wanted:
                    pause = self.refusals.longer()
                if pause is not None:
                    await self._again_after(pause)

    async def _gone(self, error: Exception) -> None:
        if not is_too_old(error):
            self.message.become(state.deleted(self.message.state))
            self.refusals.deleted()
        elif (pause := self.refusals.too_old()) is not None:
            await self._again_after(pause)
        else:
            self.repost()
        self._again()

    async def _again_after(self, pause: float) -> None:
        """Draw again after `pause` seconds, or soon where somebody begins to wait for it."""
        self._again()
        wanted, until = self._urgency, self._clock.now() + pause
        while self._urgency == wanted and (left := until - self._clock.now()) > 0:
            await self._clock.sleep(min(left, SHORTEST))

    @property
    def _urgency(self) -> tuple[bool, int]:
        """Return a value that changes when Start, or somebody's command, wants the message."""
        return self.first.is_wanted, self.refusals.times_asked
