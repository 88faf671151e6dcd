"""Mentions of whoever a get-ready waits for, one message each, where a server wants them.

Nothing else in the bot ever mentions anybody. A message is deleted as soon as its player is ready.
"""

import logging
from collections.abc import Callable
from functools import partial
from typing import Protocol, TypeAlias

import discord

from bot.ids import ChannelId, GuildId, MessageId, UserId
from bot.tables.running.table import Table
from bot.tables.state.journal import TableId
from bot.tables.state.session import Phase
from bot.text import Text
from bot.ui.limits.answers import answered_within
from bot.ui.limits.errors import FAILURES, Trouble, trouble
from bot.ui.panels.context import PanelContext
from bot.ui.render import components

log = logging.getLogger(__name__)

AFTER = 10_000
"""Milliseconds after the first Ready before anybody is mentioned."""
TRIES = 6
"""Postings until the answer to one is heard. All have one nonce, so there is one message."""
PAUSE = 10.0
"""Seconds between two of them: within a few minutes Discord knows the nonce (PLATFORM 4)."""

Where: TypeAlias = tuple[ChannelId, MessageId]


class Mentions(Protocol):
    """The stored mentions, kept across restarts."""

    def mention_at(
        self, table: TableId, user: UserId, channel: ChannelId, message: MessageId
    ) -> None: ...
    def mention_gone(self, table: TableId, user: UserId, message: MessageId) -> None: ...
    async def mentions(self, table: TableId) -> list[tuple[UserId, ChannelId, MessageId]]: ...


class Reminders:
    """The mentions at every table. `is_wanted`: whether a server wants any."""

    def __init__(
        self, context: PanelContext, store: Mentions, is_wanted: Callable[[GuildId], bool]
    ) -> None:
        self._context = context
        self._store = store
        self._is_wanted = is_wanted
        self._sent: dict[TableId, dict[UserId, Where | None]] = {}
        self._sending: set[tuple[TableId, UserId]] = set()

    def __len__(self) -> int:
        return sum(map(len, self._sent.values()))

    async def resume(self, table: Table) -> None:
        """Find the mentions of before a restart. Those that nobody needs any more are deleted."""
        for user, channel, message in await self._store.mentions(table.id):
            self._sent.setdefault(table.id, {})[user] = channel, message
        self.watch(table)

    def tick(self, table: Table) -> None:
        """Mention whoever is missing, once per get-ready. Called every few seconds."""
        session, first = table.session, table.session.first_ready_at
        if first is None or table.lived * 1000 - first < AFTER:
            return
        if not self._is_wanted(session.opened.guild):
            return
        known = self._sent.setdefault(table.id, {})
        for user in _missing(table) - known.keys():
            known[user] = None
            self._sending.add((table.id, user))
            send = partial(self._send, table, user)
            self._context.supervisor.start(table, f"mention of {user}", send)

    def watch(self, table: Table) -> None:
        """Delete the mentions of those who are missing no longer. Called on every change."""
        if (known := self._sent.get(table.id)) is None:
            return
        for user in known.keys() - _missing(table):
            if (table.id, user) in self._sending:
                continue  # it is deleted once it is known
            if (where := known.pop(user)) is not None:
                delete = partial(self._delete, table, user, *where)
                self._context.supervisor.start(table, f"mention of {user} deleted", delete)
        if not known:
            del self._sent[table.id]

    async def _send(self, table: Table, user: UserId) -> None:
        try:
            sent = await self._found(table, user)
        finally:
            self._sending.discard((table.id, user))
        known = self._sent.get(table.id)
        if sent is not None and known is not None and user in known:
            known[user] = sent
            self._store.mention_at(table.id, user, *sent)
        elif sent is not None:
            await self._delete(table, user, *sent)
        self.watch(table)

    async def _found(self, table: Table, user: UserId) -> Where | None:
        """Post a mention until its message is known; None if there is none, or if nobody says."""
        seat, since = table.session.seat_of(user), table.session.first_ready_at
        nonce, channel = f"{table.id}m{seat}-{since}", table.session.channel
        for _ in range(TRIES):
            await self._context.budget.take_own()
            try:
                return channel, await self._post(table, user, channel, nonce)
            except FAILURES as error:
                log.info("%s: unknown whether the mention was posted: %r", table, error)
                if trouble(error) is not Trouble.LATER:
                    return None
            await self._context.clock.sleep(PAUSE)
        return None

    async def _post(self, table: Table, user: UserId, channel: ChannelId, nonce: str) -> MessageId:
        """Post the mention, or find it by its nonce. Whoever is ready by now is not pinged."""
        said = Text("table.ping", (("who", f"<@{user}>"), ("where", table.link)))
        users = [discord.Object(user)] if user in _missing(table) else []
        pinged = discord.AllowedMentions(everyone=False, roles=False, users=users)
        async with answered_within():
            place = self._context.client.get_partial_messageable(channel)
            view = components.note(said, table.session.opened.locale)
            message = await place.send(view=view, nonce=nonce, allowed_mentions=pinged)
        return MessageId(message.id)

    async def _delete(
        self, table: Table, user: UserId, channel: ChannelId, message: MessageId
    ) -> None:
        await self._context.budget.take_own()
        try:
            async with answered_within():
                place = self._context.client.get_partial_messageable(channel)
                await place.get_partial_message(message).delete()
        except FAILURES as error:
            log.info("%s: mention not deleted: %r", table, error)
            if trouble(error) is Trouble.LATER:
                return  # the next process tries again
        self._store.mention_gone(table.id, user, message)


def _missing(table: Table) -> set[UserId]:
    """Return the people whom a get-ready waits for."""
    session = table.session
    if session.phase is not Phase.READY:
        return set()
    users = (session.chairs[seat].user for seat in session.awaited)
    return {user for user in users if user is not None}
