"""Signs that a database is missing because its disk is not mounted."""

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import quote

import aiosqlite

from bot.store.database.error_advice import MOUNT

NOTE = "mount"
"""The note that holds the database's mount point. Backups on another disk have it too."""


def mount_of(path: Path) -> Path:
    """Return the mount point of the disk that a file's folder is on."""
    folder = Path(os.path.realpath(path.parent))
    return next((one for one in (folder, *folder.parents) if os.path.ismount(one)), folder)


async def remember_mount(db: aiosqlite.Connection, path: Path) -> None:
    """Note where the database's disk is mounted, unless it is the system's own."""
    mount = mount_of(path)
    if mount == mount.parent:
        await db.execute("DELETE FROM notes WHERE key = ?", (NOTE,))
        return
    await db.execute(
        "INSERT INTO notes (key, value) VALUES (?, ?) ON CONFLICT (key) "
        "DO UPDATE SET value = excluded.value WHERE value <> excluded.value",
        (NOTE, str(mount)),
    )


def unmounted(path: Path, copy: Path) -> str | None:
    """Return a question about the disk if it was on a mount point that has none now.

    `path`: a missing database. `copy`: its newest copy, on another disk.
    """
    noted = None
    uri = f"file:{quote(str(copy))}?mode=ro"
    with suppress(sqlite3.Error), closing(sqlite3.connect(uri, uri=True)) as db:
        noted = db.execute("SELECT value FROM notes WHERE key = ?", (NOTE,)).fetchone()
    if noted is None:
        return None
    mount, folder = Path(noted[0]), Path(os.path.realpath(path.parent))
    if not folder.is_relative_to(mount) or os.path.ismount(mount):
        return None
    return f"{path} is missing, and {mount} is not mounted: {MOUNT}"


def bare(path: Path) -> str | None:
    """Return the same question if the folder is missing, or holds nothing but the lock file.

    A mount point without its disk looks like that, but so does a folder that somebody has emptied.
    """
    try:
        names = {file.name for file in path.parent.iterdir()}
    except (FileNotFoundError, NotADirectoryError):
        names = set()
    if names <= {path.name, path.name + ".lock"}:
        return f"{path} is missing, and so is everything else in its folder: {MOUNT}"
    return None
