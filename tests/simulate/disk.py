"""The disk under a simulated process: slow, locked, full, read-only, or without power."""

import asyncio
import sqlite3
from dataclasses import dataclass

import aiosqlite

BUSY = 10.0
"""Seconds for which SQLite waits for a lock before it gives up."""


@dataclass
class Disk:
    """How the disk is now. `slow`: seconds that each statement takes; `locked_until`: loop time."""

    slow: float = 0.0
    locked_until: float = 0.0
    is_full: bool = False
    is_read_only: bool = False

    def well(self) -> None:
        self.slow, self.locked_until, self.is_full, self.is_read_only = 0.0, 0.0, False, False

    async def before(self, connection: aiosqlite.Connection, statement: str) -> None:
        """Take the time that a statement takes; raise what SQLite raises on such a disk."""
        await asyncio.sleep(self.slow)
        if not _writes(statement):
            return
        loop = asyncio.get_running_loop()
        if (wait := self.locked_until - loop.time()) > 0:
            await asyncio.sleep(min(wait, BUSY))
            if self.locked_until > loop.time():
                raise _error("database is locked", sqlite3.SQLITE_BUSY)
        if self.is_full:
            raise _error("database or disk is full", sqlite3.SQLITE_FULL)
        if self.is_read_only:
            raise _error("attempt to write a readonly database", sqlite3.SQLITE_READONLY)


def _writes(statement: str) -> bool:
    return statement.split(maxsplit=1)[:1] in (["INSERT"], ["UPDATE"], ["DELETE"], ["BEGIN"])


def _error(text: str, code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(text)
    error.sqlite_errorcode = code
    return error
