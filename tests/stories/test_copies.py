"""Copies of a database: which of them is offered, and which counts as today's backup."""

import asyncio
import errno
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.fakediscord import Server
from bot.ops.check import machine
from bot.ops.check.finding import Mark
from bot.ops.daily_backups import DailyBackups
from bot.ops.restore import restore
from bot.settings.config import BACKUPS_KEPT
from bot.store.database.backup import back_up
from bot.store.database.errors import DatabaseError
from bot.store.database.file import open_database
from bot.store.database.known_backups import content_of
from tests.ops.test_process import typed
from tests.store.conftest import opened
from tests.store.matches import ANNA, BEN, NOON, match, play
from tests.stories.world import World, at_rest, given

TODAY = "2026-05-28"


async def evening(path: Path, *, at: int = NOON) -> Path:
    """A database of this bot with a match in it."""
    async with opened(path) as store:
        await play(store, match({ANNA: 30, BEN: 12}, at=at))
    return path


def named(world: World, date: str) -> str:
    """What the backup of a day is called. `date`: as in ISO 8601."""
    return f"{world.bot.database.stem}-{date}{world.bot.database.suffix}"


async def refusal(world: World) -> str:
    """What a start that is refused says."""
    world.bot.start()
    await asyncio.sleep(30)
    assert not world.bot.is_running, "it starts with nothing"
    ended = await world.bot.ended()
    assert isinstance(ended, DatabaseError)
    return str(ended)


@pytest.mark.parametrize("bad", [b"", bytes(5_000), None], ids=["empty", "zeros", "truncated"])
async def test_the_newest_whole_copy_is_offered(tmp_path: Path, bad: bytes | None) -> None:
    """Not the file that was copied last, and not one that holds nothing."""
    async with at_rest(tmp_path, backup_path=tmp_path, backups_kept=BACKUPS_KEPT) as world:
        older, newer, today = (
            tmp_path / named(world, day) for day in ("2026-05-01", "2026-05-27", TODAY)
        )
        await evening(newer, at=NOON + 86_400_000)
        await evening(older)
        os.utime(newer, (1_000, 1_000))
        today.write_bytes(newer.read_bytes()[:20_000] if bad is None else bad)
        assert f"The newest copy is {newer}:" in await refusal(world)


async def test_a_date_in_a_name_decides_between_equals(tmp_path: Path) -> None:
    async with at_rest(tmp_path, backup_path=tmp_path, backups_kept=BACKUPS_KEPT) as world:
        default = world.bot.folder / "backups"
        default.mkdir()
        newer = await evening(default / named(world, "2026-05-27"))
        shutil.copy(newer, tmp_path / named(world, "2026-05-02"))
        assert f"The newest copy is {newer}:" in await refusal(world)


async def test_copies_of_which_none_is_whole_are_all_named(tmp_path: Path) -> None:
    async with at_rest(tmp_path, backup_path=tmp_path, backups_kept=BACKUPS_KEPT) as world:
        bad = tmp_path / named(world, "2026-05-27")
        bad.write_bytes(b"")
        told = await refusal(world)
        assert f"No copy of it is intact: {bad}." in told
        assert "bot restore" not in told


async def test_what_a_restore_has_set_aside_is_a_trace(tmp_path: Path) -> None:
    """And the last to be offered: somebody has replaced it."""
    async with at_rest(tmp_path, backups_kept=BACKUPS_KEPT) as world:
        database = await evening(world.bot.database, at=NOON + 86_400_000)
        copy = await evening(tmp_path / "copy.sqlite3")
        aside = restore(copy, database)
        assert aside is not None
        database.unlink()
        assert f"The newest copy is {aside}:" in await refusal(world)
        backup = world.bot.folder / "backups" / named(world, "2026-05-01")
        back_up(copy, backup)
        assert f"The newest copy is {backup}:" in await refusal(world)


async def test_backups_that_cannot_be_listed_are_no_first_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are another user's, and the database is gone."""
    folder, real = tmp_path / "theirs", os.listdir
    folder.mkdir()

    def listed(place: str) -> list[str]:
        if Path(place) == folder:
            raise PermissionError(errno.EACCES, "Permission denied", str(place))
        return real(place)

    monkeypatch.setattr(os, "listdir", listed)
    async with at_rest(tmp_path, backup_path=folder, backups_kept=BACKUPS_KEPT) as world:
        told = await refusal(world)
        assert f"Permission denied: '{folder}'" in told
        assert "BACKUP_PATH" in told
        found = machine.database(world.bot.database, folder)
        assert (found.mark, found.said) == (Mark.FIX, told)
        assert not world.bot.database.exists()


@pytest.mark.real("an operator's commands")
async def test_every_command_names_the_copy_of_a_database_that_is_gone(tmp_path: Path) -> None:
    """`check` judges as the start does."""
    copies = tmp_path / "disk"
    copies.mkdir()
    copy = await evening(copies / "night-2026-05-27.db")
    async with Server() as server:
        for words in (["check"], ["export", "out"], ["backup", "made"], ["ratings"]):
            ended = await typed(
                tmp_path / "night.db", *words, **{**server.env, "BACKUP_PATH": str(copies)}
            )
            assert ended.code == 2, words
            assert f"The newest copy is {copy}:" in ended.said + ended.problem


async def test_backups_of_two_bots_in_one_folder_are_both_made(tmp_path: Path) -> None:
    """Their databases have the same name. Neither removes the other's."""
    folder = tmp_path / "both"
    async with at_rest(tmp_path, backup_path=folder, backups_kept=1) as world:
        (tmp_path / "first").mkdir()
        first = await evening(tmp_path / "first" / world.bot.database.name)
        back_up(first, folder / named(world, TODAY))
        await evening(world.bot.database)
        await world.start()
        backup = folder / named(world, f"{TODAY}-2")
        given(backup.exists(), "it is made")
        inside, own = content_of(backup), content_of(world.bot.database)
        assert inside is not None
        assert own is not None
        assert inside.id == own.id
        (line,) = world.said()
        assert named(world, TODAY) in line
        assert str(backup) in line
        await asyncio.sleep(3 * 60 * 60)
        assert len(world.said()) == 1
        assert len(list(folder.iterdir())) == 2


async def test_an_empty_file_is_not_todays_backup(tmp_path: Path) -> None:
    async with at_rest(tmp_path, backups_kept=BACKUPS_KEPT) as world:
        folder = world.bot.folder / "backups"
        folder.mkdir()
        await evening(world.bot.database)
        (folder / named(world, TODAY)).touch()
        await world.start()
        daily = DailyBackups(world.bot.database, folder, 7, world.bot.clock)
        assert daily.of_this_database == (folder / named(world, f"{TODAY}-2"),)
        assert len(world.said()) == 1
        found = machine.backups(daily, kept=7, now=world.bot.clock.wall())
        assert found.mark is Mark.FIX
        assert str(folder / named(world, TODAY)) in found.said


async def test_a_backup_with_matches_of_another_line_is_not_todays(tmp_path: Path) -> None:
    """An older copy was restored: today's backup is of what was replaced."""
    async with at_rest(tmp_path, backups_kept=BACKUPS_KEPT) as world:
        database = await evening(world.bot.database)
        before = tmp_path / "before.sqlite3"
        back_up(database, before)
        await evening(database, at=NOON + 3_600_000)
        folder = world.bot.folder / "backups"
        back_up(database, folder / named(world, TODAY))
        restore(before, database)
        await world.start()
        assert (folder / named(world, f"{TODAY}-2")).exists()


async def test_the_backup_just_made_is_never_removed(tmp_path: Path) -> None:
    """A clock was a year fast for a while."""
    async with at_rest(tmp_path, backups_kept=1) as world:
        await evening(world.bot.database)
        folder = world.bot.folder / "backups"
        future = folder / named(world, "2027-05-28")
        back_up(world.bot.database, future)
        await world.start()
        today = folder / named(world, TODAY)
        made = today.stat().st_ino
        await asyncio.sleep(3 * 60 * 60)
        assert today.stat().st_ino == made
        assert not future.exists(), "today's holds all of it"
        assert world.said() == []


async def test_a_copy_keeps_the_id_of_its_database(tmp_path: Path) -> None:
    database, copy = await evening(tmp_path / "x.sqlite3"), tmp_path / "copy.sqlite3"
    back_up(database, copy)
    before = content_of(database)
    assert before is not None
    assert before.id
    assert content_of(copy) == before
    await (await open_database(database)).close()
    assert content_of(database) == before
    with closing(sqlite3.connect(copy)) as db:
        assert db.execute("PRAGMA application_id").fetchone() == (before.id,)
