"""Disks that are slow, that refuse, or that break, as SQLite says so."""

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

import aiosqlite

from tests.simulate.sqlite import mounted

Before: TypeAlias = Callable[[aiosqlite.Connection], Coroutine[Any, Any, None]]


class BrokenError(sqlite3.OperationalError):
    """The disk does not answer."""

    sqlite_errorcode = sqlite3.SQLITE_IOERR


@dataclass(frozen=True)
class Ill:
    """A disk that does this before each statement."""

    how: Before

    async def before(self, connection: aiosqlite.Connection, statement: str) -> None:
        await self.how(connection)


@contextmanager
def instead(how: Before) -> Iterator[None]:
    """Within this, the disk of every simulated process is ill."""
    ordinary, mounted.disk = mounted.disk, Ill(how)
    try:
        yield
    finally:
        mounted.disk = ordinary


async def busy(_: aiosqlite.Connection) -> None:
    """A disk that another program uses too: each statement takes its time."""
    await asyncio.sleep(0.06)


async def slow(_: aiosqlite.Connection) -> None:
    """A disk that is hardly there: each statement takes seconds."""
    await asyncio.sleep(2.5)


async def hanging(_: aiosqlite.Connection) -> None:
    """A disk that doesn't answer, and doesn't say so."""
    await asyncio.sleep(3600.0)


async def refusing(connection: aiosqlite.Connection) -> None:
    """A file that can be read and not written, or a disk without room: it looks the same."""
    if connection._connection is not None:
        connection._connection.execute("PRAGMA query_only = ON")
    await asyncio.sleep(0)


async def broken_half_way(connection: aiosqlite.Connection) -> None:
    """A disk that takes the beginning of a transaction, and nothing more: not even its end."""
    if connection.in_transaction:
        raise BrokenError("disk I/O error")
