"""Errors of a database file, and which of them pass by themselves."""

import errno
import sqlite3
from pathlib import Path

DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
PASSING = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
    }
)
PRIMARY = 0xFF
"""Mask that reduces an extended SQLite result code to its primary one."""


class DatabaseError(Exception):
    """The database cannot be used as it is. The message says why, and what the operator can do."""


class PassingError(DatabaseError):
    """The database cannot be used now, but a later start may succeed without any repair."""


PASSING_DISKS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.ESTALE})
"""System errors from a disk that is full, read-only or temporarily unavailable."""


def of_system(path: Path, error: OSError) -> DatabaseError:
    """Return the exception to raise for a system error about a path."""
    kind = PassingError if error.errno in PASSING_DISKS else DatabaseError
    return kind(f"{path} cannot be used: {error}")


def passes(error: Exception) -> bool:
    """Return whether retrying later may succeed: the file is locked, the disk full or read-only."""
    return isinstance(error, sqlite3.Error) and code_of(error) in PASSING


def told(error: Exception) -> str:
    """Return a SQLite or system error as one line, with advice where there is any."""
    advice = "free some disk space or make the disk writable, then try again"
    return f"{error} ({advice})" if isinstance(error, OSError) or passes(error) else str(error)


def code_of(error: sqlite3.Error) -> int:
    """Return the primary result code; SQLITE_ERROR for errors raised by the sqlite3 module."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & PRIMARY
