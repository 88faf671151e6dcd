"""The time limit of each gateway frame, on the timer that all calls share.

discord.py gives up a connection on which nothing has come for a minute. aiohttp would set and
cancel a timer for each frame, which takes as long as reading it.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
from discord.gateway import DiscordWebSocket

from bot.tasks import TimeLimit


def share_timer(ws: DiscordWebSocket) -> None:
    """Limit what this connection receives from now on. It raises what aiohttp raises."""
    socket: Any = ws.socket
    receive: Callable[[], Awaitable[aiohttp.WSMessage]] = socket.receive

    async def received(timeout: float | None = None) -> aiohttp.WSMessage:  # noqa: ASYNC109 its own
        if not timeout:
            return await receive()
        limit = TimeLimit(asyncio.get_running_loop().time() + timeout)
        async with limit:
            return await receive()

    socket.receive = received
