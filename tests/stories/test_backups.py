"""A database that is gone, and the copies that should have saved it."""

import asyncio
import errno
import os
import shutil
from pathlib import Path

import pytest

from bot.ops.backup import restore
from bot.ops.export import export
from bot.store.copies import back_up
from bot.store.damage import DatabaseError
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


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="a bot whose database is gone starts empty when its backups are on another disk",
)
async def test_a_lost_database_is_missed_wherever_its_backups_are(tmp_path: Path) -> None:
    """Today only the folder beside the database is looked into, and the bot starts with nothing.
    It should refuse to start, and name the newest copy.
    """
    elsewhere = tmp_path / "another disk"
    elsewhere.mkdir()
    async with at_rest(tmp_path, backup_path=elsewhere) as world:
        copy = elsewhere / named(world, "2026-05-27")
        shutil.copy(await evening(tmp_path / "before.sqlite3"), copy)
        world.bot.start()
        await asyncio.sleep(30)
        assert not world.bot.is_running
        assert str(copy) in str(await world.bot.ended())


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="a backup of nothing takes the place of the last one that holds matches",
)
async def test_no_backup_is_removed_whose_matches_no_other_holds(tmp_path: Path) -> None:
    """Today the oldest goes, whatever is in it: one day after another an empty database pushes
    every good copy out. A copy should stay for as long as no newer one holds its matches.
    """
    async with at_rest(tmp_path, backups_kept=1) as world:
        async with opened(world.bot.database):
            pass
        folder = world.bot.folder / "backups"
        folder.mkdir()
        good = folder / named(world, "2026-05-27")
        shutil.copy(await evening(tmp_path / "before.sqlite3"), good)
        await world.start()
        given(len(list(folder.iterdir())) > 0, "today's backup is made")
        assert good.exists()


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="half a copy is offered as the one to go on from",
)
async def test_half_a_copy_is_never_offered(tmp_path: Path) -> None:
    """Today the copy that a killed upgrade left half-written is named as the newest. The whole one
    beside it should be.
    """
    async with at_rest(tmp_path) as world:
        whole = world.bot.database.with_name(world.bot.database.name + ".v4")
        part = whole.with_name(whole.name + ".part")
        shutil.copy(await evening(tmp_path / "before.sqlite3"), whole)
        part.write_bytes(whole.read_bytes()[:9_000])
        os.utime(whole, (1_000, 1_000))
        world.bot.start()
        told = await world.bot.ended()
        given(isinstance(told, DatabaseError), "it does not start empty")
        assert ".part" not in str(told)


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="everybody on the machine can read a backup, and the secrets in it",
)
async def test_a_backup_is_for_its_owner_alone(tmp_path: Path) -> None:
    """Today a backup has the permissions that the process gives every file, often 0644. It holds
    the seeds of running matches and should be 0600.
    """
    database = await evening(tmp_path / "night.sqlite3")
    target = tmp_path / "copy.sqlite3"
    before = os.umask(0o022)
    try:
        back_up(database, target)
    finally:
        os.umask(before)
    assert target.stat().st_mode & PERMISSIONS == 0o600


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="everybody on the machine can read an export, with every player's id in it",
)
async def test_an_export_is_for_its_owner_alone(tmp_path: Path) -> None:
    """Today its files are often 0644. They should be 0600."""
    database = await evening(tmp_path / "night.sqlite3")
    before = os.umask(0o022)
    try:
        export(database, tmp_path / "out")
    finally:
        os.umask(before)
    modes = {file.stat().st_mode & PERMISSIONS for file in (tmp_path / "out").iterdir()}
    assert modes == {0o600}


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="half a backup of an earlier day is never removed",
)
async def test_half_a_backup_of_another_day_is_removed(tmp_path: Path) -> None:
    """Today what a killed process left half-written is removed by a backup of the same date alone.
    The next backup should remove it, whatever its day.
    """
    async with at_rest(tmp_path) as world:
        folder = world.bot.folder / "backups"
        folder.mkdir()
        half = folder / f"{named(world, '2026-05-20')}.part"
        half.write_bytes(bytes(100))
        await world.start()
        given((folder / named(world, "2026-05-28")).exists(), "today's backup is made")
        assert not half.exists()


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="`restore` fails with a traceback on a disk that has no hard links",
)
async def test_a_backup_is_restored_on_a_disk_without_hard_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Today the old database can't be set aside there. It should be, in another way."""
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


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="what `restore` puts in the database's place can be read by everybody",
)
async def test_a_restored_database_has_the_permissions_of_the_old_one(tmp_path: Path) -> None:
    """Today the new file has the permissions, and the owner, of whoever typed the command: the bot
    then can't write it. It should have those of the file whose place it takes.
    """
    database = await evening(tmp_path / "night.sqlite3")
    copy = await evening(tmp_path / "copy.sqlite3")
    database.chmod(0o600)
    before = os.umask(0o022)
    try:
        restore(copy, database)
    finally:
        os.umask(before)
    assert database.stat().st_mode & PERMISSIONS == 0o600
