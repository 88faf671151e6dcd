"""The backups and other copies of a database: their names, whose they are, and the newest one.

A file's time says nothing about its content: `cp` makes an old copy the latest file.
"""

import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from bot.settings.config import BACKUPS
from bot.settings.home import command
from bot.store.database.backup import inspected, read_only
from bot.store.database.errors import DatabaseError

_MOMENTS = (
    ("journal", "SELECT coalesce(max(at), 0) FROM journal"),
    ("matches", "SELECT coalesce(max(ended), 0) FROM matches"),
)
"""Queries for the time of the newest entry, with the table that each needs."""


@dataclass(frozen=True, slots=True)
class BackupContent:
    """The content of a copy.

    `id`: its database's id; 0 if it was made before databases had one. `newest`: the time of its
    newest entry, in Unix ms.
    """

    id: int
    newest: int


def backup_name(database: Path, date: str, number: int = 1) -> str:
    """Return the file name of a day's backup. `date`: ISO 8601. `number`: of that day."""
    more = f"-{number}" if number > 1 else ""
    return f"{database.stem}-{date}{more}{database.suffix}"


def backups_in(folder: Path, database: Path, end: str = "") -> list[Path]:
    """Return the daily backups of databases with this name, newest date last.

    `end`: a suffix after the usual name.

    Raises OSError for a folder that exists but can't be listed, where pathlib's `glob` would find
    nothing.
    """
    stem, suffix = re.escape(database.stem), re.escape(database.suffix)
    daily = re.compile(rf"{stem}-(\d{{4}}-\d\d-\d\d)(?:-(\d+))?{suffix}{re.escape(end)}")
    found = [(match, name) for name in _names(folder) if (match := daily.fullmatch(name))]
    found.sort(key=lambda one: (one[0][1], int(one[0][2] or 1)))
    return [folder / name for _, name in found]


def _names(folder: Path) -> list[str]:
    try:
        return [file.name for file in folder.iterdir()]
    except (FileNotFoundError, NotADirectoryError):
        return []


def content_of(path: Path) -> BackupContent | None:
    """Return the content of a copy; None if it can't be read or is no database of this bot.

    It isn't checked for damage further inside: see `is_whole`.
    """
    try:
        with closing(read_only(path)) as db:
            ((own,),) = db.execute("PRAGMA application_id").fetchall()
            tables = {name for (name,) in db.execute("SELECT name FROM sqlite_schema")}
            if "journal" not in tables:
                return None
            moments = [db.execute(sql).fetchone()[0] for name, sql in _MOMENTS if name in tables]
    except (sqlite3.Error, DatabaseError):
        return None
    return BackupContent(own, max(moments))


def is_whole(path: Path) -> bool:
    """Return whether all of a copy can be read."""
    try:
        inspected(path)
    except DatabaseError:
        return False
    return True


def copies_of(path: Path, backups: Path | None = None) -> list[Path]:
    """Return all complete copies of a database, the one to restore first at the end.

    They are daily backups, pre-upgrade copies, and what was rescued or set aside. Daily backups are
    looked for beside the database and in the configured folder. Raises OSError for a folder that
    cannot be listed.
    """
    folders = dict.fromkeys((path.parent / BACKUPS, backups or path.parent / BACKUPS))
    daily = (copy for folder in folders for copy in backups_in(folder, path))
    kept = re.compile(re.escape(path.name) + r"\.(v\d+|(replaced|rescued)-[\d-]+)")
    kept_in = (path.parent, *folders)
    others = (place / name for place in kept_in for name in _names(place) if kept.fullmatch(name))
    return sorted((*others, *daily), key=lambda copy: _rank(path, copy))


def _rank(path: Path, copy: Path) -> tuple[bool, int, str, int]:
    """Return the sort key of a copy, higher for one to be restored sooner.

    A copy that was replaced on purpose comes last. The others are ordered by their newest entry,
    then by the date in the name, then by the version of a pre-upgrade copy.
    """
    inside, date = content_of(copy), re.search(r"-(\d{4}-\d\d-\d\d(-\d+)?)", copy.name)
    is_aside = copy.name.startswith(f"{path.name}.replaced-")
    newest = inside.newest if inside is not None else -1
    version = re.search(r"\.v(\d+)$", copy.name)
    return not is_aside, newest, date[1] if date else "", int(version[1]) if version else 0


def offer(copies: list[Path]) -> str:
    """Return the sentence that tells an operator which copy to restore.

    `copies`: in the order of `copies_of`.
    """
    newest = next((copy for copy in reversed(copies) if is_whole(copy)), None)
    if newest is None:
        named = ", ".join(map(str, copies))
        return f"No copy of it is intact: {named}. Replace it with one from another machine."
    restoring = f"{command()} restore {quote(str(newest))}"
    return f"The newest copy is {newest}: restore it with `{restoring}`."
