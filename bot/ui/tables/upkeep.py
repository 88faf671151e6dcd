"""The upkeep of a table's public message: what makes an update due."""

import logging
from dataclasses import replace
from functools import partial

import discord

from bot.ids import MessageId
from bot.screen import Screen
from bot.tables.running.redraw import Redraw
from bot.tables.running.table import Table
from bot.tables.state.session import Phase
from bot.ui.tables.bot_membership import BotMembership
from bot.ui.tables.public_message import state
from bot.ui.tables.public_message.context import MessageContext
from bot.ui.tables.public_message.state import Awaited, Gone
from bot.ui.tables.public_message.table_screen import ENDED
from bot.ui.tables.updater import TableUpdater

log = logging.getLogger(__name__)

GAP = 1.05
"""Seconds between two edits: a channel allows five in five seconds (PLATFORM 2)."""
REPOSTED_AFTER = 50 * 60
"""Seconds until a message is reposted: after an hour it allows few edits (PLATFORM 2, 30046)."""


class TableMessageUpkeep:
    """The upkeep of one table's message. A slow or dead Discord never delays a move."""

    def __init__(self, table: Table, message_context: MessageContext) -> None:
        context = message_context.context
        self.table = table
        self._supervise = partial(context.supervisor.start, table)
        self._updater = TableUpdater(table, message_context, self.touch)
        self._message, self._refusals = self._updater.message, self._updater.refusals
        self._redraw = Redraw(
            self._draw, GAP, context.clock, lambda one: self._supervise("table message", one.run)
        )

    @property
    def membership(self) -> BotMembership:
        return self._updater.membership

    def give_up(self) -> None:
        """Leave the message of a closed table as it is, if drawing it fails.

        Nothing else would end the tries.
        """
        if self._redraw.has_failed:
            log.error("%s: message not updated, drawing it failed", self.table)
            self._message.end()

    @property
    def done(self) -> bool:
        """True once nothing will be drawn again."""
        return isinstance(self._message.state, Gone)

    def screen(self) -> Screen:
        return self._updater.screen.now()

    def layout(self, screen: Screen) -> discord.ui.LayoutView:
        return self._updater.screen.layout(screen)

    def touch(self) -> None:
        self._redraw.touch()

    def hold(self) -> None:
        """Post nothing until a command's answer brings the message, or `find` has looked for it."""
        self._message.become(Awaited())

    def at(self, message: MessageId, shown: Screen) -> None:
        """Take over the command's answer, which shows this screen, as the table's message."""
        self._message.arrive(state.arrived(self._message.state, message, shown), message)
        self._refusals.over()
        self.touch()

    def unanswered(self) -> None:
        """Post the message, since the command could not be answered."""
        self._message.become(state.not_coming(self._message.state))
        self.touch()

    def answer_lost(self) -> None:
        """Find out by its token whether the answer to the command is there."""
        self._supervise("lost answer", self.find)

    def move_down(self) -> None:
        """Repost the message at the bottom of the channel, and delete the old one."""
        self._message.repost()
        self.asked()

    def asked(self) -> None:
        """Edit the message, since somebody asked for it, to find out whether it still exists."""
        self._message.become(state.in_doubt(self._message.state))
        self._refusals.asked()
        self.touch()

    def pressed_on(self, message: MessageId) -> None:
        """Note a press on a public message with the table's buttons, and delete it if a stray."""
        if self._message.suspect(message):
            self.touch()

    def grow_old(self, now: float) -> None:
        """Repost a message that is about to become too old to edit. Called every few seconds.

        Edits that were lost, and images, are tried again. `now`: Unix seconds by Discord's clock.
        """
        if is_unsure := self._message.settle():
            self._updater.first.doubt()
            self._updater.thread.signpost = True
        if is_unsure or self._updater.apart.is_due:
            self.touch()
        is_left = self.table.session.phase is Phase.CLOSED or self._updater.is_superseded
        message = state.message_id(self._message.state)
        if message is None or is_left:
            return
        if now - discord.utils.snowflake_time(message).timestamp() > REPOSTED_AFTER:
            self._message.repost()
            self.touch()

    async def farewell(self) -> None:
        """Show that the bot restarts. Returns once the message shows it, or at once if it can't."""
        there = state.on_screen(self._message.state)
        if there is None or self.table.session.phase in ENDED or self._refusals.is_stuck:
            return
        self.table.notices = replace(self.table.notices, restarting=True)
        self._redraw.touch(at_once=True)
        await self._updater.has_said_farewell.wait()

    async def find(self) -> None:
        """Find the message after a restart or a lost answer, and the messages beside it."""
        self._updater.thread.signpost = True
        await self._updater.apart.find()
        await self._message.find()
        self.touch()

    async def _draw(self) -> None:
        if isinstance(self._message.state, Awaited | Gone):
            return
        await self._updater.update()
        if self.table.session.phase is Phase.CLOSED and not self._redraw.dirty:
            await self._updater.finish()
