"""Sessions, and the websockets that carry them."""

import asyncio
import logging
import sys
import time
import zlib
from collections import deque
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import orjson
from aiohttp import web

from bot.fakediscord.constants import Opcode
from bot.fakediscord.model.interactions import Interaction

log = logging.getLogger("fakediscord.gateway")

Shard: TypeAlias = tuple[int, int]
"""A shard's number, and the number of shards."""
MOST_RECEIVED, RECEIVED_WITHIN = 120, 60.0
"""Messages a bot may send, and the seconds in which it may."""


MANY = 20
"""Frames that wait, above which each lets something else have a turn after it."""


class Frame(NamedTuple):
    """A message to the bot. `event` and `data` are those of a dispatch, else empty."""

    content: bytes
    event: str = ""
    data: bytes = b""
    sequence: int = 0
    interaction: Interaction | None = None


class Session:
    """One bot on one shard, across its connections. It keeps the newest frames for a resume.

    `repeated`: frames that are sent again at the next resume although they were received.
    """

    def __init__(self, session_id: str, shard: Shard, intents: int, replay_size: int) -> None:
        self.id, self.shard, self.intents = session_id, shard, intents
        self.sequence = 0
        self.frames: deque[Frame] = deque(maxlen=replay_size)
        self.connection: Connection | None = None
        self.detached_at: float | None = None
        self.dead = False
        self.repeated = 0

    def hears_of(self, guild_id: int | None) -> bool:
        """Return whether events of this guild, or of none, come to this shard."""
        number, count = self.shard
        return (shard_of(guild_id, count) if guild_id else 0) == number

    def push(self, event: str, data: bytes, interaction: Interaction | None = None) -> None:
        """Send an event. Without a connection it waits for a resume."""
        self.sequence += 1
        content = b'{"op":0,"t":"%s","s":%d,"d":%s}' % (event.encode(), self.sequence, data)
        frame = Frame(content, event, data, self.sequence, interaction)
        self.frames.append(frame)
        if self.connection is not None:
            self.connection.send(frame)

    def has_all_since(self, sequence: int) -> bool:
        """Return whether every frame after this one is still there."""
        oldest = self.frames[0].sequence if self.frames else 0
        return oldest <= sequence + 1 and sequence <= self.sequence


class Connection:
    """One websocket. Its writer keeps order and calls `sending` just before each frame.

    `zombie`: open, but deaf and dumb. `paused`: frames wait.
    """

    def __init__(
        self,
        socket: web.WebSocketResponse,
        request: web.BaseRequest,
        sending: Callable[["Connection", Frame], None],
    ) -> None:
        self.socket, self.request = socket, request
        self.session: Session | None = None
        self.zombie = self.paused = False
        self._sending = sending
        self._frames: deque[Frame] = deque()
        self._wake = asyncio.Event()
        self._received: deque[float] = deque()
        self._packed = _packing(request.query.get("compress"))

    def send(self, frame: Frame) -> None:
        self._frames.append(frame)
        self._wake.set()

    def send_op(self, op: Opcode, data: object = None) -> None:
        self.send(Frame(orjson.dumps({"op": op, "d": data, "s": None, "t": None})))

    def wake(self) -> None:
        """Look again whether frames may be sent."""
        self._wake.set()

    async def close(self, code: int) -> None:
        log.warning("closing gateway connection with %d", code)
        await self.socket.close(code=code, message=b"")

    def receives_too_much(self) -> bool:
        """Count a message from the bot. True if it is one too many."""
        now = time.perf_counter()
        self._received.append(now)
        while now - self._received[0] > RECEIVED_WITHIN:
            self._received.popleft()
        return len(self._received) > MOST_RECEIVED

    async def write(self) -> None:
        """Send frames until the socket is closed or broken."""
        while not self.socket.closed:
            if not self._frames or self.paused or self.zombie:
                self._wake.clear()
                await self._wake.wait()
                continue
            frame = self._frames.popleft()
            self._sending(self, frame)
            try:
                if self._packed is not None:
                    await self.socket.send_bytes(self._packed(frame.content))
                else:
                    await self.socket.send_str(frame.content.decode())
                if len(self._frames) > MANY:
                    await asyncio.sleep(0)
            except (ConnectionError, RuntimeError):
                return


def shard_of(guild_id: int, count: int) -> int:
    return (guild_id >> 22) % count


def _packing(compress: str | None) -> Callable[[bytes], bytes] | None:
    """Return what compresses a stream of frames, if the bot asks for it."""
    if compress == "zlib-stream":
        deflate = zlib.compressobj(1)
        return lambda frame: deflate.compress(frame) + deflate.flush(zlib.Z_SYNC_FLUSH)
    if compress == "zstd-stream":
        return _zstd()
    return None


def _zstd() -> Callable[[bytes], bytes]:
    if sys.version_info >= (3, 14):  # which has its own, as discord.py knows too
        from compression import zstd  # noqa: PLC0415

        packer = zstd.ZstdCompressor(level=1)
        return lambda frame: packer.compress(frame, packer.FLUSH_BLOCK)
    import zstandard  # noqa: PLC0415

    stream = zstandard.ZstdCompressor(level=1).compressobj()
    flush = zstandard.COMPRESSOBJ_FLUSH_BLOCK
    return lambda frame: stream.compress(frame) + stream.flush(flush)
