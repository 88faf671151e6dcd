"""What the self-tests of the loopback Discord share: bot processes and a bare REST caller."""

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, Self

import aiohttp

from bot.fakediscord import Interaction, Server
from tests.children import PIPE, STDOUT, Process
from tests.forks import python
from tests.real import PATIENCE

HERE = Path(__file__).resolve().parent


class BotProcess:
    """A bot of this folder as a real process. `output` is complete once it has ended."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.output = ""

    async def stop(self) -> None:
        with suppress(ProcessLookupError):
            self.process.terminate()
        out, _ = await self.process.communicate()
        self.output = out.decode()


@asynccontextmanager
async def running(server: Server, script: str, **env: str) -> AsyncIterator[BotProcess]:
    process = await python(
        str(HERE / script),
        env={**os.environ, **server.env, **env},
        stdout=PIPE,
        stderr=STDOUT,
    )
    bot = BotProcess(process)
    try:
        await server.wait_ready(PATIENCE, commands=True)
        yield bot
    finally:
        await bot.stop()
        sys.stderr.write(bot.output)


class Reply(NamedTuple):
    status: int
    body: Any
    headers: Any


class Api:
    """Bare REST caller for the rules that need no bot."""

    def __init__(self, server: Server) -> None:
        self.server = server

    async def __aenter__(self) -> Self:
        self.http = aiohttp.ClientSession(
            headers={"Authorization": "Bot x"},
            timeout=aiohttp.ClientTimeout(total=PATIENCE),
        )
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.http.close()

    async def __call__(self, method: str, path: str, body: Any = None) -> Reply:
        url = f"{self.server.url}/api/v10{path}"
        async with self.http.request(method, url, json=body) as r:
            try:
                return Reply(r.status, await r.json(content_type=None), r.headers)
            except ValueError:
                return Reply(r.status, await r.text(), r.headers)

    async def answer(
        self, rec: Interaction, kind: int, data: dict[str, Any] | None = None
    ) -> Reply:
        return await self(
            "POST",
            f"/interactions/{rec.id}/{rec.token}/callback?with_response=true",
            {"type": kind, "data": data or {}},
        )

    async def webhook(self, method: str, rec: Interaction, path: str, body: Any = None) -> Reply:
        app_id = self.server.app_id
        return await self(method, f"/webhooks/{app_id}/{rec.token}{path}", body)


@asynccontextmanager
async def gateway_client(server: Server) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    """A connected bot that reads nothing but READY and answers nothing."""
    async with aiohttp.ClientSession() as http, http.ws_connect(server.ws_url) as socket:
        await socket.receive_json(timeout=PATIENCE)
        await socket.send_json({"op": 2, "d": {"token": "x", "intents": 0}})
        await socket.receive_json(timeout=PATIENCE)
        yield socket


def button(custom_id: str = "a", label: str = "x", **more: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "custom_id": custom_id, "label": label, **more}


def row(*items: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(items)}
