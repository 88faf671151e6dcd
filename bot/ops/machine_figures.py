"""Figures of the machine, beside those of play."""

import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from bot.clock import Clock
from bot.ops.daily_backups import DailyBackups


class MachineFigures:
    """The age of the newest backup and the free disk space, added to the figures of play.

    A figure that nobody knows is left out: there is no backup yet, or the disk doesn't answer.
    """

    def __init__(
        self,
        of_play: Callable[[], Mapping[str, float]],
        backups: DailyBackups,
        database: Path,
        clock: Clock,
    ) -> None:
        self._of_play = of_play
        self._backups = backups
        self._folder = database.absolute().parent
        self._clock = clock

    def __call__(self) -> dict[str, float]:
        """Return all figures by name. May be called from any thread."""
        found = dict(self._of_play())
        if (made := self._backups.last_made) is not None:
            found["backup_age_seconds"] = max(0.0, self._clock.wall() - made)
        with suppress(OSError):
            found["disk_free_bytes"] = float(shutil.disk_usage(self._folder).free)
        return found
