"""A database that is gone, and the copies that should have saved it."""

import asyncio
import errno
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.ops.check import machine
from bot.ops.check.finding import Mark
from bot.ops.export import export
from bot.ops.log.setup import handler
from bot.ops.restore import restore
from bot.settings.config import BACKUPS_KEPT, Config
from bot.store.database.backup import back_up, holds_more
from bot.store.database.errors import DatabaseError
from tests.store.conftest import opened
from tests.store.matches import ANNA, BEN, match, play
from tests.stories.world import World, at_rest, given

PERMISSIONS = 0o777


async def evening(path: Path) -> Path:
    """A database of this bot with a match in it."""
    async with opened(path) as store:
        await play(store, match({ANNA: 30, BEN: 12}))
    return path


def named(world: World, date: str) -> str:
    """What the backup of a day is called. `date`: as in ISO 8601."""
    return f"{world.bot.database.stem}-{date}{world.bot.database.suffix}"


async def test_a_lost_database_is_missed_wherever_its_backups_are(tmp_path: Path) -> None:
    """The bot refuses to start with nothing, and names the newest copy."""
    elsewhere = tmp_path / "another disk"
    elsewhere.mkdir()
    async with at_rest(tmp_path, backup_path=elsewhere, backups_kept=BACKUPS_KEPT) as world:
        copy = elsewhere / named(world, "2026-05-27")
        shutil.copy(await evening(tmp_path / "before.sqlite3"), copy)
        world.bot.start()
        await asyncio.sleep(30)
        assert not world.bot.is_running
        assert str(copy) in str(await world.bot.ended())


async def test_no_backup_is_removed_whose_matches_no_other_holds(tmp_path: Path) -> None:
    """One day after another an empty database would push every good copy out."""
    async with at_rest(tmp_path, backups_kept=1) as world:
        async with opened(world.bot.database):
            pass
        folder = world.bot.folder / "backups"
        folder.mkdir()
        good = folder / named(world, "2026-05-27")
        shutil.copy(await evening(tmp_path / "before.sqlite3"), good)
        changed(good, "PRAGMA application_id = 0")  # as of a version that knew no ids
        await world.start()
        given(len(list(folder.iterdir())) > 1, "today's backup is made")
        assert good.exists()
        kept = [line for line in world.said() if "no newer one has" in line]
        assert kept == [f"backup {good} kept: no newer one has all its matches"]
        await asyncio.sleep(3 * 60 * 60)
        assert len([line for line in world.said() if "no newer one has" in line]) == 1


async def test_a_backup_goes_when_newer_ones_hold_its_matches(tmp_path: Path) -> None:
    old = await evening(tmp_path / "old.sqlite3")
    newer = tmp_path / "newer.sqlite3"
    back_up(old, newer)
    assert not holds_more(old, newer)
    changed(newer, "DELETE FROM matches")
    assert not holds_more(old, newer), "a server was deleted, and is to be gone"


async def test_a_backup_stays_whose_matches_were_played_on_another_line(tmp_path: Path) -> None:
    """An older copy was restored, and other matches were played: their numbers say nothing."""
    old = await evening(tmp_path / "old.sqlite3")
    other = await evening(tmp_path / "other.sqlite3")
    changed(other, "UPDATE matches SET ended = ended + 1")
    assert holds_more(old, other)


def changed(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(sql)


async def test_half_a_copy_is_never_offered(tmp_path: Path) -> None:
    """A killed upgrade has left one half-written: the whole one beside it is named."""
    async with at_rest(tmp_path, backups_kept=BACKUPS_KEPT) as world:
        whole = world.bot.database.with_name(world.bot.database.name + ".v4")
        part = whole.with_name(whole.name + ".part")
        shutil.copy(await evening(tmp_path / "before.sqlite3"), whole)
        part.write_bytes(whole.read_bytes()[:9_000])
        os.utime(whole, (1_000, 1_000))
        world.bot.start()
        told = await world.bot.ended()
        given(isinstance(told, DatabaseError), "it does not start empty")
        assert ".part" not in str(told)


async def test_a_backup_is_for_its_owner_alone(tmp_path: Path) -> None:
    """It holds the seeds of running matches."""
    database = await evening(tmp_path / "night.sqlite3")
    target = tmp_path / "copy.sqlite3"
    before = os.umask(0o022)
    try:
        back_up(database, target)
    finally:
        os.umask(before)
    assert target.stat().st_mode & PERMISSIONS == 0o600


def made_of(path: Path) -> int:
    """Its permissions."""
    return path.stat().st_mode & PERMISSIONS


async def test_a_new_database_and_log_are_for_their_owner_alone(tmp_path: Path) -> None:
    """Tokens and the seeds of running matches are in the one, people in the other."""
    path, log = tmp_path / "x.sqlite3", tmp_path / "x.log"
    config = Config(discord_token="a.b.c", log_file=log)
    before = os.umask(0o022)
    try:
        async with opened(path) as store:
            await play(store, match({ANNA: 30, BEN: 12}))
            assert made_of(path) == made_of(tmp_path / "x.sqlite3-wal") == 0o600
        handler(config).close()
        assert made_of(log) == 0o600
    finally:
        os.umask(before)


async def test_check_says_that_everybody_can_read_a_file(tmp_path: Path) -> None:
    """An older version made it so. Its permissions are left to the operator."""
    path, log = await evening(tmp_path / "x.sqlite3"), tmp_path / "x.log"
    log.touch(0o600)
    assert machine.log_file(log) == machine.log_file(None) == ()
    path.chmod(0o640)
    assert machine.database(path).mark is Mark.OK
    for file in (path, log):
        file.chmod(0o644)
    async with opened(path):
        pass
    assert made_of(path) == 0o644
    (found,) = machine.log_file(log)
    for finding, file in ((machine.database(path), path), (found, log)):
        assert finding.mark is Mark.FIX
        assert f"chmod o-rwx {file}*" in finding.said


async def test_an_export_is_for_its_owner_alone(tmp_path: Path) -> None:
    """Everybody's ids are in it."""
    database = await evening(tmp_path / "night.sqlite3")
    before = os.umask(0o022)
    try:
        export(database, tmp_path / "out")
    finally:
        os.umask(before)
    modes = {file.stat().st_mode & PERMISSIONS for file in (tmp_path / "out").iterdir()}
    assert modes == {0o600}


async def test_half_a_backup_of_another_day_is_removed(tmp_path: Path) -> None:
    """What a killed process left half-written goes with the next backup, whatever its day."""
    async with at_rest(tmp_path, backups_kept=BACKUPS_KEPT) as world:
        folder = world.bot.folder / "backups"
        folder.mkdir()
        half = folder / f"{named(world, '2026-05-20')}.part"
        half.write_bytes(bytes(100))
        await world.start()
        given((folder / named(world, "2026-05-28")).exists(), "today's backup is made")
        assert not half.exists()


async def test_a_backup_is_restored_on_a_disk_without_hard_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old database is copied aside where a file can have one name only."""
    database = await evening(tmp_path / "night.sqlite3")
    copy = await evening(tmp_path / "copy.sqlite3")

    def refused(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refused)
    try:
        kept = restore(copy, database)
    except PermissionError as error:
        raise AssertionError("nobody catches it") from error
    assert kept is not None


async def test_a_restored_database_has_the_permissions_of_the_old_one(tmp_path: Path) -> None:
    """Not those of whoever typed the command: the bot has to write it."""
    database = await evening(tmp_path / "night.sqlite3")
    copy = await evening(tmp_path / "copy.sqlite3")
    database.chmod(0o600)
    before = os.umask(0o022)
    try:
        restore(copy, database)
    finally:
        os.umask(before)
    assert database.stat().st_mode & PERMISSIONS == 0o600
