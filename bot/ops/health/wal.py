"""SQLite's log beside the database (`-wal`), which grows for as long as a reader holds it open."""

import asyncio
import logging
import sqlite3
from contextlib import closing
from pathlib import Path

from bot.clock import Clock
from bot.store.database.file import LOG_KEPT

log = logging.getLogger(__name__)

LOOK = 60.0
"""Seconds between two looks at its size."""
LARGE = 4 * LOG_KEPT
"""Bytes from which it is asked whether a reader holds it up. In play it stays below `LOG_KEPT`."""
MEBIBYTE = 2**20


class WalWatch:
    """A watch for a log that can't be emptied: it warns once, and again at each doubling."""

    def __init__(self, database: Path, clock: Clock) -> None:
        self._database = database
        self._wal = database.with_name(f"{database.name}-wal")
        self._clock = clock
        self._told = 0  # its bytes at the last warning

    async def run(self) -> None:
        """Watch the size of the log until cancelled."""
        while True:
            await self._clock.sleep(LOOK)
            try:
                await self._look()
            except (sqlite3.Error, OSError) as error:
                log.warning("size of %s unknown: %s", self._wal, error)

    async def _look(self) -> None:
        size = self._size()
        if size < LARGE:
            self._told = 0
        elif size >= 2 * self._told and await asyncio.to_thread(self._is_held):
            self._told = size
            log.warning(
                "%s has grown to %d MiB because a program keeps reading the database: close it, "
                "for example an open sqlite3 shell or a hanging backup",
                self._wal,
                size // MEBIBYTE,
            )

    def _size(self) -> int:
        """Return the size in bytes, 0 if there is no log."""
        return self._wal.stat().st_size if self._wal.exists() else 0

    def _is_held(self) -> bool:
        """Return whether a checkpoint cannot take all of the log into the database.

        The checkpoint waits for nobody and holds nobody up.
        """
        with closing(sqlite3.connect(self._database, timeout=0, isolation_level=None)) as db:
            ((is_busy, pages, taken),) = db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        return not is_busy and bool(taken < pages)
