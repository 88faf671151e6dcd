"""Making a copy of the database that can be trusted: one instant, verified, and on the disk."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from bot.ownership import bot_user, give, make_folder
from bot.progress_reporting import Progress, parts, unwatched
from bot.store.database.errors import DatabaseError, failed, of_system
from bot.store.database.schema import newer, newest_schema

PART = ".part"
"""The suffix of a file that is still being written."""
OWNER_ONLY = 0o600
"""Permissions of a copy: it holds the seeds of running matches, and everybody's ids."""

PAGES = 1000
"""Pages copied at a time: 4 MB."""
STEPS = 100_000
"""SQLite instructions between two reports of a check: a few milliseconds."""
STEPS_A_ROW = 38
"""SQLite instructions per checked row, on average, in a database made by `bench`."""
COPY, CHECK = 1, 5
"""Roughly how long a copy takes, relative to its check."""


def read_only(path: Path) -> sqlite3.Connection:
    """Return a connection that changes nothing. Raises DatabaseError if there is no such file."""
    try:
        if path.is_dir():
            raise DatabaseError(f"{path} is a folder, not a database")
        if not path.is_file():
            raise DatabaseError(f"{path} does not exist")
    except OSError as error:
        raise of_system(path, error) from None
    return sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)


def schema_of(path: Path) -> int:
    """Return the schema number of a database that has been inspected."""
    with closing(read_only(path)) as db:
        ((schema,),) = db.execute("PRAGMA user_version").fetchall()
    return int(schema)


def inspected(path: Path, progress: Progress = unwatched) -> int:
    """Return the schema of a whole database of this bot.

    Raises DatabaseError when it is damaged, somebody else's, or of a newer version.
    """
    try:
        with closing(read_only(path)) as db:
            ((schema,),) = db.execute("PRAGMA user_version").fetchall()
            _watch(db, progress)
            (verdict, *_) = (text for (text,) in db.execute("PRAGMA integrity_check"))
            ours = db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'journal'").fetchone()
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
            raise KeyboardInterrupt from None  # it came within the progress handler
        raise failed(f"{path} cannot be read as a database", error, path) from None
    if verdict != "ok":
        raise DatabaseError(f"{path} is damaged: {verdict}")
    if not schema or ours is None:
        raise DatabaseError(f"{path} is not a database of this bot")
    if schema > (newest := newest_schema()):
        raise newer(path, schema, newest)
    return int(schema)


def _watch(db: sqlite3.Connection, progress: Progress) -> None:
    """Report how much of an integrity check SQLite has done, estimated by rows."""
    tables = "SELECT name FROM sqlite_schema WHERE type = 'table'"
    names = [name.replace('"', '""') for (name,) in db.execute(tables)]
    counts = [db.execute(f'SELECT count(*) FROM "{name}"').fetchone() for name in names]  # noqa: S608
    total = STEPS_A_ROW * sum(count for (count,) in counts)
    done = 0

    def looks() -> None:
        nonlocal done
        done += STEPS
        progress(min(done, total), total)

    progress(0, total)
    db.set_progress_handler(looks, STEPS)


def back_up(database: Path, target: Path, progress: Progress = unwatched) -> int:
    """Copy a database that may be in use, and verify the copy. Return its size in bytes.

    The copy is one instant of the database, and gets its name only once it is verified. No move
    waits for it, since a reader never holds up the writer. Root makes it for the owner of its
    folder, and a missing folder for the user who runs the bot. Raises DatabaseError.
    """
    try:
        if target.exists():
            raise DatabaseError(f"{target} already exists: choose another name for the backup")
        make_folder(target.parent, bot_user(database))
        return _verified(database, target, progress)
    except (sqlite3.Error, OSError) as error:
        raise failed(f"{database} could not be copied to {target}", error, database) from None


def _verified(database: Path, target: Path, progress: Progress) -> int:
    part = target.with_name(target.name + PART)
    part.unlink(missing_ok=True)
    try:
        copying, checking = parts(progress, COPY, CHECK)
        _copy(database, part, copying)
        _ = inspected(part, checking)
        give(part, bot_user(target))
        to_disk(part)
        part.rename(target)
    finally:
        part.unlink(missing_ok=True)
    return target.stat().st_size


def _copy(source: Path, target: Path, progress: Progress) -> None:
    """Copy into a single file: a copy has no log beside it.

    SQLite restarts a copy in steps whenever the bot writes, so that it might never end in play. An
    open read transaction keeps it at one instant.
    """

    def copied(_: int, left: int, total: int) -> None:
        progress(total - left, total)

    target.touch(OWNER_ONLY, exist_ok=False)
    with closing(read_only(source)) as db, closing(sqlite3.connect(target)) as copy:
        progress(0, 1)
        db.isolation_level = None
        db.execute("BEGIN")
        db.execute("SELECT 1 FROM sqlite_schema").fetchone()
        db.backup(copy, pages=PAGES, progress=copied)
        copy.execute("PRAGMA journal_mode = DELETE")


def to_disk(path: Path) -> None:
    """Flush a file to the disk. Windows does that only for one that is open for writing."""
    with path.open("r+b") as file:
        os.fsync(file.fileno())


# A match is the same in both, or was deleted since: numbers are never given twice.
_ALONE = """
    SELECT 1 FROM main.matches m
    LEFT JOIN newer.matches n ON n.id = m.id
    WHERE CASE WHEN n.id IS NULL
        THEN m.id > coalesce((SELECT seq FROM newer.sqlite_sequence WHERE name = 'matches'), 0)
        ELSE (n.guild, n.began, n.ended) <> (m.guild, m.began, m.ended) END
    LIMIT 1
"""


def holds_more(copy: Path, newer: Path) -> bool:
    """Return whether a copy holds a match that a newer one lacks and did not lose on purpose.

    Raises DatabaseError for a file that can't be read.
    """
    try:
        with closing(read_only(copy)) as db:
            if not _has_matches(db, "main"):
                return False
            db.execute("ATTACH ? AS newer", (f"file:{quote(str(newer))}?mode=ro",))
            if not _has_matches(db, "newer"):
                return bool(db.execute("SELECT 1 FROM main.matches LIMIT 1").fetchall())
            return bool(db.execute(_ALONE).fetchall())
    except sqlite3.Error as error:
        raise DatabaseError(f"{copy} cannot be compared with {newer}: {error}") from None


def _has_matches(db: sqlite3.Connection, schema: str) -> bool:
    """Return whether it is of a version that stores matches."""
    there = f"SELECT 1 FROM {schema}.sqlite_schema WHERE name = 'matches'"  # noqa: S608 our own
    return bool(db.execute(there).fetchall())
