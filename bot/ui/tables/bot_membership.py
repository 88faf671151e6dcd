"""The bot's membership in a table's server, if it was unknown when the table was opened.

The gateway hasn't named the server, and Discord didn't answer the question in time. The bot's own
first call on the table's message tells.
"""

import asyncio
import logging
from functools import partial

import discord

from bot.tables.decisions.decide import close
from bot.tables.running.table import Table
from bot.tables.state.session import Phase
from bot.ui.limits.errors import NO_ACCESS

log = logging.getLogger(__name__)

NO_BOT = "table.closed.no_bot"
WAITS = 60.0
"""Seconds in which that call is made, however full its channel is."""


class BotMembership:
    """The bot's membership in one table's server, as the calls about its message show it."""

    def __init__(self, table: Table, client: discord.Client) -> None:
        self._table = table
        self._client = client
        self._absent = asyncio.Event()
        self._doubts = False

    def doubt(self) -> bool:
        """Return whether the gateway hasn't named the server that a command came from.

        If so, refusals are taken for the bot's absence until the server is named.
        """
        self._doubts = self._is_unnamed
        return self._doubts

    @property
    def _is_unnamed(self) -> bool:
        return self._client.get_guild(self._table.session.opened.guild) is None

    async def closes(self, error: Exception) -> bool:
        """Close a lobby if this failure shows that the bot isn't there. Return whether it does.

        Raises what the journal raises.
        """
        is_refused = isinstance(error, discord.Forbidden) and error.code == NO_ACCESS
        is_lobby = self._table.session.phase is Phase.LOBBY
        if not (is_refused and is_lobby and self._doubts and self._is_unnamed):
            return False
        log.info("%s: the bot isn't in its server, closing the lobby", self._table)
        await self._table.do(partial(close, reason=NO_BOT))
        self._absent.set()
        return True

    async def is_absent(self) -> bool:
        """Wait for a minute at most until a lobby was closed so. Return whether it was."""
        try:
            async with asyncio.timeout(WAITS):
                await self._absent.wait()
        except TimeoutError:
            return False
        return True
