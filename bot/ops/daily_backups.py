"""The daily backups that the running bot makes, and the removal of old ones."""

import asyncio
import logging
import os
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import count, takewhile
from pathlib import Path

from bot.clock import Clock
from bot.ops.backup_command import CommandFailedError, hand_over
from bot.store.database.backup import PART, back_up, holds_more
from bot.store.database.errors import DatabaseError
from bot.store.database.known_backups import backup_name, backups_in, content_of, is_whole

log = logging.getLogger(__name__)

LOOK = 60 * 60.0
"""Seconds between two checks for today's backup, and so until a failed one is tried again."""


class DailyBackups:
    """The daily backups in a folder, each named `<database name>-<UTC date>`.

    The newest `kept` stay (BACKUPS_KEPT, 7 by default), and so does each older one that holds a
    match missing from all newer ones. Only whole copies of this very database count, since another
    bot's database may have the same name, and its backups the same folder. `command`
    (BACKUP_COMMAND) is run on the day's backup once it is made, after each start, and every hour
    until it succeeds.
    """

    def __init__(
        self,
        database: Path,
        folder: Path,
        kept: int,
        clock: Clock,
        command: Sequence[str] = (),
    ) -> None:
        self._database = database
        self._folder = folder
        self._kept = kept
        self._clock = clock
        self._command = command
        self._handed: Path | None = None
        self._trusted: tuple[Path, int, int, int] | None = None  # as it was when it was read
        self._told: set[Path] = set()
        self.failure: str | None = None
        """Why the last try failed, empty if it didn't; None before the first."""
        self.last_made: float | None = None
        """The time at which the newest backup was made, in seconds of the wall clock."""

    async def run(self) -> None:
        """Make backups until cancelled. Play goes on meanwhile: the copy is made in a thread."""
        while self._kept:
            date = datetime.fromtimestamp(self._clock.wall(), UTC).date().isoformat()
            try:
                todays = await asyncio.to_thread(self._one_for, date)
                if self._command and todays != self._handed:
                    await hand_over(self._command, todays)
                    self._handed = todays
                self.failure = ""
            except (DatabaseError, OSError, CommandFailedError) as error:
                self.failure = str(error)
                log.warning("backup failed, retrying in an hour: %s", error)
            await self._clock.sleep(LOOK)

    @property
    def folder(self) -> Path:
        """The folder of the backups. The first one makes it."""
        return self._folder

    @property
    def of_this_database(self) -> tuple[Path, ...]:
        """The backups of this database, newest first.

        Raises OSError if the folder can't be listed.
        """
        return tuple(one for one in self._all if self._is_ours(one))

    @property
    def unreadable(self) -> tuple[Path, ...]:
        """Files with the name of a backup that hold no database of this bot, newest first.

        Raises OSError if the folder cannot be listed.
        """
        return tuple(one for one in self._all if content_of(one) is None)

    @property
    def _all(self) -> Iterator[Path]:
        return reversed(backups_in(self._folder, self._database))

    def _is_ours(self, copy: Path) -> bool:
        """Return whether it is a copy of this database. Older versions gave databases no id."""
        inside, own = content_of(copy), content_of(self._database)
        return inside is not None and own is not None and inside.id in (0, own.id)

    def _one_for(self, date: str) -> Path:
        """Return the day's backup, made unless it exists, and remove those no longer needed."""
        todays = self._found(date) or self._make(date)
        self.last_made = todays.stat().st_mtime
        self._rotate(todays)
        return todays

    def _found(self, date: str) -> Path | None:
        """Return the day's backup, if a whole one of this database is there."""
        first = backup_name(self._database, date).removesuffix(self._database.suffix)
        days = (one for one in self._all if one.name.startswith(first))
        return next((one for one in days if self._is_trusted(one)), None)

    def _is_trusted(self, copy: Path) -> bool:
        """Return whether a copy can be trusted as today's. It is read once, until it changes."""
        now = copy.stat()
        seen = (copy, now.st_ino, now.st_size, now.st_mtime_ns)
        if seen == self._trusted:
            return True
        is_trusted = self._is_ours(copy) and is_whole(copy) and not holds_more(copy, self._database)
        if is_trusted:
            self._trusted = seen
        return is_trusted

    def _make(self, date: str) -> Path:
        names = (self._folder / backup_name(self._database, date, n) for n in count(1))
        taken = [*takewhile(os.path.lexists, names)]
        todays = self._folder / backup_name(self._database, date, len(taken) + 1)
        self._remove_halves()
        size = back_up(self._database, todays)
        for one in taken:
            log.warning("%s is not an intact backup of this database: made %s instead", one, todays)
        log.info("backup %s made, %d bytes", todays, size)
        return todays

    def _remove_halves(self) -> None:
        """Delete half-written backups of any day: a killed process leaves them."""
        for half in backups_in(self._folder, self._database, PART):
            half.unlink()

    def _rotate(self, todays: Path) -> None:
        """Remove old backups, but none that holds a match missing from all newer ones.

        Today's is the newest, whatever the others are called: a clock was wrong, or a file renamed.
        """
        there = [todays, *(one for one in self.of_this_database if one != todays)]
        for place, old in enumerate(there[self._kept :], self._kept):
            if not all(holds_more(old, one) for one in there[:place]):
                old.unlink()
            elif old not in self._told:
                self._told.add(old)
                log.warning("backup %s kept: no newer one has all its matches", old)
