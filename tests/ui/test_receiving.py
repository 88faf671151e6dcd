"""Gateway frames are received within discord.py's time limit, without a timer for each."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from discord.gateway import DiscordWebSocket

from bot.ui.connection.gateway.receiving import share_timer

FRAMES = 100


@asynccontextmanager
async def connected() -> AsyncIterator[DiscordWebSocket]:
    """A connection on which a hundred frames come, and then nothing more."""

    async def gateway(request: web.Request) -> web.WebSocketResponse:
        server = web.WebSocketResponse()
        await server.prepare(request)
        for number in range(FRAMES):
            await server.send_str(str(number))
        await server.receive()
        return server

    app = web.Application()
    app.router.add_get("/", gateway)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"http://127.0.0.1:{port}/") as socket,
    ):
        yield DiscordWebSocket(socket, loop=asyncio.get_running_loop())
    await runner.cleanup()


async def test_a_connection_on_which_nothing_comes_is_given_up_in_time() -> None:
    async with connected() as ws:
        share_timer(ws)
        read = [await ws.socket.receive(60.0) for _ in range(FRAMES)]
        assert [one.data for one in read] == [str(number) for number in range(FRAMES)]
        began = asyncio.get_running_loop().time()
        with pytest.raises(TimeoutError):
            await ws.socket.receive(60.0)
        assert asyncio.get_running_loop().time() == began + 60.0
        assert ws.socket.close_code == aiohttp.WSCloseCode.ABNORMAL_CLOSURE


async def test_a_hundred_frames_set_one_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    loop, timers = asyncio.get_running_loop(), list[float]()
    call_at = loop.call_at

    def counted(when: float, *args: Any, **more: Any) -> asyncio.TimerHandle:
        timers.append(when)
        return call_at(when, *args, **more)

    async with connected() as ws:
        share_timer(ws)
        monkeypatch.setattr(loop, "call_at", counted)
        for _ in range(FRAMES):
            await ws.socket.receive(60.0)
        monkeypatch.undo()
    assert len(timers) <= 1
