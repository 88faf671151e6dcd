"""Connections that wait for a request. There is no limit on those in use.

Each press that is answered at this moment has one, and load shedding bounds those.
"""

import asyncio

from bot.ui.connection.lean_http.connection import Connection

KEEP_ALIVE = 120.0
"""Seconds after which an idle connection is closed: a new one costs round trips."""
MOST_IDLE = 128
"""Connections that may be idle; those of a larger burst are closed as they become free."""


class Pool:
    """The open connections of one client. The one used last is used next, so few stay warm."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._idle: dict[Connection, float] = {}  # when each was given back, the oldest first
        self._open: set[Connection] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._is_closed = False

    @property
    def idle(self) -> int:
        """The number of connections that wait for a request."""
        return len(self._idle)

    @property
    def open(self) -> int:
        """The number of connections, in use or idle."""
        return len(self._open)

    def connection(self) -> Connection:
        """Return the protocol of a connection that is about to be made."""
        return Connection(self)

    def opened(self, connection: Connection) -> None:
        self._open.add(connection)
        if self._is_closed:
            connection.end()

    def ended(self, connection: Connection) -> None:
        self._idle.pop(connection, None)
        self._open.discard(connection)

    def refuse_if_closed(self) -> None:
        """Raise ConnectionAbortedError after `close`."""
        if self._is_closed:
            raise ConnectionAbortedError("the client is closed")

    def take(self) -> Connection | None:
        """Return an idle connection; None if there is none that can be used."""
        while self._idle:
            connection, _ = self._idle.popitem()
            if connection.is_usable:
                return connection
            connection.end()
        return None

    def give_back(self, connection: Connection) -> None:
        """Keep a connection whose reply has been read, or close it."""
        connection.rest()
        if self._is_closed or not connection.is_usable or len(self._idle) >= MOST_IDLE:
            connection.end()
            return
        now = self._loop.time()
        self._idle[connection] = now
        if self._timer is None:
            self._timer = self._loop.call_at(now + KEEP_ALIVE, self._drop_old)

    def drop_idle(self, *, before: float) -> None:
        """End connections that have been idle since before this time of the loop."""
        for connection in [one for one, since in self._idle.items() if since < before]:
            del self._idle[connection]
            connection.end()

    def close(self) -> None:
        """Close every connection. Requests that still wait raise ConnectionResetError."""
        self._is_closed = True
        self._idle.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for connection in [*self._open]:
            connection.end()

    def _drop_old(self) -> None:
        self._timer = None
        now = self._loop.time()
        for connection, since in [*self._idle.items()]:
            if since + KEEP_ALIVE > now:
                self._timer = self._loop.call_at(since + KEEP_ALIVE, self._drop_old)
                return
            del self._idle[connection]
            connection.end()
