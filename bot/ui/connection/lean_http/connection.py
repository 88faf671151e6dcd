"""One connection: one request at a time, and no other answer than its own."""

import asyncio
from typing import Protocol, cast

from bot.ui.connection.lean_http.answer_parser import AnswerParser
from bot.ui.connection.lean_http.replies import Reply
from bot.ui.limits.answers import UnreadableAnswerError

BEFORE, WITHIN = "connection broken off before the answer", "connection broken off in the answer"


class UnansweredError(ConnectionResetError):
    """The connection ended before a byte of the answer came."""


class Owner(Protocol):
    """The owner of connections: each is opened once, and ended once after that."""

    def opened(self, connection: "Connection") -> None: ...
    def ended(self, connection: "Connection") -> None: ...


class Connection(asyncio.Protocol):
    """A connection that is open, or has ended.

    Whatever arrives while no request waits ends it: it could be read as the next one's answer. So
    does an answer that came before its request was sent to the end, as far as the transport knows:
    TLS may have more on its way.
    """

    def __init__(self, owner: Owner) -> None:
        self._owner = owner
        self._parser = AnswerParser()
        self._loop = asyncio.get_running_loop()
        self._waiter: asyncio.Future[Reply] | None = None
        self._is_over = False
        self._is_tls = False

    @property
    def is_usable(self) -> bool:
        """True if another request may be sent."""
        return not (self._is_over or self._transport.is_closing())

    @property
    def is_silent(self) -> bool:
        """True if no byte of an answer to the last request has come."""
        return not self._parser.received

    def send(self, request: bytes) -> asyncio.Future[Reply]:
        """Send a request, all of it at once, and return its reply to come.

        The future raises UnansweredError, ConnectionResetError or UnreadableAnswerError. Whoever
        meets one of them, or gives up waiting, must call `end`. Raises UnansweredError at once if
        the server has closed the connection already.
        """
        if not self.is_usable:
            raise UnansweredError(BEFORE)
        self._parser.begin()
        self._waiter = waiter = self._loop.create_future()
        self._transport.write(request)
        return waiter

    def rest(self) -> None:
        """Keep nothing of the reply, which has been read."""
        self._waiter = None
        self._parser.begin()

    def end(self) -> None:
        """Close the connection. A request that still waits raises when that is done.

        Nothing is waited for: neither TLS's farewell nor a server that doesn't read.
        """
        self._is_over = True
        if self._is_tls or self._transport.get_write_buffer_size():
            self._transport.abort()
        else:
            self._transport.close()

    def give_up(self) -> None:
        """End a connection at once, which perhaps was never made."""
        self._is_over = True
        if (transport := getattr(self, "_transport", None)) is not None:
            transport.abort()
        self._owner.ended(self)

    # -- called by the event loop -------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._is_tls = transport.get_extra_info("ssl_object") is not None
        self._owner.opened(self)

    def data_received(self, data: bytes) -> None:
        waiter, parser = self._waiter, self._parser
        if waiter is None or waiter.done():
            self.end()
            return
        try:
            parser.feed(data)
        except UnreadableAnswerError as error:
            waiter.set_exception(error)
            return
        if parser.reply is not None:
            self._is_over = parser.is_last or self._transport.get_write_buffer_size() > 0
            waiter.set_result(parser.reply)

    def eof_received(self) -> None:
        """End: a server that sends no more closes. Returning nothing closes our side too."""
        self._is_over = True
        if self._waits:
            try:
                self._parser.finish()
            except UnreadableAnswerError as error:
                self._fail(error)
                return
            if self._parser.reply is not None and self._waiter is not None:
                self._waiter.set_result(self._parser.reply)
        self._fail(None)

    def connection_lost(self, error: Exception | None) -> None:
        self._is_over = True
        self._fail(error)
        self._owner.ended(self)

    @property
    def _waits(self) -> bool:
        return self._waiter is not None and not self._waiter.done()

    def _fail(self, cause: Exception | None) -> None:
        """Raise in the request that waits, if one does."""
        if self._waiter is None or self._waiter.done():
            return
        error: Exception
        if isinstance(cause, UnreadableAnswerError):
            error = cause
        elif self._parser.received:
            error = ConnectionResetError(WITHIN)
        else:
            error = UnansweredError(BEFORE)
        error.__cause__ = None if error is cause else cause
        self._waiter.set_exception(error)
