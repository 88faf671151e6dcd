"""A table's own thread: created from the lobby's message, archived at the end."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Literal, cast

import discord

from bot.clock import Clock
from bot.i18n import say
from bot.ids import ChannelId, MessageId
from bot.tables.decisions.decide import keep_here, move_to_channel
from bot.tables.running.table import Table
from bot.tables.state.notices import NoThread
from bot.tables.state.options import in_thread
from bot.tables.state.session import Phase
from bot.tables.views.lines import game_name
from bot.tables.views.screens.table_message import moved
from bot.ui.connection import fast_path
from bot.ui.limits.answers import answered_within
from bot.ui.limits.errors import FAILURES, THREAD_EXISTS, TOO_MANY_THREADS, Trouble, trouble
from bot.ui.render import names
from bot.ui.render.components import layout
from bot.ui.render.marks import Reader
from bot.ui.tables.public_message.calls import BESIDE
from bot.ui.tables.public_message.retries import Refusals

log = logging.getLogger(__name__)

KEPT_OPEN: Literal[1440] = 1440
"""Minutes without a message after which Discord archives the thread itself."""


class OwnThread:
    """The thread of one table: moves the table into it, and back if it can't stay there.

    `turn`: wait until the bot may make a call of its own.
    """

    def __init__(
        self,
        table: Table,
        client: discord.Client,
        clock: Clock,
        occupied: Callable[[ChannelId], bool],
        refusals: Refusals,
        turn: Callable[[], Awaitable[None]],
    ) -> None:
        self.signpost = False  # the message in the parent channel may not link here yet
        self._table = table
        self._client = client
        self._clock = clock
        self._occupied = occupied
        self._refusals = refusals
        self._turn = turn
        self._said_in: Phase | None = None

    @property
    def is_wanted(self) -> bool:
        """True if the host has chosen a thread, and the table in its lobby has none yet."""
        session = self._table.session
        in_lobby = session.phase is Phase.LOBBY and session.parent is None
        return in_lobby and in_thread(session.options)

    async def open(self, message: MessageId) -> None:
        """Create the thread and move the table into it.

        Raises `FAILURES` that a retry may overcome. On others, the table stays and players are
        told why.
        """
        table, channel = self._table, self._table.session.channel
        try:
            thread = await self._make(message)
        except FAILURES as error:
            if trouble(error) is Trouble.LATER:
                raise
            log.warning("%s: thread refused, table stays in its channel: %s", table, error)
            self._say(NoThread.TOO_MANY if _are_too_many(error) else NoThread.REFUSED)
            await table.do(keep_here)
            return
        await table.do(partial(move_to_channel, channel=thread, parent=channel))
        self.signpost = True

    async def _make(self, message: MessageId) -> ChannelId:
        """Create the thread of a message and return its id.

        A thread has the id of its message, so one created before a crash is found again. The
        channel is fetched, since just after a start the client knows no servers yet.
        """
        session = self._table.session
        host = next((c.name for c in session.chairs if c.user == session.host), "")
        spoken = session.opened.locale
        name = f"{say(game_name(session), spoken)} · {names.label(host, 32, spoken)}"
        channel = cast("discord.TextChannel", await self._fetched())
        await self._turn()
        try:
            async with answered_within():
                thread = await channel.get_partial_message(message).create_thread(
                    name=name, auto_archive_duration=KEPT_OPEN
                )
        except discord.HTTPException as error:
            if error.code == THREAD_EXISTS:
                return ChannelId(message)
            raise
        return ChannelId(thread.id)

    async def point_to(self) -> None:
        """Edit the lobby's old message to link to the table's thread, if it doesn't yet."""
        session = self._table.session
        if not self.signpost or session.parent is None:
            return
        self.signpost = False
        view = layout(moved(session), self._table.id, Reader(session.opened.locale))
        await self._turn()
        try:
            async with answered_within(BESIDE):
                await self._at(session.parent, MessageId(session.channel)).edit(
                    view=view, allowed_mentions=fast_path.NOBODY
                )
        except FAILURES as error:
            log.info("%s: link to its thread not shown: %s", self._table, error)
            self.signpost = trouble(error) is Trouble.LATER

    async def reopen(self) -> None:
        """Unarchive the thread; if it is locked, move the table back to the parent channel.

        Does not raise `FAILURES`: on one that a retry may overcome, it sleeps before it returns.
        """
        table, session = self._table, self._table.session
        try:
            await self._archive(archived=False)
        except FAILURES as error:
            if trouble(error) is Trouble.LATER or session.parent is None:
                pause = self._refusals.longer()
                log.warning("%s: thread not unarchived, retrying in %d s: %r", table, pause, error)
                await self._clock.sleep(pause)
                return
            log.warning("%s: thread locked, moving back to its channel: %s", table, error)
            self._say(NoThread.LOCKED)
            await table.do(partial(move_to_channel, channel=session.parent, parent=None))

    def say_what_holds(self) -> None:
        """Bring the notice about the thread up to date.

        A notice holds only in the phase in which it was given. If the match started before Discord
        answered, it stays in its channel, and players are told.
        """
        session = self._table.session
        if self._said_in is None and session.phase is Phase.READY and not session.round:
            if session.parent is None and in_thread(session.options):
                self._say(NoThread.UNANSWERED)
        elif self._said_in not in (None, self._table.session.phase):
            self._say(None)

    def _say(self, no_thread: NoThread | None) -> None:
        self._said_in = self._table.session.phase if no_thread is not None else None
        self._table.tell(replace(self._table.notices, no_thread=no_thread))

    async def put_away(self) -> None:
        """Archive the thread, unless another table is in it."""
        session = self._table.session
        if session.parent is None or self._occupied(session.channel):
            return
        try:
            await self._archive(archived=True)
        except FAILURES as error:
            log.info("%s: thread not archived: %s", self._table, error)

    async def _archive(self, *, archived: bool) -> None:
        thread = cast("discord.Thread", await self._fetched())
        await self._turn()
        async with answered_within():
            await thread.edit(archived=archived)

    async def _fetched(self) -> object:
        """Return the table's channel, as Discord knows it."""
        await self._turn()
        async with answered_within():
            return await self._client.fetch_channel(self._table.session.channel)

    def _at(self, channel: ChannelId, message: MessageId) -> discord.PartialMessage:
        guild = self._table.session.opened.guild
        place = self._client.get_partial_messageable(channel, guild_id=guild)
        return place.get_partial_message(message)


def _are_too_many(error: Exception) -> bool:
    return isinstance(error, discord.HTTPException) and error.code == TOO_MANY_THREADS
