"""The bot's choice between the lean client and aiohttp."""

import asyncio
from pathlib import Path
from typing import Self

import discord
import pytest
from aiohttp import web

from bot.fakediscord import Server
from bot.ui.connection.lean_http.choice import lean_client
from tests.loopback.bots import bot_here
from tests.stories.discord_world import Player, all_ready, becomes, seated, world

CALLS = (
    *("callback", "PATCH webhook", "DELETE webhook"),
    *("POST message", "PATCH message", "DELETE message"),
)


class ClientsSeen(Server):
    """Notes which calls have come by which client: the lean one asks for no compression."""

    def __init__(self) -> None:
        super().__init__()
        self.by: dict[str, set[str]] = {"lean": set(), "aiohttp": set()}

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        is_lean = request.headers.get("Accept-Encoding") == "identity"
        called = request.path
        for part, name in (("/webhooks/", "webhook"), ("/messages", "message")):
            called = f"{request.method} {name}" if part in called else called
        called = "callback" if called.endswith("/callback") else called
        self.by["lean" if is_lean else "aiohttp"].add(called)
        return await super()._handle(request)


async def is_played(server: Server) -> None:
    """Anna and Ben play; a panel is pushed, an old one deleted, and the table moves down."""
    anna, ben = players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
    await all_ready(players)
    before = anna.panel.version
    assert await ben.act()
    assert await becomes(server, lambda: anna.panel.version > before, 10)
    await is_moved(server, anna)
    board = anna.public
    assert (await server.click(anna.user, board, label="Move down").wait()).ok
    assert await becomes(server, lambda: board.deleted, 60)


async def is_moved(server: Server, player: Player) -> None:
    old = player.panel
    assert (await server.click(player.user, player.public, label="My cards").wait()).ok
    assert await becomes(server, lambda: old.deleted, 60)


async def test_answers_and_pushes_are_lean(tmp_path: Path) -> None:
    async with world(tmp_path, server := ClientsSeen()):
        await is_played(server)
    assert {*CALLS} <= server.by["lean"]
    assert not {*CALLS} & server.by["aiohttp"]


async def test_setting_brings_aiohttp_back(tmp_path: Path) -> None:
    async with world(tmp_path, server := ClientsSeen(), http_client="aiohttp"):
        await is_played(server)
    assert {*CALLS} <= server.by["aiohttp"]
    assert not server.by["lean"]


class Proxy(ClientsSeen):
    """A proxy and Discord in one, at an address of plain HTTP. `asked`: as a proxy, or as Discord.

    Only a proxy is asked for a whole URL.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__()
        self._monkeypatch = monkeypatch
        self.asked: set[str] = set()

    async def __aenter__(self) -> Self:
        entered = await super().__aenter__()
        self._monkeypatch.setenv("http_proxy", self.url)
        for name in ("no_proxy", "NO_PROXY"):
            self._monkeypatch.delenv(name, raising=False)
        return entered

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        is_proxys = not request.raw_path.startswith("/")
        self.asked.add("proxy" if is_proxys else f"Discord: {request.method} {request.path}")
        return await super()._handle(request)


async def test_proxy_in_the_environment_is_asked_by_aiohttp(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    async with world(tmp_path, server := Proxy(monkeypatch)) as here:
        await is_played(server)
        said = [line.text for line in here.log.lines if "HTTP client" in line.text]
    assert said == ["HTTP client: aiohttp, because of a proxy"]
    assert not server.by["lean"]
    assert server.asked == {"proxy"}


async def test_proxy_that_discord_py_is_given_needs_aiohttp() -> None:
    nobody = discord.Intents.none()
    proxied = discord.Client(intents=nobody, proxy="http://127.0.0.1:9")
    assert lean_client(proxied, lambda *_: None) is None
    lean = lean_client(discord.Client(intents=nobody), lambda *_: None)
    assert lean is not None
    lean.close()


async def test_lean_client_ends_with_its_bot(tmp_path: Path) -> None:
    async with Server() as server:
        async with bot_here(server, tmp_path / "end.db") as here:
            players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
            await all_ready(players)
            assert await players[0].act()
            await asyncio.sleep(1)
            lean = here.client.lean
            assert lean is not None
            assert lean.pool.idle > 0
        await asyncio.sleep(0.1)
        assert lean.pool.open == lean.pool.idle == 0
        with pytest.raises(ConnectionAbortedError):
            await lean.request("GET", "/", None, repeatable=True)
