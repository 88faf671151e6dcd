"""The gateway connection: a refused start ends the bot, and an outage is one log line per attempt.

discord.py retries a first connection every five seconds, whatever the answer, and logs a traceback
each time (measured).
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import aiohttp
import discord
import yarl

from bot.ui.connection.gateway.identify_turns import IdentifyTurns
from bot.ui.limits.backoff import Pause
from bot.ui.limits.errors import FAILURES, is_upgrade_refused, one_line

EXPECTED = (*FAILURES, discord.ConnectionClosed, discord.GatewayNotFound)


class RefusedError(BaseException):
    """A connection refused by Discord. No Exception: discord.py would catch it and retry."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


class InOneLine(logging.Filter):
    """A log filter that drops the tracebacks of network and Discord errors."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, EXPECTED):
            record.msg, record.args = "%s: %s", (record.getMessage(), one_line(error))
            record.exc_info = record.exc_text = None
        return True


_IN_ONE_LINE = InOneLine()


class Connecting(discord.AutoShardedClient):
    """A client whose refused first connection ends it.

    Connections refused later are retried with discord.py's growing pauses. `turns`: when a shard
    may identify, in a bot of several processes; None where discord.py's own pauses will do.
    `on_shard` is called after each shard's first connection, with the number of those that are
    connected and of all that will be.
    """

    def __init__(self, *, intents: discord.Intents, **options: Any) -> None:  # noqa: ANN401
        super().__init__(intents=intents, **options)
        self._launched: dict[int, Pause] = {}
        self.turns: IdentifyTurns | None = None
        self.on_shard: Callable[[int, int], None] = lambda _connected, _every: None
        self._connects = self.http.ws_connect
        self.http.ws_connect = self._connected  # type: ignore[method-assign]
        logging.getLogger(discord.shard.__name__).addFilter(_IN_ONE_LINE)

    async def connect(self, *, reconnect: bool = True) -> None:
        """Connect, and raise the error of a refused first connection."""
        try:
            await super().connect(reconnect=reconnect)
        except RefusedError as refused:
            raise refused.error from None

    async def launch_shard(
        self, gateway: yarl.URL, shard_id: int, *, initial: bool = False
    ) -> None:
        """Connect a shard, after a growing pause from the second attempt on.

        discord.py calls this again some seconds after each failed connection.
        """
        if shard_id in self._launched:
            await asyncio.sleep(self._launched[shard_id].longer())
        else:
            self._launched[shard_id] = Pause()
        await super().launch_shard(gateway, shard_id, initial=initial)
        self.on_shard(len(self.shards), len(self._connection.shard_ids))

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until this shard may identify. discord.py calls it; a resume needs no turn."""
        if self.turns is None:
            await super().before_identify_hook(shard_id, initial=initial)
        else:
            await self.turns.wait(shard_id or 0)

    async def _connected(self, url: str, **more: Any) -> aiohttp.ClientWebSocketResponse:  # noqa: ANN401
        try:
            return await self._connects(url, **more)
        except (aiohttp.WSServerHandshakeError, discord.HTTPException) as error:
            if is_upgrade_refused(error) and not self.is_ready():
                raise RefusedError(error) from error
            raise
