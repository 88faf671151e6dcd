"""Unreadable gateway frames: the bot reconnects, and the process goes on.

Without this, one frame that discord.py cannot read ends the process: no JSON, or a HELLO or a
RESUMED without its fields (PLATFORM 3). What events do is in `unreadable_events`.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import aiohttp
import discord
import orjson
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

from bot.ui.connection.gateway.press_frames import interactions_first
from bot.ui.connection.gateway.receiving import share_timer
from bot.ui.connection.gateway.unreadable_events import GREETING
from bot.ui.limits.errors import FAILURES

log = logging.getLogger(__name__)

QUIET = 30 * 60.0
"""Seconds without an unreadable frame after which the next one is a first one again: more than
discord.py waits between two connections.
"""
ENDS = 60 * 60.0
"""Seconds of unreadable frames after which a restart is better than another connection."""
KEEPS = 4000
"""The code of a close that leaves the session to be resumed (PLATFORM 3)."""
PASSED_ON = (*FAILURES, discord.ConnectionClosed, ReconnectWebSocket)


class UnreadableError(aiohttp.ClientError):
    """A frame that can't be read.

    discord.py takes it for a failed connection and reconnects after a growing pause.
    """


class UnreadableFrames:
    """The guard of every connection of a client.

    The first unreadable frame is followed by a resume, others by new sessions; after an hour of
    them the error ends the process.
    """

    def __init__(self) -> None:
        self._first = self._last = float("-inf")

    def survive(self, client: discord.Client) -> None:
        """Guard each connection from now on, before its first frame."""
        state: Any = client._connection  # noqa: SLF001 discord.py has no hook
        known: Callable[[DiscordWebSocket], None] | None
        known = getattr(state, "_update_references", None)
        if known is None:
            log.info("Unsupported discord.py version: an unreadable frame ends the process")
            return

        def update(ws: DiscordWebSocket) -> None:
            known(ws)
            share_timer(ws)
            self._guard(ws)

        state._update_references = update  # noqa: SLF001 said above

    def _guard(self, ws: Any) -> None:  # noqa: ANN401 private names of discord.py's websocket
        read = interactions_first(ws)
        frame: object = None

        def note(text: object) -> None:
            nonlocal frame
            frame = text

        async def guarded(message: object) -> None:
            note(None)
            try:
                await read(message)
            except PASSED_ON:
                raise
            except Exception as error:
                if _is_greeting(frame):
                    raise
                await self._end(ws, error)

        ws.log_receive, ws.received_message = note, guarded

    async def _end(self, ws: Any, error: Exception) -> None:  # noqa: ANN401 as above
        """Close a connection, and raise what discord.py answers with another one."""
        is_greeted, is_first = ws._keep_alive is not None, self._is_first()  # noqa: SLF001 as above
        if is_greeted and self._last - self._first >= ENDS:
            raise error
        await ws.close(KEEPS)
        if is_greeted and is_first:
            log.warning("gateway: a frame cannot be read, resuming: %r", error)
            raise ReconnectWebSocket(ws.shard_id) from None
        raise UnreadableError(f"a frame cannot be read: {error!r}") from None

    def _is_first(self) -> bool:
        """Count a frame. Return whether there was none for a while."""
        now = asyncio.get_running_loop().time()
        is_first = now - self._last > QUIET
        if is_first:
            self._first = now
        self._last = now
        return is_first


def _is_greeting(frame: object) -> bool:
    """Return whether this is the first event of a session, which nothing replaces."""
    try:
        read = orjson.loads(frame) if isinstance(frame, str | bytes | bytearray) else None
    except ValueError:
        return False
    return isinstance(read, dict) and read.get("t") == GREETING
