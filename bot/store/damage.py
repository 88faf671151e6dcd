"""A database file that cannot be used, told in words. It is never replaced by an empty one."""

import sqlite3
from pathlib import Path

import aiosqlite

from bot.config import BACKUPS

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
"""What an extended result code of SQLite's has in common with its primary one."""


class DatabaseError(Exception):
    """The database cannot be used as it is. The message says why and what to do."""


def passes(error: Exception) -> bool:
    """Whether the file may take later what it does not take now: it is locked, or the disk is
    full or can only be read.
    """
    return isinstance(error, sqlite3.Error) and _code(error) in PASSING


def told(error: Exception) -> str:
    """An error of SQLite's or of the system's in a line, with what to do where that is known."""
    asked = "make room on the disk, or see that it can be written, and try again"
    return f"{error} ({asked})" if isinstance(error, OSError) or passes(error) else str(error)


def refuse_to_start_empty(path: Path) -> None:
    """Where there was a database, a missing or empty file is a mistake, and no new beginning."""
    if path.exists() and (not path.is_file() or path.stat().st_size):
        return
    log = path.with_name(f"{path.name}-wal")
    if copies := _copies(path):
        raise DatabaseError(f"{path} is gone or empty, but it was there before. {_offer(copies)}")
    if log.exists() and log.stat().st_size:
        raise DatabaseError(f"{path} is gone or empty, but {log} belongs to it: bring it back")


async def look_for(db: aiosqlite.Connection, path: Path) -> None:
    """Raises DatabaseError when the file is damaged."""
    async with db.execute("PRAGMA quick_check(1)") as cursor:
        rows = [str(row[0]) for row in await cursor.fetchall()]
    if rows != ["ok"]:
        raise _damaged(path, "; ".join(rows))


def in_words(path: Path, error: sqlite3.DatabaseError) -> Exception:
    """What SQLite says about the file, for who runs the bot; other errors are our own mistakes."""
    if _code(error) in DAMAGED:
        return _damaged(path, str(error))
    return DatabaseError(f"{path} cannot be used: {told(error)}") if passes(error) else error


def _damaged(path: Path, why: str) -> DatabaseError:
    copies = _copies(path)
    offer = _offer(copies) if copies else "There is no copy of it beside it."
    return DatabaseError(
        f"{path} is not a database or is damaged ({why}). It was left as it is: move it aside "
        f"before anything else. {offer}"
    )


def backup_name(database: Path, date: str) -> str:
    """What a day's backup is called. `date`: as in ISO 8601."""
    return f"{database.stem}-{date}{database.suffix}"


def backups_in(folder: Path, database: Path) -> list[Path]:
    """The daily backups of a database; the newest is the last."""
    any_day = "[0-9]" * 4 + "-[0-9][0-9]-[0-9][0-9]"
    return sorted(folder.glob(backup_name(database, any_day)))


def _copies(path: Path) -> list[Path]:
    """Made before upgrades, and every day; the newest is the last."""
    copies = [*path.parent.glob(f"{path.name}.v*"), *backups_in(path.parent / BACKUPS, path)]
    return sorted(copies, key=lambda copy: copy.stat().st_mtime)


def _offer(copies: list[Path]) -> str:
    return f"The newest copy is {copies[-1]}: `python -m bot restore {copies[-1]}` goes on from it."


def _code(error: sqlite3.Error) -> int:
    """Errors that sqlite3 itself raises have no code of SQLite's."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & PRIMARY
