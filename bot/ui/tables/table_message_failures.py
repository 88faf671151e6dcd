"""Failures of a table's message: its channel or itself deleted, forbidden, refused, too old."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from bot.clock import Clock
from bot.tables.decisions.decide import close
from bot.tables.running.table import Table
from bot.tables.state.session import Phase
from bot.ui.limits.backoff import SHORTEST
from bot.ui.limits.errors import Trouble, is_too_old, trouble
from bot.ui.tables.bot_membership import BotMembership
from bot.ui.tables.public_message import state
from bot.ui.tables.public_message.calls import TableChannel
from bot.ui.tables.public_message.first_message import FirstMessage
from bot.ui.tables.public_message.retries import Refusals
from bot.ui.tables.public_message.table_message import TableMessage

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TableMessageFailures:
    """The failures of one table's public calls.

    `is_superseded`: whether the players have moved on to a newer table; `again` asks for another
    update after this one; `reopen` takes the thread out of the archive.
    """

    table: Table
    clock: Clock
    channel: TableChannel
    membership: BotMembership
    message: TableMessage
    first: FirstMessage
    refusals: Refusals
    is_superseded: Callable[[], bool]
    again: Callable[[], None]
    reopen: Callable[[], Awaitable[None]]

    async def handle(self, error: Exception) -> None:
        """Do what a failure asks for, after a pause if it may pass.

        The table is closed where its channel, or the bot's membership of the server, is gone.
        Raises what the journal raises. Cancelling ends the pause.
        """
        table = self.table
        match trouble(error):
            case Trouble.MESSAGE_GONE:
                await self._message_gone(error)
            case Trouble.PLACE_GONE if await self.channel.is_gone():
                self.message.end()
                log.info("%s: channel deleted, closing the table", table)
                await table.do(partial(close, reason="table.closed.channel"))
            case Trouble.FORBIDDEN | Trouble.ARCHIVED | Trouble.REFUSED if (
                table.session.phase is Phase.CLOSED
            ):
                self.message.end()
            case Trouble.ARCHIVED:
                await self.reopen()
                self.again()
            case Trouble.FORBIDDEN if await self.membership.closes(error):
                self.message.end()
            case _:
                pause = self.refusals.failed(error)
                if pause is None and self.first.is_wanted:
                    pause = self.refusals.longer()
                if pause is not None:
                    await self._again_after(pause)

    async def _message_gone(self, error: Exception) -> None:
        if not is_too_old(error):
            self.message.become(state.deleted(self.message.state))
            self.refusals.deleted()
        elif (pause := self.refusals.too_old()) is not None:
            await self._again_after(pause)
        elif self.is_superseded():  # a new message would hide the newer table's
            await self._again_after(self.refusals.longer())
        else:
            self.message.repost()
        self.again()

    async def _again_after(self, pause: float) -> None:
        """Draw again after `pause` seconds, or soon where somebody begins to wait for it."""
        self.again()
        wanted, until = self._urgency, self.clock.now() + pause
        while self._urgency == wanted and (left := until - self.clock.now()) > 0:
            await self.clock.sleep(min(left, SHORTEST))

    @property
    def _urgency(self) -> tuple[bool, int]:
        """Return a value that changes when Start, or somebody's command, wants the message."""
        return self.first.is_wanted, self.refusals.times_asked
