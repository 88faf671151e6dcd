"""Faults of the lean HTTP client, to be planted."""

from bot.ui.connection.lean_http.client import LeanClient
from bot.ui.connection.lean_http.connection import Connection
from bot.ui.connection.lean_http.replies import Reply


def leaves_open() -> None:
    """The client's connections are not closed when the bot stops.

    Breaks: a stop ends with exit code 0.
    """
    LeanClient.close = lambda self: None  # type: ignore[method-assign]


def reads_anothers_answer() -> None:
    """The connection of a request that was given up is used again, with its answer still to come.

    Breaks: every panel and every table's message show the newest state.
    """
    ordinary = Connection.data_received

    async def exchanged(self: LeanClient, connection: Connection, request: bytes) -> Reply:
        try:
            return await connection.send(request)
        finally:
            self.pool.give_back(connection)

    def data_received(self: Connection, data: bytes) -> None:
        if self._waits:
            ordinary(self, data)

    LeanClient._exchanged = exchanged  # type: ignore[method-assign]
    Connection.data_received = data_received  # type: ignore[method-assign]
