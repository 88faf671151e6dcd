"""A copy of the database, put back in its place."""

import shutil
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from bot.ownership import bot_user, give
from bot.progress_reporting import Progress, parts, unwatched
from bot.store.database.backup import (
    CHECK,
    COPY,
    OWNER_ONLY,
    PART,
    back_up,
    inspected,
    to_disk,
)
from bot.store.database.errors import DatabaseError, failed
from bot.store.database.lock import only_process
from bot.store.groups.group_file import group_of


def restore(backup: Path, database: Path, progress: Progress = unwatched) -> Path | None:
    """Put a backup in the database's place. Return the path at which the old file is kept, if any.

    The old file has its new name before its place is touched. Raises DatabaseError while the bot
    runs, if the backup can't be used, or if it is another group's; then nothing has changed.
    """
    with only_process(database):
        looking, copying = parts(progress, CHECK, COPY + CHECK)
        _ = inspected(backup, looking)
        _refuse_another_group(backup, database)
        part = database.with_name(database.name + PART)
        part.unlink(missing_ok=True)
        back_up(backup, part, copying)
        aside = database.with_name(f"{database.name}.replaced-{_now()}")
        try:
            _owned_like(database, part)
            is_kept = _set_aside(database, aside)
            part.replace(database)
        except OSError as error:
            _put_back(database, aside)
            part.unlink(missing_ok=True)
            raise failed(f"{database} was not replaced", error, database) from None
        return aside if is_kept else None


def _refuse_another_group(backup: Path, database: Path) -> None:
    """Raise DatabaseError if a bot of several processes would get another one's servers here."""
    theirs, ours = group_of(backup), group_of(database)
    if theirs is not None and ours is not None and theirs.number != ours.number:
        raise DatabaseError(
            f"{backup} is of group {theirs.number}, and {database} of group {ours.number}: "
            f"restore a backup of the same group, or move {database} away first"
        )


def _now() -> str:
    return datetime.now(UTC).strftime("%Y%m%d-%H%M%S")


def _owned_like(database: Path, part: Path) -> None:
    """Give the new file the permissions of the database that it replaces, and to who runs the bot.

    Group and others keep theirs. The owner can read and write it, whatever was wrong before.
    """
    if database.exists():
        part.chmod(database.stat().st_mode & 0o777 | OWNER_ONLY)
    give(part, bot_user(database))


def _set_aside(database: Path, aside: Path) -> bool:
    """Give the file and its log a second name. Return whether there were any.

    The log has to leave the place: SQLite would play it into whatever stands there next.
    """
    there = [end for end in ("", "-wal") if database.with_name(database.name + end).exists()]
    user = bot_user(database)
    for end in there:
        kept = aside.with_name(aside.name + end)
        _keep(database.with_name(database.name + end), kept)
        give(kept, user)
    for end in ("-wal", "-shm"):
        database.with_name(database.name + end).unlink(missing_ok=True)
    return bool(there)


def _put_back(database: Path, aside: Path) -> None:
    """Take a second name away again, and put the log back beside the file."""
    log, kept = (file.with_name(file.name + "-wal") for file in (database, aside))
    with suppress(OSError):
        if kept.exists() and not log.exists():
            kept.replace(log)
        for file in (kept, aside) if database.exists() else ():
            file.unlink(missing_ok=True)


def _keep(file: Path, aside: Path) -> None:
    """Give a file another name, or copy it where a file has one name only."""
    try:
        aside.hardlink_to(file)
    except OSError:
        part = aside.with_name(aside.name + PART)
        try:
            shutil.copyfile(file, part)
            to_disk(part)
            shutil.copystat(file, part)
            part.rename(aside)
        finally:
            part.unlink(missing_ok=True)
