"""The tasks of a running bot that look after its machine and its owner."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import aiosqlite

from bot.clock import Clock
from bot.groups.once import Once
from bot.ops.daily_backups import DailyBackups
from bot.ops.health.file_watch import FileWatch
from bot.ops.health.systemd import SignsOfLife
from bot.ops.health.wal import WalWatch
from bot.ops.owner.messages import Bot as TellingBot
from bot.ops.owner.messages import OwnerMessages
from bot.ops.releases.ask import Releases
from bot.settings.config import Config


class Chore(Protocol):
    async def run(self) -> None: ...


class Bot(TellingBot, Protocol):
    """A bot whose writer may hang. `once`: its right to act for all its groups."""

    @property
    def once(self) -> Once: ...
    @property
    def is_stuck(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Chores:
    """All of them, and those that others ask: the backups, the file's watch, the releases."""

    backups: DailyBackups
    file: FileWatch
    releases: Releases
    all: tuple[Chore, ...]


def chores_of(
    config: Config, reading: aiosqlite.Connection, clock: Clock, bot: Callable[[], Bot]
) -> Chores:
    """Build them. `reading`: a connection that only reads. `bot` is first called by a task."""
    path, folder = config.database_path, config.backups
    backups = DailyBackups(path, folder, config.backups_kept, clock, config.backup_command)
    file = FileWatch(path, folder, reading, clock)
    releases = Releases(config.releases_url, clock, once=lambda: bot().once)
    heart = SignsOfLife(path, clock, lambda: bot().is_stuck)
    owner = OwnerMessages(bot, backups, path, clock, is_on=config.tell_owner)
    return Chores(
        backups, file, releases, (backups, heart, WalWatch(path, clock), file, releases, owner)
    )
