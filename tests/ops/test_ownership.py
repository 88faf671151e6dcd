"""What root's shell makes belongs to the user who runs the bot, who can start afterwards."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from pydantic import SecretStr

from bot.clock import SystemClock
from bot.ops.check import machine
from bot.ops.check.finding import Mark
from bot.ops.daily_backups import DailyBackups
from bot.ops.log.setup import handler
from bot.ownership import Owner, acting_as, bot_user
from bot.settings.config import Config
from bot.store.database.backup import back_up
from bot.store.database.file import connect
from bot.store.database.lock import only_process
from tests.forks import ROOT, ran

IS_ROOT = os.geteuid() == 0
BOT = Owner(65_534, 65_534) if IS_ROOT else Owner(os.getuid(), os.getgid())
"""Who runs the bot. Only root can have another user run it; else everything is one user's, for
whom the same must hold.
"""
only_root = pytest.mark.skipif(not IS_ROOT, reason="only root can leave a file to the wrong user")
OPENS = f"""
import asyncio, os, sys
from pathlib import Path
import bot.store.database.file as file
from bot.store.database.lock import only_process
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid({BOT.gid})
    os.setuid({BOT.uid})

async def start(path):
    with only_process(path):
        await (await file.open_database(path)).close()

asyncio.run(start(Path(sys.argv[1])))
"""
"""The bot's user opens the database as a start does."""


def starts(database: Path) -> str:
    """Start as the bot's user would. Return what is said of it, nothing if all is well."""
    return ran(
        *("-c", OPENS, str(database)),
        cwd=database.parent,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
    ).stderr


def owners(folder: Path) -> dict[str, Owner]:
    there = {one.name: one.lstat() for one in (folder, *folder.rglob("*"))}
    return {name: Owner(stat.st_uid, stat.st_gid) for name, stat in there.items()}


def strangers(folder: Path) -> dict[str, Owner]:
    """What does not belong to the bot's user."""
    return {name: one for name, one in owners(folder).items() if one != BOT}


@pytest.fixture
def state() -> Iterator[Path]:
    """The folder of the bot's user, with a database; a copy of it is in another folder."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        state, kept = Path(folder, "state"), Path(folder, "kept")
        for one in (state, kept):
            one.mkdir(0o700)
        database = state / "ligretto.sqlite3"
        asyncio.run(_made(database))
        back_up(database, kept / "copy")
        for one in (state, *state.iterdir()):
            os.chown(one, BOT.uid, BOT.gid)
        yield state


async def _made(database: Path) -> None:
    db = await connect(database)
    await db.close()


def typed(state: Path, *words: str, **env: str) -> str:
    """A command in root's shell, with the settings of the bot."""
    place = {"DATABASE_PATH": str(state / "ligretto.sqlite3"), "PATH": os.environ["PATH"]}
    ended = ran("-m", "bot", *words, cwd=state.parent, env={**place, **env})
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.mark.parametrize("mode", [0o600, 0o640])
def test_restored_database_has_owner_and_mode_of_the_old_one(state: Path, mode: int) -> None:
    """And so do the lock and what is set aside: the bot starts."""
    database = state / "ligretto.sqlite3"
    database.chmod(mode)
    _ = typed(state, "restore", str(state.parent / "kept" / "copy"))
    assert strangers(state) == {}
    assert database.stat().st_mode & 0o777 == mode
    assert starts(database) == ""


def test_database_restored_where_none_was_belongs_to_the_folders_owner(state: Path) -> None:
    """The folder above it may have to be made too."""
    (state / "ligretto.sqlite3").unlink()
    deep = state / "new" / "ligretto.sqlite3"
    for place in (state / "ligretto.sqlite3", deep):
        _ = typed(state, "restore", str(state.parent / "kept" / "copy"), DATABASE_PATH=str(place))
        assert strangers(state) == {}
        assert place.stat().st_mode & 0o777 == 0o600
        assert starts(place) == ""


@only_root
@pytest.mark.parametrize("part", ["", "-wal", ".lock"])
def test_restore_mends_what_was_left_to_root(state: Path, part: str) -> None:
    database = state / "ligretto.sqlite3"
    theirs = database.with_name(database.name + part)
    theirs.touch()
    os.chown(theirs, 0, 0)
    theirs.chmod(0o600)
    assert f"{theirs} belongs to root" in starts(database)
    _ = typed(state, "restore", str(state.parent / "kept" / "copy"))
    assert strangers(state) == {}
    assert starts(database) == ""


def test_whatever_a_command_makes_is_the_bots(state: Path) -> None:
    _ = typed(state, "backup", str(state / "backups" / "extra"))
    _ = typed(state, "export", str(state / "out"))
    _ = typed(state, "ratings")
    there = owners(state)
    assert {"backups", "extra", "out", "matches.csv", "ligretto.sqlite3.lock"} <= set(there)
    assert strangers(state) == {}
    assert starts(state / "ligretto.sqlite3") == ""


@only_root
def test_what_root_takes_elsewhere_belongs_to_that_folders_owner(state: Path) -> None:
    """`sudo ... export ~/out`: the one who typed it reads it, and not the bot."""
    for user in (0, BOT.uid - 1):
        folder = state.parent / f"of-{user}"
        folder.mkdir()
        os.chown(folder, user, user)
        _ = typed(state, "backup", str(folder / "extra"))
        _ = typed(state, "export", str(folder / "out"))
        there = owners(folder)
        assert {"extra", "out", "matches.csv"} <= set(there)
        assert set(there.values()) == {Owner(user, user)}


def test_bot_that_root_has_run_once_can_be_run_by_its_user(state: Path) -> None:
    """It has made a database, a lock and a backup."""
    database = state / "ligretto.sqlite3"
    database.unlink()
    with only_process(database):
        asyncio.run(_made(database))
        back_up(database, state / "backups" / "first")
    assert strangers(state) == {}
    assert starts(database) == ""


def test_log_that_root_has_begun_is_the_bots(state: Path) -> None:
    """A check begins it too."""
    token = SecretStr("a.b.c")
    database, log = state / "ligretto.sqlite3", state / "logs" / "ligretto.log"
    handler(Config(discord_token=token, database_path=database, log_file=log)).close()
    assert log.exists()
    assert strangers(state) == {}


@only_root
@pytest.mark.parametrize("part", ["", "-wal", "-shm", ".lock"])
def test_check_in_roots_shell_sees_what_the_bot_may_not_use(state: Path, part: str) -> None:
    database = state / "ligretto.sqlite3"
    theirs = database.with_name(database.name + part)
    theirs.touch()
    os.chown(theirs, 0, 0)
    theirs.chmod(0o600)
    with acting_as(bot_user(database)):
        found = machine.database(database)
    assert os.geteuid() == 0, "root is itself again"
    assert found.mark is Mark.FIX
    assert f"{theirs} belongs to root, and the bot runs as nobody" in found.said
    assert found.said.endswith(f"sudo chown nobody {theirs}")


@only_root
@pytest.mark.parametrize("folder", ["/var/log", "/etc", "/usr/local/share"])
def test_nobody_is_told_to_give_a_folder_of_the_system_away(state: Path, folder: str) -> None:
    """LOG_FILE=/var/log/ligretto.log, say: other services write there too."""
    with acting_as(bot_user(state / "ligretto.sqlite3")):
        (found,) = machine.log_file(Path(folder, "ligretto.log"))
    assert found.mark is Mark.FIX
    assert found.said == (
        f"{folder} belongs to root, and the bot runs as nobody: use a folder that belongs to nobody"
    )


@only_root
def test_check_in_roots_shell_sees_folders_closed_to_the_bot(state: Path) -> None:
    database, backups = state / "ligretto.sqlite3", state.parent / "backups"
    backups.mkdir(0o755)
    with acting_as(bot_user(database)):
        copies = machine.backups(DailyBackups(database, backups, 7, SystemClock()), kept=7, now=0)
        (log,) = machine.log_file(backups / "ligretto.log")
    for found in (copies, log):
        assert found.mark is Mark.FIX
        assert f"{backups} belongs to root, and the bot runs as nobody" in found.said


@pytest.mark.parametrize("folder", ["/proc/b", "/dev/null/b"])
def test_backup_folder_that_cannot_be_made_is_to_be_fixed(tmp_path: Path, folder: str) -> None:
    """Root may write anywhere, so that only a real try tells."""
    daily = DailyBackups(tmp_path / "x.db", Path(folder), 7, SystemClock())
    found = machine.backups(daily, kept=7, now=0)
    assert found.mark is Mark.FIX
    assert found.said.startswith("none can be made: ")
    assert machine.database(Path(folder) / "x.db").mark is Mark.FIX
    (log,) = machine.log_file(Path(folder) / "x.log")
    assert log.mark is Mark.FIX


def test_a_check_leaves_nothing_in_the_folders(tmp_path: Path) -> None:
    daily = DailyBackups(tmp_path / "x.db", tmp_path / "new" / "backups", 7, SystemClock())
    assert machine.backups(daily, kept=7, now=0).mark is Mark.LATER
    assert machine.database(tmp_path / "x.db").mark is Mark.LATER
    assert [*tmp_path.iterdir()] == []
