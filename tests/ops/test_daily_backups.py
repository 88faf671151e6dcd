"""The running bot makes a backup a day and keeps as many as it was told."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.ops.daily_backups import DailyBackups
from bot.store.database.backup import back_up, inspected
from bot.tasks import OwnedTasks
from tests.real import PATIENCE
from tests.tables.clock import HandClock

NIGHT = 1_800_057_600.0 - 60
"""A minute to midnight, UTC: 2027-01-15."""


class BackupClock(HandClock):
    """The copy is made in a thread, which no clock moves: it says when the bot rests."""

    def __init__(self) -> None:
        super().__init__(NIGHT)
        self._resting = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        self._resting.set()
        await super().sleep(seconds)

    async def rest(self) -> None:
        await asyncio.wait_for(self._resting.wait(), PATIENCE)

    async def hours(self, hours: float) -> None:
        for _ in range(round(hours)):
            self._resting.clear()
            await self.advance(3600.0)
            await self.rest()


@asynccontextmanager
async def backing_up(database: Path, kept: int) -> AsyncIterator[tuple[DailyBackups, BackupClock]]:
    clock = BackupClock()
    daily = DailyBackups(database, database.parent / "backups", kept, clock)
    tasks = OwnedTasks()
    tasks(daily.run(), name="backups")
    try:
        await clock.rest()
        yield daily, clock
    finally:
        await tasks.stop()


async def test_one_a_day_and_the_oldest_go(played: Path) -> None:
    async with backing_up(played, kept=2) as (daily, clock):
        await clock.hours(72)
        names = [file.name for file in daily.of_this_database]
        assert names == ["ligretto-2027-01-18.sqlite3", "ligretto-2027-01-17.sqlite3"]
        assert all(inspected(file) for file in daily.of_this_database)


async def test_they_are_called_by_their_day(played: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with backing_up(played, kept=7) as (daily, clock):
        assert [file.name for file in daily.of_this_database] == ["ligretto-2027-01-15.sqlite3"]
        first = daily.of_this_database[0].stat().st_ino
        await clock.hours(1)
        assert [file.name for file in daily.of_this_database] == [
            "ligretto-2027-01-16.sqlite3",
            "ligretto-2027-01-15.sqlite3",
        ]
        await clock.hours(1)
        assert len(daily.of_this_database) == 2, "once a day"
        assert not caplog.records
        assert daily.of_this_database[1].stat().st_ino == first


async def test_other_files_in_the_folder_are_left_alone(played: Path) -> None:
    folder = played.parent / "backups"
    folder.mkdir()
    (folder / "ligretto-before-the-party.sqlite3").write_text("mine")
    back_up(played, folder / "ligretto-2020-01-01.sqlite3")
    async with backing_up(played, kept=1):
        pass
    assert {file.name for file in folder.iterdir()} == {
        "ligretto-before-the-party.sqlite3",
        "ligretto-2027-01-15.sqlite3",
    }


async def test_a_folder_that_cannot_be_used_is_said_and_tried_again(
    played: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = played.parent / "backups"
    folder.write_text("a file where the folder should be")
    async with backing_up(played, kept=1) as (daily, clock):
        assert "backup failed" in caplog.text
        folder.unlink()
        await clock.hours(1)
        assert len(daily.of_this_database) == 1


async def test_none_are_made_when_none_are_to_be_kept(played: Path) -> None:
    daily = DailyBackups(played, played.parent / "backups", 0, HandClock())
    await daily.run()
    assert not (played.parent / "backups").exists()
