"""The note in a database that a split or merge has moved its servers to others."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from bot.store.database.backup import read_only
from bot.store.database.errors import DatabaseError, failed
from bot.store.database.file import Database
from bot.store.database.query import first

KEY = "moved"
"""Of the row in `notes`, which no new file gets: a day, the names of the files, their folder."""
_MARK = "INSERT OR REPLACE INTO notes (key, value) VALUES (?, ?)"
_MOVED = "SELECT value FROM notes WHERE key = ?"
_CLEAR = "DELETE FROM notes WHERE key = ?"


def mark_moved(database: Path, files: Sequence[Path]) -> None:
    """Note in a stopped bot's database that these files have taken its place.

    Raises DatabaseError if it can't be written to: the files are complete all the same.
    """
    names = ", ".join(one.name for one in files)
    value = f"{datetime.now(UTC):%Y-%m-%d} {names} in {files[0].absolute().parent}"
    try:
        with closing(sqlite3.connect(database)) as db, db:
            db.execute(_MARK, (KEY, value))
    except sqlite3.Error as error:
        said = f"the new files are complete, but {database} could not be marked as moved"
        raise failed(f"{said} (move it away)", error, database) from None


def moved(database: Path) -> str | None:
    """Return why a database that was moved is not to be started; None if it wasn't."""
    value = _read(database)
    return None if value is None else _said(database, value)


def refuse_to_move_again(databases: Sequence[Path]) -> None:
    """Raise DatabaseError if one of these databases was moved: its servers are in others now."""
    for database in databases:
        if (value := _read(database)) is not None:
            raise DatabaseError(
                f"{_moved(database, value)}: every server would be in two files, without what was "
                "played since. Use those; or, if they no longer count, delete them and repeat "
                "the command with --again"
            )


def _read(database: Path) -> str | None:
    try:
        with closing(read_only(database)) as db:
            found = db.execute(_MOVED, (KEY,)).fetchone()
    except (DatabaseError, sqlite3.Error):
        return None  # other checks find what is wrong with it
    return None if found is None else str(found[0])


async def refuse_moved(database: Database, path: Path, *, takes_over: bool) -> bool:
    """Return whether the database was moved, and is in use again: the operator says so.

    Raises DatabaseError if it was moved and the operator doesn't.
    """
    found = await first(database.reading, _MOVED, (KEY,))
    if found is not None and not takes_over:
        raise DatabaseError(_said(path, found[0]))
    if found is not None:
        await database.writing.execute(_CLEAR, (KEY,))
    return found is not None


def _said(database: Path, value: str) -> str:
    return (
        f"{_moved(database, value)}: start those. To go on with this file instead, stop them, and "
        "start it once with --take-over"
    )


def _moved(database: Path, value: str) -> str:
    day, _, names = value.partition(" ")
    return f"{database} was moved to {names} on {day}"
