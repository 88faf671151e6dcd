"""A backup a day, made by the running bot, and those removed that newer ones stand for."""

import asyncio
import logging
import os
from datetime import UTC, datetime
from pathlib import Path

from bot.clock import Clock
from bot.store.database.backup import PART, back_up, holds_more
from bot.store.database.errors import DatabaseError, backup_name, backups_in

log = logging.getLogger(__name__)

LOOK = 60 * 60.0
"""Seconds between two looks whether today's is there. One that failed is so tried again."""


class DailyBackup:
    """The daily backups in a folder, each named `<database name>-<UTC date>`.

    The newest `kept` stay, and each older one that holds a match of which no newer one knows.
    """

    def __init__(self, database: Path, folder: Path, kept: int, clock: Clock) -> None:
        self._database = database
        self._folder = folder
        self._kept = kept
        self._clock = clock
        self._told: set[Path] = set()

    async def run(self) -> None:
        """Make backups until cancelled. Play goes on meanwhile: the copy is made in a thread."""
        while self._kept:
            date = datetime.fromtimestamp(self._clock.wall(), UTC).date().isoformat()
            today = self._folder / backup_name(self._database, date)
            try:
                if not today.exists():
                    self._remove_halves()
                    size = await asyncio.to_thread(back_up, self._database, today)
                    log.info("backup %s made, %d bytes", today, size)
                await asyncio.to_thread(self._rotate)
            except (DatabaseError, OSError) as error:
                log.warning("backup failed, retrying in an hour: %s", error)
            await self._clock.sleep(LOOK)

    @property
    def unusable(self) -> Path | None:
        """The place that keeps backups from being made; None when they can be."""
        place = self._folder.absolute()
        while not place.exists():
            place = place.parent
        return None if place.is_dir() and os.access(place, os.W_OK) else place

    @property
    def there(self) -> tuple[Path, ...]:
        """Those there are, the newest first."""
        return tuple(reversed(backups_in(self._folder, self._database)))

    def _remove_halves(self) -> None:
        """Delete half-written backups of any day: a killed process leaves them."""
        for half in backups_in(self._folder, self._database, PART):
            half.unlink()

    def _rotate(self) -> None:
        """Remove those that are no longer wanted, but none that has what nothing newer has."""
        for old in self.there[self._kept :]:
            newer = [one for one in self.there if one.name > old.name]
            if not all(holds_more(old, one) for one in newer):
                old.unlink()
            elif old not in self._told:
                self._told.add(old)
                log.warning("backup %s kept: no newer one holds all of its matches", old)
