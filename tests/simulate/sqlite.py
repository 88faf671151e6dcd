"""aiosqlite without its thread: statements are carried out in the loop, on a real file."""

import asyncio
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Protocol, TypeVar
from weakref import WeakSet

import aiosqlite

from bot.store.database.query import TOGETHER
from tests.simulate.owner import PROCESS

T = TypeVar("T")


class Well:
    """A disk without faults: a statement takes a step of the loop, as with a thread."""

    async def before(self, connection: aiosqlite.Connection, statement: str) -> None:
        await asyncio.sleep(0)


class Disk(Protocol):
    """What stands between a simulated process and its file."""

    async def before(self, connection: aiosqlite.Connection, statement: str) -> None:
        """Awaited before each statement: takes its time, or raises what SQLite would."""


@dataclass
class _Mounted:
    disk: Disk = field(default_factory=Well)


mounted = _Mounted()
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
    statement = args[0] if args and isinstance(args[0], str) else function.__name__
    if statement == TOGETHER:
        return await _one_by_one(self, function, args[1])
    await mounted.disk.before(self, statement)
    return function(*args, **named)


async def _one_by_one(
    self: aiosqlite.Connection, function: Callable[..., T], statements: Iterable[tuple[str, Any]]
) -> T:
    """Carry out a thread's many statements as so many steps: a kill may come between two."""
    for same, group in groupby(statements, key=lambda one: one[0]):
        await mounted.disk.before(self, same)
        function(TOGETHER, [*group])
    return function(TOGETHER, [])


async def _connect(self: aiosqlite.Connection) -> aiosqlite.Connection:
    if self._connection is None:
        await mounted.disk.before(self, "open")
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
