"""The database's file, which somebody may delete or replace while the bot plays on it."""

import asyncio
import logging
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import aiosqlite

from bot.clock import Clock
from bot.store.database.backup import OWNER_ONLY, PART, inspected, to_disk
from bot.store.database.errors import DatabaseError

log = logging.getLogger(__name__)

LOOK = 20.0
"""Seconds between two looks at the file."""
AGAIN = 10 * 60.0
"""Seconds between two copies while it is gone."""


class FileWatch:
    """A watch that logs once when the file at the database's path is no longer the open one.

    The system keeps the open file only until the bot ends, so its content is copied beside the
    path, and again as play goes on. `connection`: an open one, which is used for reading.
    `backups`: a folder for the copy if there is no place beside the path.
    """

    def __init__(
        self, database: Path, backups: Path, connection: aiosqlite.Connection, clock: Clock
    ) -> None:
        self._database = database
        self._folders = (database.parent, backups)
        self._connection = connection
        self._clock = clock
        self._open = _identity(database)
        self._name = ""  # of the copy, while the file is gone
        self._copied: float | None = None

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            await self._clock.sleep(LOOK)
            await self._look()

    async def last_copy(self) -> None:
        """Make a last copy if the file is gone. Called before the database is closed."""
        self._copied = None
        await self._look()

    async def _look(self) -> None:
        try:
            there = await asyncio.to_thread(_identity, self._database)
        except OSError:
            return  # a disk that answers nothing now has not lost the file
        if there == self._open:
            if self._name:
                log.warning("%s is back", self._database)
            self._name, self._copied = "", None
            return
        if not self._name:
            at = datetime.fromtimestamp(self._clock.wall(), UTC)
            self._name = f"{self._database.name}.rescued-{at:%Y%m%d-%H%M%S}"
            log.critical(
                "%s has been deleted or replaced: everything not yet copied is lost when the bot "
                "stops",
                self._database,
            )
        if self._copied is None or self._clock.now() - self._copied >= AGAIN:
            await self._copy()

    async def _copy(self) -> None:
        """Copy it into the first folder that takes it. If none does, the next look tries again."""
        for folder in self._folders:
            copy = folder / self._name
            level = logging.INFO if copy.exists() else logging.CRITICAL
            try:
                await self._copy_to(copy)
            except (sqlite3.Error, DatabaseError, OSError) as error:
                log.error("%s could not be copied to %s: %s", self._database, copy, error)  # noqa: TRY400
                continue
            self._copied = self._clock.now()
            log.log(level, "its content is now in %s: stop the bot and restore that file", copy)
            return

    async def _copy_to(self, copy: Path) -> None:
        part = copy.with_name(copy.name + PART)
        part.unlink(missing_ok=True)
        part.touch(OWNER_ONLY)
        try:
            with closing(sqlite3.connect(part, check_same_thread=False)) as target:
                await self._connection.backup(target)
                target.execute("PRAGMA journal_mode = DELETE")
            await asyncio.to_thread(inspected, part)
            to_disk(part)
            part.replace(copy)
        finally:
            part.unlink(missing_ok=True)


def _identity(path: Path) -> tuple[int, int] | None:
    """Return which file is at a path; None if there is none. Raises OSError if it isn't known."""
    try:
        there = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return there.st_dev, there.st_ino
