"""aiosqlite without its thread: statements are carried out in the loop, on a real file."""

import asyncio
from collections.abc import Callable, Generator
from typing import Any, TypeVar

import aiosqlite

T = TypeVar("T")


class Disk:
    """What stands between a simulated process and its file.

    `before` is awaited before each statement: it may take its time, or raise what SQLite would.
    """

    async def before(self, connection: aiosqlite.Connection) -> None:
        await asyncio.sleep(0)


disk = Disk()
"""The disk of the simulation that runs now."""


async def _execute(
    self: aiosqlite.Connection, function: Callable[..., T], *args: Any, **named: Any
) -> T:
    if not self._running or self._connection is None:
        raise ValueError("Connection closed")
    await disk.before(self)
    return function(*args, **named)


async def _connect(self: aiosqlite.Connection) -> aiosqlite.Connection:
    if self._connection is None:
        await disk.before(self)
        self._connection = self._connector()
    return self


def _await(self: aiosqlite.Connection) -> Generator[Any, None, aiosqlite.Connection]:
    return _connect(self).__await__()


def _stop(self: aiosqlite.Connection) -> asyncio.Future[None]:
    self._running = False
    if self._connection is not None:
        self._connection.close()
        self._connection = None
    future: asyncio.Future[None] = asyncio.get_event_loop().create_future()
    future.set_result(None)
    return future


DIRECT: dict[str, Any] = {
    "_execute": _execute,
    "_connect": _connect,
    "__await__": _await,
    "stop": _stop,
}
"""What replaces the methods of `aiosqlite.Connection` that talk to its thread."""
