"""The floor: a websocket, a dict, and HTTP/1.1 without anything that a bot needs besides.

What it leaves out (frames in parts, answers in chunks, resumes, rate limits, a second attempt) the
loopback Discord does not ask of it. Anything unexpected ends the process.
"""

import asyncio
import json
import os
import ssl
from collections import defaultdict
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, cast
from urllib.parse import urlsplit

import orjson
import uvloop

TOKEN = os.environ["DISCORD_TOKEN"]
URL = urlsplit(os.environ["FAKE_DISCORD"])
ADDRESS = (URL.hostname or "", URL.port or 0)
TLS = ssl.create_default_context() if URL.scheme == "https" else None
API = "/api/v10"
HEAD = f"Host: {URL.netloc}\r\nContent-Type: application/json\r\nAuthorization: Bot {TOKEN}\r\n"
UPGRADE = (
    f"GET /gateway?v=10&encoding=json HTTP/1.1\r\nHost: {URL.netloc}\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
COMMAND, PRESS = 2, 3
MESSAGE, UPDATE = 4, 7
FLAGS = 64 | 32768
GUILDS = 1
TEXT_FRAME, CLOSE_FRAME = 0x81, 0x88
SHORT, MEDIUM, NO_MASK = 126, 127, bytes(4)


class Exchange(asyncio.Protocol):
    """One kept connection, with one request on its way at most."""

    def __init__(self) -> None:
        self._read = b""
        self._answered: asyncio.Future[int] | None = None
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def send(self, request: bytes) -> "asyncio.Future[int]":
        """Return the future status of the answer."""
        assert self._transport is not None
        self._answered = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return self._answered

    def data_received(self, data: bytes) -> None:
        self._read += data
        head, end, body = self._read.partition(b"\r\n\r\n")
        if not end:
            return
        at = head.lower().find(b"content-length:")
        length = int(head[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
        if len(body) >= length:
            self._read = b""
            assert self._answered is not None
            self._answered.set_result(int(head[9:12]))

    def connection_lost(self, exc: Exception | None) -> None:
        if self._answered is not None and not self._answered.done():
            self._answered.set_exception(exc or ConnectionResetError())

    @property
    def is_open(self) -> bool:
        return self._transport is not None and not self._transport.is_closing()


class Http:
    """As many connections as there were requests at once."""

    def __init__(self) -> None:
        self._free: list[Exchange] = []

    async def call(self, method: str, path: str, body: object) -> None:
        """Raises ConnectionError when the answer is not a good one."""
        content = orjson.dumps(body)
        head = f"{method} {API}{path} HTTP/1.1\r\n{HEAD}Content-Length: {len(content)}\r\n\r\n"
        one = await self._connection()
        status = await one.send(head.encode() + content)
        if not 200 <= status < 300:
            raise ConnectionError(f"{method} {path}: {status}")
        self._free.append(one)

    async def _connection(self) -> Exchange:
        while self._free:
            one = self._free.pop()
            if one.is_open:
                return one
        loop = asyncio.get_running_loop()
        _, made = await loop.create_connection(Exchange, *ADDRESS, ssl=TLS)
        return made


class Socket(asyncio.Protocol):
    """The gateway's websocket. `receive` gets each message's dict, and `lost` why it ended."""

    def __init__(self, receive: Callable[[dict[str, Any]], None]) -> None:
        self._receive = receive
        self._read = bytearray()
        self._is_upgraded = False
        self._transport: asyncio.Transport | None = None
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(UPGRADE.encode())

    def send(self, message: object) -> None:
        """Send a message of less than 64 kB, masked with zeros."""
        content = orjson.dumps(message)
        size = len(content)
        if size < SHORT:
            head = bytes((TEXT_FRAME, 0x80 | size))
        else:
            head = bytes((TEXT_FRAME, 0x80 | SHORT)) + size.to_bytes(2, "big")
        assert self._transport is not None
        self._transport.write(head + NO_MASK + content)

    def data_received(self, data: bytes) -> None:
        self._read += data
        if not self._is_upgraded:
            _, end, rest = self._read.partition(b"\r\n\r\n")
            if not end:
                return
            self._is_upgraded, self._read = True, rest
        while (frame := self._frame()) is not None:
            self._receive(orjson.loads(frame))

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.lost.done():
            self.lost.set_exception(exc or ConnectionResetError("the gateway has ended"))

    def _frame(self) -> bytes | None:
        """Take the content of the next whole frame."""
        read = self._read
        if len(read) < 2:
            return None
        size, start = read[1], 2
        if size >= SHORT:
            start = 4 if size == SHORT else 10
            if len(read) < start:
                return None
            size = int.from_bytes(read[2:start], "big")
        if len(read) < start + size:
            return None
        if read[0] == CLOSE_FRAME:
            raise ConnectionResetError("the gateway was closed")
        content = bytes(read[start : start + size])
        del read[: start + size]
        return content


class Raw:
    """The bot: how often each message's button was hit."""

    def __init__(self) -> None:
        self._http = Http()
        self._blocks = list(_blocks())
        self._hits: defaultdict[str, int] = defaultdict(int)
        self._tasks: set[asyncio.Task[None]] = set()
        self._socket: Socket | None = None
        self._sequence: int | None = None
        self._failed: asyncio.Future[None] | None = None

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        self._socket = socket = Socket(self._received)
        self._failed = socket.lost
        _ = await loop.create_connection(lambda: socket, *ADDRESS, ssl=TLS)
        await self._failed

    def _received(self, message: dict[str, Any]) -> None:
        data = message["d"]
        if message["op"] == 10:
            self._beat(data["heartbeat_interval"] / 1000)
            assert self._socket is not None
            who = {"os": "linux", "browser": "raw", "device": "raw"}
            asked = {"token": TOKEN, "intents": GUILDS, "properties": who}
            self._socket.send({"op": 2, "d": asked})
            return
        self._sequence = message["s"] or self._sequence
        if message["t"] == "INTERACTION_CREATE":
            self._start(self._answer(data))
        elif message["t"] == "READY":
            commands = [{"name": "panel", "description": "a panel of one's own"}]
            path = f"/applications/{data['application']['id']}/commands"
            self._start(self._http.call("PUT", path, commands))

    async def _answer(self, data: dict[str, Any]) -> None:
        answer: dict[str, Any]
        if data["type"] == PRESS:
            message = data["message"]["id"]
            self._hits[message] += 1
            answer = {"type": UPDATE, "data": self._panel(self._hits[message])}
        else:
            assert data["type"] == COMMAND
            answer = {"type": MESSAGE, "data": {"flags": FLAGS} | self._panel(0)}
        await self._http.call(
            "POST", f"/interactions/{data['id']}/{data['token']}/callback", answer
        )

    def _panel(self, hits: int) -> dict[str, Any]:
        told = {"type": 10, "content": f"hits: {hits}"}
        return {"components": [{"type": 17, "components": [*self._blocks, told]}]}

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if (error := task.exception()) is not None and self._failed and not self._failed.done():
            self._failed.set_exception(error)

    def _beat(self, seconds: float) -> None:
        assert self._socket is not None
        self._socket.send({"op": 1, "d": self._sequence})
        _ = asyncio.get_running_loop().call_later(seconds, self._beat, seconds)


def _blocks() -> Iterator[dict[str, Any]]:
    number = 0
    for block in json.loads(os.environ.get("SHAPE", "[]")):
        if "text" in block:
            yield {"type": 10, "content": block["text"]}
        elif "buttons" in block:
            buttons = [_button(one, number + at) for at, one in enumerate(block["buttons"])]
            yield {"type": 1, "components": buttons}
            number += len(buttons)
        else:
            yield {"type": 14}


def _button(button: dict[str, Any], number: int) -> dict[str, Any]:
    made = {"type": 2, "style": 2, "custom_id": f"hit:{number}", "disabled": button["disabled"]}
    if button["label"]:
        made["label"] = button["label"]
    if button["emoji"]:
        made["emoji"] = {"name": "🎲"}
    return made


if __name__ == "__main__":
    uvloop.run(Raw().run())
