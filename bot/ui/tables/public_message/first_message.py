"""The first message after Start: its id goes into the match's seed, and the lobby links to it."""

import logging
from functools import partial

from bot.ids import MessageId
from bot.tables.decisions.lobby import begin_posting, publish
from bot.tables.running.table import Table
from bot.tables.state import match_seed
from bot.tables.state.session import Phase
from bot.tables.views.screens.table_message import linked
from bot.ui.limits.answers import answered_within
from bot.ui.limits.errors import FAILURES, Trouble, trouble
from bot.ui.render.components import layout
from bot.ui.render.marks import Reader
from bot.ui.tables.public_message.calls import BESIDE, TableChannel

log = logging.getLogger(__name__)

STARTED = "s"
"""The mark in the nonce of a message sent between Start and the first deal."""
TRIES = 2
"""Postings lost before the lobby's message is used instead, so that the match isn't held up."""


class FirstMessage:
    """The first message after Start, and the lobby's link to it.

    Postings between Start and the first deal are journalled. The lobby's old message then links
    to the table's current one.
    """

    def __init__(self, table: Table, channel: TableChannel) -> None:
        self._table = table
        self._channel = channel
        self._lost = 0
        self._linked: MessageId | None = None

    @property
    def is_wanted(self) -> bool:
        """True if the match has started and waits for a message whose id nobody could choose."""
        return match_seed.is_incomplete(self._table.session)

    @property
    def mark(self) -> str:
        """The prefix of a posting's nonce.

        It identifies a message sent before Start whose answer arrives later: its id could have
        been known before Start.
        """
        session = self._table.session
        return f"{self._table.id}{STARTED if match_seed.awaits_deal(session) else ''}-"

    async def begin(self) -> None:
        """Journal that a posting begins, before it is sent. Raises what the journal raises."""
        if match_seed.awaits_deal(self._table.session):
            await self._table.do(begin_posting)

    async def posted(self, nonce: str, message: MessageId, old: MessageId | None) -> None:
        """Journal a posted message before anything relies on it. `old`: the previous message.

        Idempotent. Raises what the journal raises.
        """
        if not nonce.startswith(f"{self._table.id}{STARTED}-"):
            return
        session = self._table.session
        lobby = session.published[0].lobby if session.published else old
        await self._publish(message, lobby)

    async def refused(self, error: Exception, old: MessageId | None) -> bool:
        """Return whether the lobby's message is used, since no new one can be posted."""
        if not self.is_wanted or old is None:
            return False
        match trouble(error):
            case Trouble.FORBIDDEN | Trouble.TOKEN_GONE | Trouble.BUG | Trouble.REFUSED:
                pass
            case Trouble.LATER:
                self._lost += 1
                if self._lost < TRIES:
                    return False
            case _:
                return False
        log.warning("%s: no new message posted, using the lobby's: %r", self._table, error)
        await self._publish(old, old)
        return True

    def keeps(self, message: MessageId) -> bool:
        """Return whether this is the lobby's old message, which stays as a link."""
        published = self._table.session.published
        return bool(published) and message == published[0].lobby

    @property
    def is_link_due(self) -> bool:
        """True if the lobby's old message doesn't link to the table's current one.

        After a restart this is unknown, so in the first round the link is shown again.
        """
        session, target = self._table.session, self._table.message
        if not session.published or target is None or session.phase is Phase.CLOSED:
            return False
        was_linked = self._linked == target or (self._linked is None and session.round > 1)
        return session.published[0].lobby not in (None, target) and not was_linked

    def doubt(self) -> None:
        """Have the link shown again in the first round: an edit of before may lie on top of it."""
        self._linked = None

    async def link(self) -> None:
        """Show the link in the lobby's old message. Does not raise `FAILURES`."""
        table, session = self._table, self._table.session
        first = session.published[0]
        assert first.lobby is not None, "a link is due"
        self._linked = table.message
        view = layout(linked(session, table.link), table.id, Reader(session.opened.locale))
        try:
            async with answered_within(BESIDE):
                await self._channel.edit(first.lobby, view, channel=first.channel)
        except FAILURES as error:
            log.info("%s: link in the lobby's message not shown: %s", table, error)
            if trouble(error) is Trouble.LATER:
                self._linked = None

    async def _publish(self, message: MessageId, lobby: MessageId | None) -> None:
        channel = self._table.session.channel
        await self._table.do(partial(publish, channel=channel, message=message, lobby=lobby))
