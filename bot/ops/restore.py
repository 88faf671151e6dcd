"""A copy of the database, put back in its place."""

import os
import shutil
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from bot.progress import Progress, parts, unwatched
from bot.store.database.backup import CHECK, COPY, PART, back_up, inspected, to_disk
from bot.store.database.errors import DatabaseError, told
from bot.store.database.lock import only_process


def restore(backup: Path, database: Path, progress: Progress = unwatched) -> Path | None:
    """Put a backup in the database's place. Returns where what was there is kept, if anything was.

    That is complete under its other name before the place is touched. Raises DatabaseError when
    the bot runs, or when the backup will not do; nothing has changed then.
    """
    with only_process(database):
        looking, copying = parts(progress, CHECK, COPY + CHECK)
        _ = inspected(backup, looking)
        part = database.with_name(database.name + PART)
        part.unlink(missing_ok=True)
        back_up(backup, part, copying)
        try:
            _owned_like(database, part)
            aside = _set_aside(database)
            part.rename(database)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise DatabaseError(f"{database} was not replaced: {told(error)}") from None
        return aside


def _owned_like(database: Path, part: Path) -> None:
    """Give the new file the permissions and the owner of the database that it replaces.

    If there is none, give it the owner of the folder. So whoever runs the bot can use it, even if
    somebody else restores it. Without the right to give files away the owner stays.
    """
    there = database if database.exists() else database.parent
    like = there.stat()
    if there is database:
        part.chmod(like.st_mode & 0o777)
    if hasattr(os, "chown"):
        with suppress(PermissionError):  # only root gives files away
            os.chown(part, like.st_uid, like.st_gid)


def _set_aside(database: Path) -> Path | None:
    """Give the file and its log a second name, and clear their place. Return that name.

    None if there is neither. The log has to leave: SQLite would play it into whatever stands there
    next.
    """
    at = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    aside = database.with_name(f"{database.name}.replaced-{at}")
    there = [end for end in ("", "-wal") if database.with_name(database.name + end).exists()]
    for end in there:
        _kept(database.with_name(database.name + end), aside.with_name(aside.name + end))
    for end in ("-wal", "-shm"):
        database.with_name(database.name + end).unlink(missing_ok=True)
    return aside if there else None


def _kept(file: Path, aside: Path) -> None:
    """Give a file another name, or copy it where a file has one name only."""
    try:
        aside.hardlink_to(file)
    except OSError:
        part = aside.with_name(aside.name + PART)
        shutil.copy2(file, part)
        to_disk(part)
        part.rename(aside)
