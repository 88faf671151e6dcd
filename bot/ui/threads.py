"""A table's own thread: made of its lobby's message, put away at the end."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Literal, cast

import discord

from bot.i18n import say
from bot.tables.choices import in_thread
from bot.tables.clock import Clock
from bot.tables.decisions import house, keep_here
from bot.tables.notices import NoThread
from bot.tables.phrases import game_name
from bot.tables.screens import moved
from bot.tables.session import Phase
from bot.tables.table import Table
from bot.ui import names, wire
from bot.ui.components import layout
from bot.ui.errors import FAILURES, THREAD_EXISTS, TOO_MANY_THREADS, Trouble, trouble
from bot.ui.marks import Reader
from bot.ui.setbacks import Setbacks

log = logging.getLogger(__name__)

PATIENCE = 10.0
KEPT_OPEN: Literal[1440] = 1440
"""Minutes without a message after which Discord archives a thread by itself."""


class OwnThread:
    """Moves a table into its thread and, where it cannot stay there, back."""

    def __init__(
        self,
        table: Table,
        client: discord.Client,
        clock: Clock,
        occupied: Callable[[int], bool],
        setbacks: Setbacks,
    ) -> None:
        self.signpost = False  # the message in the parent channel may not point here yet
        self._table = table
        self._client = client
        self._clock = clock
        self._occupied = occupied
        self._setbacks = setbacks
        self._said_in: Phase | None = None

    @property
    def is_wanted(self) -> bool:
        """The host has chosen a thread, and the table has none."""
        session = self._table.session
        in_lobby = session.phase is Phase.LOBBY and session.parent is None
        return in_lobby and in_thread(session.options)

    async def open(self, message: int) -> None:
        """Make the thread and move the table. Raises what may pass; else the table stays."""
        table, channel = self._table, self._table.session.channel
        try:
            async with asyncio.timeout(PATIENCE):
                thread = await self._make(message)
        except FAILURES as error:
            if trouble(error) is Trouble.LATER:
                raise
            log.warning("%s: no thread can be had: %s", table, error)
            self._say(NoThread.TOO_MANY if _are_too_many(error) else NoThread.REFUSED)
            await table.do(keep_here)
            return
        await table.do(partial(house, channel=thread, parent=channel))
        self.signpost = True

    async def _make(self, message: int) -> int:
        """A thread has the id of the message it is made of: one that was made before a crash is
        found again. The channel is asked for, since at the start the client knows no server yet.
        """
        session = self._table.session
        host = next((c.name for c in session.chairs if c.user == session.host), "")
        name = f"{say(game_name(session), session.opened.locale)} · {names.plain(host, 32)}"
        channel = cast("discord.TextChannel", await self._client.fetch_channel(session.channel))
        try:
            thread = await channel.get_partial_message(message).create_thread(
                name=name, auto_archive_duration=KEPT_OPEN
            )
        except discord.HTTPException as error:
            if error.code == THREAD_EXISTS:
                return message
            raise
        return thread.id

    async def point_to(self) -> None:
        """Where the lobby was, a message says where the table is now."""
        session = self._table.session
        if not self.signpost or session.parent is None:
            return
        self.signpost = False
        view = layout(moved(session), self._table.id, Reader(session.opened.locale))
        try:
            async with asyncio.timeout(PATIENCE):
                await self._at(session.parent, session.channel).edit(
                    view=view, allowed_mentions=wire.NOBODY
                )
        except FAILURES as error:
            log.info("table %d: nothing points to its thread: %s", self._table.id, error)
            self.signpost = trouble(error) is Trouble.LATER

    async def reopen(self) -> None:
        """An archived thread is opened again; where that is not allowed, because it is locked,
        the table goes back to the channel in which its thread stands.
        """
        table, session = self._table, self._table.session
        try:
            await self._archive(archived=False)
        except FAILURES as error:
            if trouble(error) is Trouble.LATER or session.parent is None:
                log.warning("%s: its thread stays archived: %r", table, error)
                await self._clock.sleep(self._setbacks.longer())
                return
            log.warning("%s: its thread is locked: %s", table, error)
            self._say(NoThread.LOCKED)
            await table.do(partial(house, channel=session.parent, parent=None))

    def say_what_holds(self) -> None:
        """What was said of the thread is over with the phase in which it was said. A match that has
        started before Discord has answered stays in its channel.
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
        """The thread is archived with the last table in it."""
        session = self._table.session
        if session.parent is None or self._occupied(session.channel):
            return
        try:
            await self._archive(archived=True)
        except FAILURES as error:
            log.info("table %d: its thread stays open: %s", self._table.id, error)

    async def _archive(self, *, archived: bool) -> None:
        async with asyncio.timeout(PATIENCE):
            thread = await self._client.fetch_channel(self._table.session.channel)
            await cast("discord.Thread", thread).edit(archived=archived)

    def _at(self, channel: int, message: int) -> discord.PartialMessage:
        guild = self._table.session.opened.guild
        place = self._client.get_partial_messageable(channel, guild_id=guild)
        return place.get_partial_message(message)


def _are_too_many(error: Exception) -> bool:
    return isinstance(error, discord.HTTPException) and error.code == TOO_MANY_THREADS
