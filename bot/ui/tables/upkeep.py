"""The updater of a table's public message: when to draw it, and how to handle failures."""

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import replace
from functools import partial
from typing import Any

import discord

from bot.ids import MessageId
from bot.screen import Screen
from bot.tables.decisions.decide import close
from bot.tables.running.redraw import Redraw
from bot.tables.running.table import Table
from bot.tables.state.session import Phase
from bot.ui.limits.backoff import SHORTEST
from bot.ui.limits.errors import FAILURES, Trouble, is_too_old, trouble
from bot.ui.tables.presence import Presence
from bot.ui.tables.public_message import state
from bot.ui.tables.public_message.calls import TableChannel
from bot.ui.tables.public_message.context import MessageContext
from bot.ui.tables.public_message.first_message import FirstMessage
from bot.ui.tables.public_message.look import ENDED, TablePicture
from bot.ui.tables.public_message.picture_message import PictureMessage
from bot.ui.tables.public_message.retries import Refusals
from bot.ui.tables.public_message.state import Awaited, Gone, Posted, Posting
from bot.ui.tables.public_message.table_message import TableMessage
from bot.ui.tables.threads import OwnThread

log = logging.getLogger(__name__)

GAP = 1.05
"""Seconds between two edits: a channel allows five in five seconds (PLATFORM 2)."""
OLD = 50 * 60
"""Seconds until a message is reposted: after an hour it allows few edits (PLATFORM 2, 30046)."""


class TableMessageUpkeep:
    """The updater of one table's message. A slow or dead Discord never delays a move."""

    def __init__(self, table: Table, message_context: MessageContext) -> None:
        context, places = message_context.context, message_context.places
        self.table, self._followed = table, message_context.followed
        self._clock, self._budget, self._farewell = context.clock, context.budget, asyncio.Event()
        self._supervise = partial(context.supervisor.start, table)
        self._refusals = Refusals(table)
        self.presence = Presence(table, context.client)
        self._picture = TablePicture(
            table,
            context.emojis,
            context.learned,
            context.discord_time,
            message_context.match_summary,
            context.champions.of,
        )
        self._first = FirstMessage(table, context.client)
        self._channel = channel = TableChannel(table, context.client)
        self._apart = PictureMessage(
            table, channel, self._picture, places, context.learned, context.clock
        )
        self._thread = OwnThread(
            table, context.client, context.clock, message_context.occupied, self._refusals
        )
        self._message = TableMessage(
            table, message_context, channel, self._picture, self._first, self._refusals
        )
        self._redraw = Redraw(
            self._draw, GAP, context.clock, lambda p: self._supervise("board", p.run)
        )

    def give_up(self) -> None:
        """Leave the message of a closed table as it is, if drawing it fails.

        Nothing else would end the tries.
        """
        if self._redraw.has_failed:
            log.error("%s: message left as it is, it can't be drawn", self.table)
            self._message.become(state.ended(self._message.state))

    @property
    def done(self) -> bool:
        """True once nothing will be drawn again."""
        return isinstance(self._message.state, Gone)

    def picture(self) -> Screen:
        return self._picture.screen()

    def layout(self, screen: Screen) -> discord.ui.LayoutView:
        return self._picture.layout(screen)

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
        self._repost()
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
            self._first.doubt()
            self._thread.signpost = True
        if is_unsure or self._apart.is_due:
            self.touch()
        message = state.message_id(self._message.state)
        if message is None or self.table.session.phase is Phase.CLOSED or self._is_past:
            return
        if now - discord.utils.snowflake_time(message).timestamp() > OLD:
            self._repost()
            self.touch()

    async def farewell(self) -> None:
        """Show that the bot restarts. Returns once the message shows it, or at once if it can't."""
        there = state.on_screen(self._message.state)
        if there is None or self.table.session.phase in ENDED or self._refusals.is_stuck:
            return
        self.table.notices = replace(self.table.notices, restarting=True)
        self._redraw.touch(at_once=True)
        await self._farewell.wait()

    async def find(self) -> None:
        """Find the message after a restart or a lost answer, and the messages beside it."""
        self._thread.signpost = True
        await self._apart.find()
        await self._message.find()
        self.touch()

    def _repost(self) -> None:
        self._message.become(state.move_down(self._message.state))

    @property
    def _is_past(self) -> bool:
        """True if the match is over and players have moved on to a newer table.

        Posting now would push that table's message out of sight.
        """
        return self.table.session.phase in ENDED and self._followed(self.table)

    async def _draw(self) -> None:
        if isinstance(self._message.state, Awaited | Gone):
            return
        if self._first.is_wanted or not self._refusals.is_resting:
            await self._make_ready()
            await self._show()
        if self.table.session.phase is Phase.CLOSED and not self._redraw.dirty:
            await self._thread.put_away()
            self._message.become(state.ended(self._message.state))

    async def _make_ready(self) -> None:
        """Prepare the table's thread, and everything the screen needs."""
        there = state.on_screen(self._message.state)
        if self._thread.is_wanted and there is not None:
            await self._move_to(self._thread.open(there.message))
        self._thread.say_what_holds()
        await self._thread.point_to()
        await self._picture.prepare()

    async def _move_to(self, moving: Coroutine[Any, Any, None]) -> None:
        """Move the table into its thread or back, and have the message posted there."""
        before = self.table.session.channel
        try:
            await moving
        except FAILURES as error:
            await self._failed(error)
        if self.table.session.channel != before:
            self._message.moved()

    async def _show(self) -> None:
        """Bring the message up to date. The screen is drawn after waiting for the budget."""
        if self._first.is_wanted:
            self._repost()
        if self._message.state == Posting() and self._is_past:
            self._message.become(state.ended(self._message.state))
        if state.is_due(self._message.state, self.picture()):
            here = self.table.session.channel
            await self._budget.take_own(channel=here, urgent=lambda: self._first.is_wanted)
        screen = self.picture()
        if state.is_due(self._message.state, screen):
            await self._send(screen)
        await self._show_beside(screen)
        if self.table.notices.restarting and state.shows(self._message.state, screen):
            self._farewell.set()

    async def _send(self, screen: Screen) -> None:
        is_new = not isinstance(self._message.state, Posted)
        try:
            is_taken = await self._message.show(screen)
        except FAILURES as error:
            await self._failed(error)
            return
        if is_taken:
            self._refusals.over(is_new=is_new)
        if is_new or not is_taken:
            self._redraw.touch()

    async def _show_beside(self, screen: Screen) -> None:
        """Update the messages beside it: strays, a score's image, and the lobby's old message."""
        if self._message.strays:
            await self._budget.take_own()
            await self._message.clear()
        if self._apart.is_due and state.shows(self._message.state, screen):
            await self._budget.take_own()
            await self._apart.post()
        if self._first.is_link_due:
            await self._budget.take_own()
            await self._first.link()

    async def _failed(self, error: Exception) -> None:
        table = self.table
        match trouble(error):
            case Trouble.MESSAGE_GONE:
                await self._gone(error)
            case Trouble.PLACE_GONE if await self._channel.is_gone():
                self._message.become(state.ended(self._message.state))
                log.info("%s: channel deleted, closing the table", table)
                await table.do(partial(close, reason="table.closed.channel"))
            case Trouble.FORBIDDEN | Trouble.ARCHIVED | Trouble.REFUSED if (
                table.session.phase is Phase.CLOSED
            ):
                self._message.become(state.ended(self._message.state))
            case Trouble.ARCHIVED:
                await self._move_to(self._thread.reopen())
                self._redraw.touch()
            case Trouble.FORBIDDEN if await self.presence.closes(error):
                self._message.become(state.ended(self._message.state))
            case _:
                pause = self._refusals.failed(error)
                if pause is None and self._first.is_wanted:
                    pause = self._refusals.longer()
                if pause is not None:
                    await self._again(pause)

    async def _gone(self, error: Exception) -> None:
        if not is_too_old(error):
            self._message.become(state.deleted(self._message.state))
            self._refusals.deleted()
        elif (pause := self._refusals.too_old()) is not None:
            await self._again(pause)
        else:
            self._repost()
        self._redraw.touch()

    async def _again(self, pause: float) -> None:
        """Draw again after `pause` seconds, or soon where somebody begins to wait for it."""
        self._redraw.touch()
        wanted, until = self._urgency, self._clock.now() + pause
        while self._urgency == wanted and (left := until - self._clock.now()) > 0:
            await self._clock.sleep(min(left, SHORTEST))

    @property
    def _urgency(self) -> tuple[bool, int]:
        """Return a value that changes when Start, or somebody's command, wants the message."""
        return self._first.is_wanted, self._refusals.times_asked
