"""The lean client: requests to Discord's API, each on a connection of its own while it lasts."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias
from urllib.parse import urlsplit

from bot.ui.connection.lean_http.connection import Connection, UnansweredError
from bot.ui.connection.lean_http.dialing import Dialer, verifying
from bot.ui.connection.lean_http.pool import Pool
from bot.ui.connection.lean_http.replies import Reply
from bot.ui.connection.lean_http.requests import Requests

Heard: TypeAlias = Callable[[str, str, Reply], None]
"""Called with each reply: method, whole path, reply."""
PORTS = {"http": 80, "https": 443}


class LeanClient:
    """A client of the API at `base`, a URL. Made while the event loop runs; `close` ends it.

    `agent` and `token` are those of the bot; `heard` is called with each reply first.
    """

    def __init__(self, base: str, agent: str, token: str, heard: Heard) -> None:
        parts = urlsplit(base)
        context = verifying() if parts.scheme == "https" else None
        self._requests = Requests(parts.netloc, parts.path, agent, token)
        self._dialer = Dialer(parts.hostname or "", parts.port or PORTS[parts.scheme], context)
        self._heard = heard
        self._loop = asyncio.get_running_loop()
        self.pool = Pool()

    async def request(
        self,
        method: str,
        path: str,
        body: bytes | None,
        *,
        repeatable: bool,
        as_bot: bool = False,
    ) -> Reply:
        """Send a request, and return its reply, whatever its status.

        `path` begins behind the API's own; `body`: JSON; `as_bot`: with the bot's token.
        `repeatable`: being sent twice does no harm, as with an interaction's answer, a PATCH, a
        DELETE, or a POST with a nonce. Such a request is sent once more, on a new connection, if
        the server closed a kept one before a byte of the answer came: it has most likely never read
        it. Nothing else is sent twice here, and no redirect is followed.

        Raises OSError if the network fails, UnreadableAnswerError for what is no answer, and
        ValueError for a request that is none. Waits for ever: callers bound it. A request that is
        cancelled closes its connection, so nobody reads its late answer.
        """
        request = self._requests.written(method, path, body, as_bot=as_bot)
        reply, is_repeat = None, False
        if (kept := self.pool.take()) is not None:
            try:
                reply = await self._exchanged(kept, request)
            except UnansweredError:
                if not repeatable:
                    raise
                is_repeat = True
        if reply is None:
            self.pool.refuse_if_closed()
            reply = await self._exchanged(await self._dialer.dial(self.pool.connection), request)
        if is_repeat:
            reply = replace(reply, is_repeat=True)
        self._heard(method, self._requests.path(path), reply)
        return reply

    def close(self) -> None:
        """Close every connection. Requests that wait for an answer raise OSError.

        One that is still connecting ends as soon as it is connected, or by its caller's time.
        """
        self.pool.close()
        self._dialer.close()

    async def _exchanged(self, connection: Connection, request: bytes) -> Reply:
        """Send a request on a connection, and give that back to the pool, or end it.

        If it was given up without a byte of an answer, connections that have been idle for longer
        may be as dead as this one, and nothing has said so: they are ended too.
        """
        began = self._loop.time()
        try:
            reply = await connection.send(request)
        except BaseException as error:
            if isinstance(error, asyncio.CancelledError) and connection.is_silent:
                self.pool.drop_idle(before=began)
            connection.end()
            raise
        self.pool.give_back(connection)
        return reply
