"""A database file that is missing or damaged: refused, with the copy to restore named.

It is never replaced by an empty one.
"""

import sqlite3
from pathlib import Path

import aiosqlite

from bot.store.database.error_advice import result_code
from bot.store.database.errors import (
    DAMAGED,
    DatabaseError,
    PassingError,
    failed,
    of_system,
    passes,
)
from bot.store.database.known_backups import copies_of, offer
from bot.store.database.path_faults import dangling
from bot.store.database.unmounted_disk import bare, unmounted


def refuse_to_start_empty(path: Path, backups: Path | None = None) -> None:
    """Raise DatabaseError if the file is missing or empty although there was a database before.

    Also raised if the backups can't be looked through. It is a PassingError if the disk is known to
    be unmounted: then nothing may be restored or begun in its place.

    `backups`: the folder of the daily backups, if it is not the one beside the database.
    """
    if (why := dangling(path)) is not None:
        raise PassingError(why)
    try:
        if not is_missing(path):
            return
    except OSError as error:
        raise of_system(path, error) from None
    log = path.with_name(f"{path.name}-wal")
    try:
        copies = copies_of(path, backups)
    except OSError as error:
        raise DatabaseError(
            f"{path} is missing or empty, and its backups cannot be listed: {error}. "
            "Let the bot read that folder, or set BACKUP_PATH to another one"
        ) from None
    if copies:
        if (asked := unmounted(path, copies[-1])) is not None:
            raise PassingError(f"{asked} Only if it is lost for good: {offer(copies)}")
        if (asked := bare(path)) is not None:
            raise DatabaseError(f"{asked} If it is: {offer(copies)}")
        raise DatabaseError(f"{path} is missing or empty, but was in use before. {offer(copies)}")
    if log.exists() and log.stat().st_size:
        raise DatabaseError(f"{path} is missing or empty, but its log {log} exists: put it back")


def is_missing(path: Path) -> bool:
    """Return whether a database would be made at this path."""
    return not path.exists() or (path.is_file() and not path.stat().st_size)


def refuse_if_missing(path: Path, backups: Path | None = None) -> None:
    """Raise DatabaseError if there is no database. For commands that must not create one."""
    refuse_to_start_empty(path, backups)
    if not path.exists():
        raise DatabaseError(f"{path} does not exist")


async def check_for_damage(
    db: aiosqlite.Connection, path: Path, backups: Path | None = None
) -> None:
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
    return DatabaseError(
        f"{path} is not a database or is damaged ({why}). Nothing was changed: move it aside "
        f"before you do anything else. {_offered(path, backups)}"
    )


def _offered(path: Path, backups: Path | None) -> str:
    try:
        copies = copies_of(path, backups)
    except OSError as error:
        return f"Its backups cannot be listed: {error}."
    return offer(copies) if copies else "There is no copy beside it and no backup."
