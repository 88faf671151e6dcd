"""The bot's needs of the machine it runs on."""

import os
import shutil
import sqlite3
import stat
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from shlex import quote

from bot.groups.lease.refusals import one_of_several
from bot.ops.check.finding import Finding, fix, later, ok
from bot.ops.check.folders import refusal
from bot.ops.daily_backups import DailyBackups
from bot.ops.health.wall_clock import REMEDY, WRONG, how_wrong
from bot.settings.home import command
from bot.store.database.backup import inspected
from bot.store.database.errors import DatabaseError, PassingError, told
from bot.store.database.known_backups import is_whole
from bot.store.database.missing_or_damaged import is_missing, refuse_to_start_empty
from bot.store.database.path_faults import dangling, nearest, not_permitted
from bot.store.database.schema import newest_schema
from bot.store.groups.group_file import group_of
from bot.store.groups.moved import moved
from bot.store.groups.part import part_of

ROOM = 200 * 2**20
"""Bytes: an evening's log and the copy before an upgrade fit, several times over."""
STALE = 2
"""Days without a backup after which it is worth a look."""


def database(path: Path, backups: Path | None = None, *, is_group: bool = False) -> Finding:
    """Judge the database as a start would.

    `backups`: the folder of the daily backups; `is_group`: the bot is several processes.
    """
    why = dangling(path) or not_permitted(path) or moved(path)
    if (why := why or (None if is_group else _of_a_group(path))) is not None:
        return fix("database", why)
    try:
        refuse_to_start_empty(path, backups)
        if (why := refusal(path.parent)) is not None:
            return fix("database", why)
        if is_missing(path):
            return later("database", f"the first start creates {path}")
    except DatabaseError as error:
        return fix("database", str(error))
    try:
        schema = inspected(path)
    except PassingError as error:
        return fix("database", str(error))
    except DatabaseError as error:
        return fix("database", f"{error}; `{command()} restore FILE` puts a backup in its place")
    if (why := _unwritable(path, schema)) is not None:
        return fix("database", f"{path} cannot be written: {why}")
    if _is_open_to_all(path):
        said = "contains tokens and seeds, and every user of this machine can read it"
        return fix("database", f"{path} {said}: chmod o-rwx {quote(str(path))}*")
    if schema < newest_schema():
        return later("database", f"{path} is intact; the next start upgrades it")
    return ok("database", f"{path} is intact")


def _of_a_group(path: Path) -> str | None:
    refused = one_of_several(path, group_of(path), part_of(path))
    return str(refused) if refused is not None else None


def backup_command(command: Sequence[str]) -> tuple[Finding, ...]:
    """Return a finding for a BACKUP_COMMAND that can't be run."""
    if not command or shutil.which(command[0]) is not None:
        return ()
    return (fix("backups", f"BACKUP_COMMAND: {command[0]} is not a program that can be run"),)


def settings(file: Path) -> Finding:
    """Return where settings come from. `file`: the settings file of this installation."""
    if file.is_file():
        return ok("settings", f"{file}, and the environment before it")
    return ok("settings", f"the environment; {file} is not there")


def log_file(path: Path | None) -> tuple[Finding, ...]:
    """Judge the log file: open to all, or closed to the bot. `path`: LOG_FILE, if it is set."""
    if path is None:
        return ()
    if (why := refusal(path.parent) or not_permitted(path)) is not None:
        return (fix("log", why),)
    if not path.exists() or not _is_open_to_all(path):
        return ()
    said = "contains names, and every user of this machine can read it"
    return (fix("log", f"{path} {said}: chmod o-rwx {quote(str(path))}*"),)


def _is_open_to_all(path: Path) -> bool:
    """Return whether any user may read or write it. Windows has other permissions."""
    return os.name == "posix" and bool(path.stat().st_mode & stat.S_IRWXO)


def _unwritable(path: Path, schema: int) -> str | None:
    """Return why the file can't be written to; None if it can, or the bot is just writing.

    The file stays as it is.
    """
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("BEGIN IMMEDIATE")
            db.execute(f"PRAGMA user_version = {schema}")
            db.execute("ROLLBACK")
    except sqlite3.OperationalError as error:
        return None if "locked" in str(error) else told(error)
    return None


def disk(path: Path, room: int = ROOM) -> Finding:
    """Check for room for the database three times: itself, a copy, and a backup being made."""
    folder = nearest(path)
    size = path.stat().st_size if os.access(path, os.F_OK) else 0
    free = shutil.disk_usage(folder).free
    said = f"{free // 2**20} MiB free in {folder}"
    if free < 3 * size + room:
        return fix(
            "disk", f"{said}: free up space until there are {(3 * size + room) // 2**20} MiB"
        )
    return ok("disk", said)


def backups(daily: DailyBackups, *, kept: int, now: float) -> Finding:
    if not kept:
        return ok("backups", "turned off (BACKUPS_KEPT)")
    if (why := refusal(daily.folder)) is not None:
        return fix("backups", f"none can be made: {why}")
    try:
        there, bad = daily.of_this_database, daily.unreadable
    except OSError as error:
        return fix("backups", f"none can be made: {error}")
    if bad:
        return fix("backups", f"{bad[0]} is not a readable backup: move it elsewhere")
    if not there:
        return later("backups", "the running bot makes one per day")
    newest = there[0]
    if not is_whole(newest):
        return fix("backups", f"{newest} is damaged: move it elsewhere")
    days = (now - newest.stat().st_mtime) / 86400
    if days > STALE:
        said = f"the newest, {newest}, is {days:.0f} days old"
        return fix("backups", f"{said}: is the bot running? If it is, its log says why")
    return ok("backups", f"{len(there)} found, the newest is {newest}")


def clock(date: str, now: float) -> Finding:
    """Compare the machine's clock with Discord's.

    `date`: the Date header of Discord's answer, exact to a second. `now`: Unix time.
    """
    ahead = now - parsedate_to_datetime(date).replace(tzinfo=UTC).timestamp()
    if abs(ahead) > WRONG:
        said = f"{how_wrong(ahead)} ({datetime.fromtimestamp(now, UTC):%H:%M} UTC)"
        return fix("clock", f"{said}: {REMEDY}")
    return ok("clock", "agrees with Discord's")
