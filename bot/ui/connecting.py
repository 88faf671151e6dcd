"""The websocket to Discord's gateway: a start that is refused ends, and an outage is a line a try.

discord.py tries a first connection again every five seconds, whatever was answered, each with a
traceback (measured).
"""

import asyncio
import logging
from typing import Any

import aiohttp
import discord
import yarl

from bot.ui.errors import FAILURES, is_upgrade_refused, one_line
from bot.ui.pause import Pause

EXPECTED = (*FAILURES, discord.ConnectionClosed, discord.GatewayNotFound)


class RefusedError(BaseException):
    """Discord refuses a connection. No Exception, since discord.py would try again at once."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


class InOneLine(logging.Filter):
    """Leave out the tracebacks of what is the network's or Discord's."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, EXPECTED):
            record.msg, record.args = "%s: %s", (record.getMessage(), one_line(error))
            record.exc_info = record.exc_text = None
        return True


_IN_ONE_LINE = InOneLine()


class Connecting(discord.AutoShardedClient):
    """A first connection that is refused ends the client. One that is refused later is tried again
    with growing pauses, which are discord.py's.
    """

    def __init__(self, *, intents: discord.Intents, **options: Any) -> None:  # noqa: ANN401
        super().__init__(intents=intents, **options)
        self._launched: dict[int, Pause] = {}
        self._connects = self.http.ws_connect
        self.http.ws_connect = self._connected  # type: ignore[method-assign]
        logging.getLogger(discord.shard.__name__).addFilter(_IN_ONE_LINE)

    async def connect(self, *, reconnect: bool = True) -> None:
        """Raises what the first connection is refused with."""
        try:
            await super().connect(reconnect=reconnect)
        except RefusedError as refused:
            raise refused.error from None

    async def launch_shard(
        self, gateway: yarl.URL, shard_id: int, *, initial: bool = False
    ) -> None:
        """discord.py comes here again some seconds after each connection that has failed."""
        if shard_id in self._launched:
            await asyncio.sleep(self._launched[shard_id].longer())
        else:
            self._launched[shard_id] = Pause()
        await super().launch_shard(gateway, shard_id, initial=initial)

    async def _connected(self, url: str, **more: Any) -> aiohttp.ClientWebSocketResponse:  # noqa: ANN401
        try:
            return await self._connects(url, **more)
        except (aiohttp.WSServerHandshakeError, discord.HTTPException) as error:
            if is_upgrade_refused(error) and not self.is_ready():
                raise RefusedError(error) from error
            raise
