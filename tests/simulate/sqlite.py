"""aiosqlite without its thread: statements are carried out in the loop, on a real file."""

import asyncio
from collections.abc import Callable, Generator
from typing import Any, TypeVar
from weakref import WeakSet

import aiosqlite

from tests.simulate.owner import PROCESS

T = TypeVar("T")


class Disk:
    """What stands between a simulated process and its file.

    `before` is awaited before each statement: it may take its time, or raise what SQLite would.
    """

    async def before(self, connection: aiosqlite.Connection) -> None:
        await asyncio.sleep(0)


disk = Disk()
"""The disk of the simulation that runs now."""
_OPEN: dict[int, WeakSet[aiosqlite.Connection]] = {}


def abandon(process: int) -> None:
    """Let go of the files of a process that was killed, once they have been copied."""
    for connection in _OPEN.pop(process, ()):
        _let_go(connection)


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
        _OPEN.setdefault(PROCESS.get(), WeakSet()).add(self)
    return self


def _await(self: aiosqlite.Connection) -> Generator[Any, None, aiosqlite.Connection]:
    return _connect(self).__await__()


def _let_go(self: aiosqlite.Connection) -> None:
    self._running = False
    if self._connection is not None:
        self._connection.close()
        self._connection = None


def _stop(self: aiosqlite.Connection) -> asyncio.Future[None]:
    _let_go(self)
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
