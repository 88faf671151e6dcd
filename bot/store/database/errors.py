"""Errors of a database file, and which of them pass by themselves."""

import errno
import sqlite3
from pathlib import Path

from bot.store.database.error_advice import LASTING, PASSING, advice, result_code
from bot.store.database.path_faults import not_permitted

DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
FORBIDDEN = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM})
"""Result codes that may mean missing permissions."""


class DatabaseError(Exception):
    """The database cannot be used as it is. The message says why, and what the operator can do."""


class PassingError(DatabaseError):
    """The database cannot be used now, but a later start may succeed without any repair."""


def of_system(path: Path, error: OSError) -> DatabaseError:
    """Return the exception to raise for a system error about a path."""
    return failed(f"{path} cannot be used", error, path)


def failed(said: str, error: Exception, path: Path) -> DatabaseError:
    """Return the exception to raise when something with a database fails: `said`, why, and advice.

    It is a PassingError if a later try may succeed without any repair.
    """
    forbidden = isinstance(error, OSError | sqlite3.Error) and _is_refusal(error)
    if forbidden and (why := not_permitted(path)):
        return DatabaseError(why if why.startswith(f"{path} ") else f"{said}: {why}")
    step = advice(error)
    kind = DatabaseError if step is None or step in LASTING else PassingError
    return kind(f"{said}: {told(error)}")


def _is_refusal(error: OSError | sqlite3.Error) -> bool:
    """Return whether missing permissions may be the cause."""
    if isinstance(error, OSError):
        return error.errno in {errno.EACCES, errno.EPERM}
    return result_code(error) in FORBIDDEN


def passes(error: Exception) -> bool:
    """Return whether retrying later may succeed: the file is locked, the disk full or read-only."""
    return isinstance(error, sqlite3.Error) and result_code(error) in PASSING


def told(error: Exception) -> str:
    """Return a SQLite or system error as one line, with advice where there is any."""
    step = advice(error)
    return f"{error} ({step})" if step else str(error)
