"""Error messages for a database file that cannot be used.

Such a file is never replaced by an empty one.
"""

import errno
import re
import sqlite3
from glob import escape
from pathlib import Path
from shlex import quote

import aiosqlite

from bot.config import BACKUPS
from bot.store.database.absent import bare, unmounted
from bot.store.database.advice import LASTING, PASSING, advice, dangling, not_permitted, result_code

DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
FORBIDDEN = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM})
"""What SQLite says, among others, when it may not use a file."""


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


def refuse_to_start_empty(path: Path, backups: Path | None = None) -> None:
    """Raise DatabaseError if the file is missing or empty although there was a database before.

    It is a PassingError if its disk is known to be away: then nothing may be restored or begun in
    its place. `backups`: the folder of the daily backups, if it is not the one beside the database.
    """
    if (why := dangling(path)) is not None:
        raise PassingError(why)
    try:
        _refuse_to_start_empty(path, backups)
    except OSError as error:
        raise of_system(path, error) from None


def _refuse_to_start_empty(path: Path, backups: Path | None) -> None:
    if path.exists() and (not path.is_file() or path.stat().st_size):
        return
    log = path.with_name(f"{path.name}-wal")
    if copies := copies_of(path, backups):
        if (asked := unmounted(path, copies[-1])) is not None:
            raise PassingError(f"{asked} Only if it is lost for good: {_offer(copies)}")
        if (asked := bare(path)) is not None:
            raise DatabaseError(f"{asked} If it is: {_offer(copies)}")
        raise DatabaseError(f"{path} is missing or empty, but was in use before. {_offer(copies)}")
    if log.exists() and log.stat().st_size:
        raise DatabaseError(f"{path} is missing or empty, but its log {log} exists: put it back")


def refuse_what_is_not_there(path: Path) -> None:
    """Raise DatabaseError if there is no database. For commands that must not create one."""
    refuse_to_start_empty(path)
    if not path.exists():
        raise DatabaseError(f"{path} is not there")


async def look_for(db: aiosqlite.Connection, path: Path, backups: Path | None = None) -> None:
    """Check the file for damage. Raises DatabaseError if there is any."""
    async with db.execute("PRAGMA quick_check(1)") as cursor:
        rows = [str(row[0]) for row in await cursor.fetchall()]
    if rows != ["ok"]:
        raise _damaged(path, backups, "; ".join(rows))


def in_words(path: Path, error: sqlite3.DatabaseError, backups: Path | None = None) -> Exception:
    """Return the exception to raise for a SQLite error about the file.

    Errors that are neither damage nor temporary are bugs, and are returned as they are.
    """
    if result_code(error) in DAMAGED:
        return _damaged(path, backups, str(error))
    if not passes(error):
        return error
    return failed(f"{path} cannot be used", error, path)


def _damaged(path: Path, backups: Path | None, why: str) -> DatabaseError:
    copies = copies_of(path, backups)
    offer = _offer(copies) if copies else "There is no copy beside it and no backup."
    return DatabaseError(
        f"{path} is not a database or is damaged ({why}). It was left as it is: move it aside "
        f"before anything else. {offer}"
    )


def backup_name(database: Path, date: str) -> str:
    """Return the file name of a day's backup. `date`: ISO 8601."""
    return f"{database.stem}-{date}{database.suffix}"


def backups_in(folder: Path, database: Path, end: str = "") -> list[Path]:
    """Return the daily backups of a database, newest last. `end`: a suffix after the usual name."""
    any_day = "[0-9]" * 4 + "-[0-9][0-9]-[0-9][0-9]"
    return sorted(folder.glob(f"{escape(database.stem)}-{any_day}{escape(database.suffix)}{end}"))


def copies_of(path: Path, backups: Path | None = None) -> list[Path]:
    """Return all complete copies of a database, newest last: daily backups and pre-upgrade ones.

    Daily backups are looked for beside the database and in the configured folder.
    """
    folders = {path.parent / BACKUPS, backups or path.parent / BACKUPS}
    daily = (copy for folder in folders for copy in backups_in(folder, path))
    upgrade = re.compile(re.escape(path.name) + r"\.v\d+")  # `.v12.part` is incomplete
    upgrades = (copy for copy in path.parent.glob("*") if upgrade.fullmatch(copy.name))
    return sorted((*upgrades, *daily), key=lambda copy: copy.stat().st_mtime)


def _offer(copies: list[Path]) -> str:
    newest = copies[-1]
    command = f"python -m bot restore {quote(str(newest))}"
    return f"The newest copy is {newest}: restore it with `{command}`."
