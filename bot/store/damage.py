"""A database file that cannot be used, told in words. It is never replaced by an empty one."""

import errno
import os
import re
import sqlite3
from glob import escape
from pathlib import Path
from shlex import quote

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


class PassingError(DatabaseError):
    """The database cannot be used now, and may be later by itself: start again."""


PASSING_DISKS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.ESTALE})
"""Errors of a disk that is full, read-only or away for a while."""


def of_system(path: Path, error: OSError) -> DatabaseError:
    """Return the system's error about a path, in words for the operator."""
    kind = PassingError if error.errno in PASSING_DISKS else DatabaseError
    return kind(f"{path} cannot be used: {error}")


def passes(error: Exception) -> bool:
    """Whether the file may take later what it does not take now: it is locked, or the disk is
    full or can only be read.
    """
    return isinstance(error, sqlite3.Error) and _code(error) in PASSING


def told(error: Exception) -> str:
    """An error of SQLite's or of the system's in a line, with what to do where that is known."""
    asked = "make room on the disk, or see that it can be written, and try again"
    return f"{error} ({asked})" if isinstance(error, OSError) or passes(error) else str(error)


def refuse_to_start_empty(path: Path, backups: Path | None = None) -> None:
    """Where there was a database, a missing or empty file is a mistake, and no new beginning.

    `backups`: the folder of the daily ones, where it is not the one beside the database.
    """
    if path.exists() and (not path.is_file() or path.stat().st_size):
        return
    log = path.with_name(f"{path.name}-wal")
    if copies := copies_of(path, backups):
        raise DatabaseError(f"{path} is gone or empty, but it was there before. {_offer(copies)}")
    if log.exists() and log.stat().st_size:
        raise DatabaseError(f"{path} is gone or empty, but {log} belongs to it: bring it back")


def refuse_what_is_not_there(path: Path) -> None:
    """Raise DatabaseError when there is no database, and none to begin."""
    refuse_to_start_empty(path)
    if not path.exists():
        raise DatabaseError(f"{path} is not there")


async def look_for(db: aiosqlite.Connection, path: Path, backups: Path | None = None) -> None:
    """Raises DatabaseError when the file is damaged."""
    async with db.execute("PRAGMA quick_check(1)") as cursor:
        rows = [str(row[0]) for row in await cursor.fetchall()]
    if rows != ["ok"]:
        raise _damaged(path, backups, "; ".join(rows))


def in_words(path: Path, error: sqlite3.DatabaseError, backups: Path | None = None) -> Exception:
    """What SQLite says about the file, for who runs the bot; other errors are our own mistakes."""
    if _code(error) in DAMAGED:
        return _damaged(path, backups, str(error))
    if not passes(error):
        return error
    if _code(error) == sqlite3.SQLITE_READONLY and not os.access(path, os.W_OK):
        return DatabaseError(f"{path} cannot be written by this user: chown it to who runs the bot")
    return PassingError(f"{path} cannot be used: {told(error)}")


def _damaged(path: Path, backups: Path | None, why: str) -> DatabaseError:
    copies = copies_of(path, backups)
    offer = _offer(copies) if copies else "There is no copy of it beside it or among the backups."
    return DatabaseError(
        f"{path} is not a database or is damaged ({why}). It was left as it is: move it aside "
        f"before anything else. {offer}"
    )


def backup_name(database: Path, date: str) -> str:
    """What a day's backup is called. `date`: as in ISO 8601."""
    return f"{database.stem}-{date}{database.suffix}"


def backups_in(folder: Path, database: Path, end: str = "") -> list[Path]:
    """The daily backups of a database; the newest is the last. `end`: what their names end in."""
    any_day = "[0-9]" * 4 + "-[0-9][0-9]-[0-9][0-9]"
    return sorted(folder.glob(f"{escape(database.stem)}-{any_day}{escape(database.suffix)}{end}"))


def copies_of(path: Path, backups: Path | None = None) -> list[Path]:
    """Made before upgrades, and every day, wherever the settings have them; the newest is the
    last. Half a copy is none.
    """
    folders = {path.parent / BACKUPS, backups or path.parent / BACKUPS}
    daily = (copy for folder in folders for copy in backups_in(folder, path))
    upgrade = re.compile(re.escape(path.name) + r"\.v\d+")  # `.v12.part` is half a one
    upgrades = (copy for copy in path.parent.glob("*") if upgrade.fullmatch(copy.name))
    return sorted((*upgrades, *daily), key=lambda copy: copy.stat().st_mtime)


def _offer(copies: list[Path]) -> str:
    newest = copies[-1]
    command = f"python -m bot restore {quote(str(newest))}"
    return f"The newest copy is {newest}: `{command}` goes on from it."


def _code(error: sqlite3.Error) -> int:
    """Errors that sqlite3 itself raises have no code of SQLite's."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & PRIMARY
