"""Frames that bring an interaction, read without what discord.py does for every other frame.

discord.py turns each frame's bytes into text, which orjson turns back into bytes, and offers each
to its log, to listeners of raw frames and to whoever waits for one. Nearly every frame of a running
bot is a press, for which none of that leads to anything.
"""

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import orjson

CREATED = "INTERACTION_CREATE"
_CREATED = CREATED.encode()
_STREAM = "zstd-stream"

Read: TypeAlias = Callable[[Any], Awaitable[None]]


def interactions_first(ws: Any) -> Read:  # noqa: ANN401 private names of discord.py's websocket
    """Return a reader of this connection's frames, for discord.py's own `received_message`.

    All but interactions are left to discord.py, in the same order; so are they in another version
    of it, or where frames are not compressed as they are today.
    """
    ordinary: Read = ws.received_message
    unpacked = _unpacked(ws)
    if unpacked is None:
        return ordinary

    async def received(message: object) -> None:
        if type(message) is not bytes:
            await ordinary(message)
            return
        json = unpacked(message)
        if not (_CREATED in json and _is_read(ws, json)):
            await ordinary(json.decode())

    return received


def _unpacked(ws: Any) -> Callable[[bytes], bytes] | None:  # noqa: ANN401 said above
    """Return what decompresses a frame; None unless all is there that is used here."""
    names = ("_keep_alive", "_discord_parsers", "_dispatch_listeners", "sequence", "DISPATCH")
    context = getattr(ws, "_decompressor", None)
    stream = getattr(context, "decompressor", None)
    if getattr(context, "COMPRESSION_TYPE", None) != _STREAM or stream is None:
        return None
    known = all(hasattr(ws, name) for name in names)
    return stream.decompress if known and hasattr(stream, "decompress") else None


def _is_read(ws: Any, json: bytes) -> bool:  # noqa: ANN401 said above
    """Read a frame if it brings an interaction that nobody else waits for.

    Raises ValueError for what is no JSON.
    """
    frame = orjson.loads(json)
    if type(frame) is not dict or frame.get("t") != CREATED or frame.get("op") != ws.DISPATCH:
        return False
    if ws._dispatch_listeners or ws._keep_alive is None:  # noqa: SLF001 said above
        return False
    if (number := frame.get("s")) is not None:
        ws.sequence = number
    ws._keep_alive.tick()  # noqa: SLF001 said above
    ws._discord_parsers[CREATED](frame.get("d"))  # noqa: SLF001 said above
    return True
