"""Copies of the database: one that can be trusted, and one put back in its place."""

import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from bot.store.damage import DatabaseError
from bot.store.database import newest_schema, only_process

PART = ".part"
"""What a file is called while it is being written."""


def read_only(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing. Raises DatabaseError when there is no such file."""
    if not path.is_file():
        raise DatabaseError(f"{path} is not there")
    return sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)


def inspected(path: Path) -> int:
    """The schema of a whole database of this bot.

    Raises DatabaseError when it is damaged, somebody else's, or of a newer version.
    """
    try:
        with closing(read_only(path)) as db:
            ((schema,),) = db.execute("PRAGMA user_version").fetchall()
            (verdict, *_) = (text for (text,) in db.execute("PRAGMA integrity_check"))
            ours = db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'journal'").fetchone()
    except sqlite3.DatabaseError as error:
        raise DatabaseError(f"{path} cannot be read as a database: {error}") from None
    if verdict != "ok":
        raise DatabaseError(f"{path} is damaged: {verdict}")
    if not schema or ours is None:
        raise DatabaseError(f"{path} is no database of this bot")
    if schema > (newest := newest_schema()):
        raise DatabaseError(
            f"{path} was written by a newer version of the bot "
            f"(schema {schema}, this one knows {newest})"
        )
    return int(schema)


def back_up(database: Path, target: Path) -> int:
    """Copy a database that may be in use, verify the copy, and give it its name. Its size in bytes.

    It is one instant of the database, and no move waits for it: a reader never holds up the writer.
    """
    if target.exists():
        raise DatabaseError(f"{target} is already there: give the backup another name")
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + PART)
    part.unlink(missing_ok=True)
    try:
        _copy(database, part)
        _ = inspected(part)
        _to_disk(part)
        part.rename(target)
    except sqlite3.Error as error:
        raise DatabaseError(f"{database} could not be copied to {target}: {error}") from None
    finally:
        part.unlink(missing_ok=True)
    return target.stat().st_size


def restore(backup: Path, database: Path) -> Path | None:
    """Put a backup in the database's place. Returns where what was there is kept, if anything was.

    That is complete under its other name before the place is touched. Raises DatabaseError when
    the bot runs, or when the backup will not do; nothing has changed then.
    """
    with only_process(database):
        _ = inspected(backup)
        part = database.with_name(database.name + PART)
        part.unlink(missing_ok=True)
        back_up(backup, part)
        aside = _set_aside(database)
        part.rename(database)
        return aside


def _set_aside(database: Path) -> Path | None:
    """A second name for the file and its log. The log has to leave the place: SQLite would play
    it into whatever stands there next.
    """
    at = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    aside = database.with_name(f"{database.name}.replaced-{at}")
    there = [end for end in ("", "-wal") if database.with_name(database.name + end).exists()]
    for end in there:
        aside.with_name(aside.name + end).hardlink_to(database.with_name(database.name + end))
    for end in ("-wal", "-shm"):
        database.with_name(database.name + end).unlink(missing_ok=True)
    return aside if there else None


def _copy(source: Path, target: Path) -> None:
    """As a single file: a copy has no log beside it."""
    with closing(read_only(source)) as db, closing(sqlite3.connect(target)) as copy:
        db.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")


def _to_disk(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
