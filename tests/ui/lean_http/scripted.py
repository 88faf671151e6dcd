"""A server in memory that answers each request as its script says."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import cast

from bot.ui.connection.lean_http.client import LeanClient
from bot.ui.connection.lean_http.replies import Reply

HOST = "127.0.0.1"
AGENT, TOKEN = "DiscordBot (https://example.org, 1)", "a.b.c"
BASE_PATH = "/api/v10"
KEEP, CLOSE, CUT = "keep", "close", "cut"
"""The end of an act: the connection stays open, is closed, or breaks."""
SHORT = 0.01
"""Seconds between the parts of an answer."""


@dataclass(frozen=True, slots=True)
class Act:
    """The answer to one request, in parts, and what becomes of the connection then."""

    parts: Sequence[bytes] = ()
    end: str = KEEP
    pause: float = SHORT


@dataclass(eq=False)
class Peer(asyncio.Protocol):
    """The server's end of one connection. `requests`: those it has read, heads and bodies."""

    server: "ScriptedServer"
    requests: list[tuple[str, bytes]] = field(default_factory=list)
    is_closed: bool = False
    _arrived: bytes = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.server.peers.append(self)

    def connection_lost(self, _: Exception | None) -> None:
        self.is_closed = True

    def data_received(self, data: bytes) -> None:
        self._arrived += data
        while (request := self._next()) is not None:
            self.requests.append(request)
            self.server.answer(self)

    def _next(self) -> tuple[str, bytes] | None:
        head, found, rest = self._arrived.partition(b"\r\n\r\n")
        if not found:
            return None
        text = head.decode("ascii")
        named = [line for line in text.split("\r\n") if line.startswith("Content-Length: ")]
        length = int(named[0].partition(": ")[2]) if named else 0
        if len(rest) < length:
            return None
        self._arrived = rest[length:]
        return text, rest[:length]

    async def play(self, act: Act) -> None:
        for number, part in enumerate(act.parts):
            if number:
                await asyncio.sleep(act.pause)
            self.transport.write(part)
        if act.end == CLOSE:
            self.transport.close()
        elif act.end == CUT:
            await asyncio.sleep(act.pause)  # what breaks takes with it what is under way
            self.transport.abort()


class ScriptedServer:
    """Plays one act for each request, in their order; the last one again and again."""

    def __init__(self, *acts: Act) -> None:
        self.acts = [*acts]
        self.peers: list[Peer] = []
        self.playing: list[asyncio.Task[None]] = []
        self._server: asyncio.Server | None = None

    def answer(self, peer: Peer) -> None:
        act = self.acts.pop(0) if len(self.acts) > 1 else self.acts[0]
        self.playing.append(asyncio.get_running_loop().create_task(peer.play(act)))

    @property
    def requests(self) -> list[list[str]]:
        """The request lines that each connection has brought, in their order."""
        return [[head.split("\r\n")[0] for head, _ in peer.requests] for peer in self.peers]

    @property
    def open(self) -> int:
        return sum(not peer.is_closed for peer in self.peers)

    async def start(self, context: ssl.SSLContext | None = None) -> int:
        """Listen. Returns the port."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: Peer(self), HOST, 0, ssl=context)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def stop(self) -> None:
        for peer in self.peers:
            peer.transport.abort()
        for act in self.playing:
            act.cancel()
        await asyncio.gather(*self.playing, return_exceptions=True)
        assert self._server is not None
        self._server.close()


@dataclass(frozen=True, slots=True)
class Side:
    """A client and its server. `heard`: what the client has told of its replies."""

    client: LeanClient
    server: ScriptedServer
    heard: list[tuple[str, str, int]]

    async def ask(self, path: str = "/one", *, repeatable: bool = True) -> Reply:
        return await self.client.request("PATCH", path, b"{}", repeatable=repeatable)


@asynccontextmanager
async def serving(
    *acts: Act, context: ssl.SSLContext | None = None, host: str = HOST
) -> AsyncIterator[Side]:
    """A client and a server that plays these acts. At the end nothing of either is left.

    `context`: the server's for TLS. `host`: the name by which the client knows it.
    """
    scripted = ScriptedServer(*acts)
    port = await scripted.start(context)
    heard: list[tuple[str, str, int]] = []
    client = LeanClient(
        f"http{'s' if context else ''}://{host}:{port}{BASE_PATH}",
        AGENT,
        TOKEN,
        lambda method, path, reply: heard.append((method, path, reply.status)),
    )
    try:
        yield Side(client, scripted, heard)
    finally:
        client.close()
        await asyncio.sleep(0.1)
        assert client.pool.open == client.pool.idle == 0
        await scripted.stop()


def answer(body: bytes = b"{}", status: str = "200 OK", **fields: str) -> bytes:
    """Return an answer that names its length. `fields`: headers, with `_` for `-`."""
    named = {"Content_Length": str(len(body)), **fields}
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in named.items())
    return f"HTTP/1.1 {status}\r\n{lines}\r\n".encode() + body


def says(body: bytes = b"{}", **fields: str) -> Act:
    """Return the act of a server as it should be."""
    return Act((answer(body, **fields),))
