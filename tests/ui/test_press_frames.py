"""A frame that brings an interaction is read as discord.py reads it, only from its bytes."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

import orjson
import pytest
import zstandard
from discord.gateway import DiscordWebSocket

from bot.ui.connection.gateway.press_frames import interactions_first

PRESS = {"op": 0, "t": "INTERACTION_CREATE", "s": 7, "d": {"id": "1", "name": "Zoë 🎲"}}
OTHERS = (
    {"op": 0, "t": "CHANNEL_DELETE", "s": 8, "d": {"name": "INTERACTION_CREATE"}},
    {"op": 11, "t": None, "s": None, "d": None},
    {"op": 0, "t": "INTERACTION_CREATE", "s": None, "d": {"id": "2"}},
)


@dataclass
class KeepAlive:
    """discord.py's heartbeat, without its thread."""

    ticks: int = 0
    acks: int = 0

    def tick(self) -> None:
        self.ticks += 1

    def ack(self) -> None:
        self.acks += 1


@dataclass
class Heard:
    """What a connection has led to."""

    events: list[tuple[str, object]] = field(default_factory=list)
    whole: int = 0
    """Frames that discord.py has read."""


class Connection:
    """discord.py's connection, with a stream of frames as Discord compresses them."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.ws = cast("Any", DiscordWebSocket(cast("Any", None), loop=loop))
        self.ws.shard_id = 0
        self.heard = Heard()
        self.ws._keep_alive = self.keep_alive = KeepAlive()
        self.ws._discord_parsers = {
            kind: self._noted(kind) for kind in ("INTERACTION_CREATE", "CHANNEL_DELETE")
        }
        self.ws.log_receive = self._counted
        self._stream = zstandard.ZstdCompressor().compressobj()

    def _noted(self, kind: str) -> Callable[[object], None]:
        return lambda data: self.heard.events.append((kind, data))

    def _counted(self, _: object) -> None:
        self.heard.whole += 1

    def packed(self, frame: object) -> bytes:
        end = zstandard.COMPRESSOBJ_FLUSH_BLOCK
        return self._stream.compress(orjson.dumps(frame)) + self._stream.flush(end)


async def test_frames_lead_to_what_discordpy_makes_of_them() -> None:
    ours, ordinary = Connection(), Connection()
    received = interactions_first(ours.ws)
    for frame in (PRESS, *OTHERS, PRESS):
        await received(ours.packed(frame))
        await ordinary.ws.received_message(ordinary.packed(frame))
        assert ours.ws.sequence == ordinary.ws.sequence
    assert ours.heard.events == ordinary.heard.events
    assert ours.keep_alive == ordinary.keep_alive
    assert (ours.heard.whole, ordinary.heard.whole) == (2, 5)


async def test_whoever_waits_for_an_interaction_is_told_of_it() -> None:
    connection = Connection()
    received = interactions_first(connection.ws)
    waiting = connection.ws.wait_for("INTERACTION_CREATE", lambda _: True)
    await received(connection.packed(PRESS))
    assert await waiting == PRESS["d"]


async def test_frames_are_read_before_the_first_heartbeat() -> None:
    connection = Connection()
    connection.ws._keep_alive = None
    await interactions_first(connection.ws)(connection.packed(PRESS))
    assert connection.heard.events == [("INTERACTION_CREATE", PRESS["d"])]


@pytest.mark.parametrize("frame", [b'{"t":"INTERACTION_CREATE"', b"\xff"])
async def test_what_is_no_json_is_an_error(frame: bytes) -> None:
    connection = Connection()
    packed = connection._stream.compress(frame)
    packed += connection._stream.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
    with pytest.raises(ValueError, match=r"."):
        await interactions_first(connection.ws)(packed)


async def test_another_discordpy_reads_all_frames_itself() -> None:
    connection = Connection()
    del connection.ws._decompressor.decompressor
    assert interactions_first(connection.ws) == connection.ws.received_message
