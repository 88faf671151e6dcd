"""A copy of the database, put back in its place."""

from datetime import UTC, datetime
from pathlib import Path

from bot.store.copies import PART, back_up, inspected
from bot.store.database import only_process


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
