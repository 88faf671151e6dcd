"""Causes for which a start fails: who can do what about each, and whether waiting helps."""

import asyncio
import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bot.store.database.backup import back_up
from bot.store.database.file import connect
from bot.store.database.schema import MIGRATIONS
from tests import forks
from tests.forks import ROOT
from tests.stories.test_start import MAIN, TRY_LATER, Ended

pytestmark = pytest.mark.real("the bot as a process, and its exit codes")

MEND = 2
PLACE = "typed here"
OTHER, NOBODY = 1, 65_534
"""Users: whose files they are, and who runs the bot. Only root can arrange that."""
AS_NOBODY = f"""
import os
import bot.cli.online, bot.store.records.stored_ratings
os.setgid({NOBODY})
os.setuid({NOBODY})
"""
SMALL = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
"""
"""Bytes that a file may have: enough for SQLite's own, too few for the copy."""
REFUSING = """
import os, sys

def refused(event, args):
    opens = event == "open" and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    if (opens or event == "os.mkdir") and str(args[0]).startswith({folder!r}):
        raise OSError({number}, os.strerror({number}), str(args[0]))

sys.addaudithook(refused)
"""
DISK_AT = """
import os.path
os.path.ismount = lambda place: str(place) in ("/", {mount!r})
"""
BARE = DISK_AT.format(mount="/")


PULLED = """
import sys

for name in [one for one in sys.modules if one.split(".")[0] == "bot"]:
    del sys.modules[name]
sys.modules["aiosqlite"] = None
"""
"""The bot of a new version, which needs a package that nobody has installed."""
WITHOUT_REDIS = PULLED.replace("aiosqlite", "redis")
"""A bot without its optional packages."""


@pytest.fixture(autouse=True)
def place(request: pytest.FixtureRequest) -> None:
    """Mark the folder in which commands are typed."""
    folder = request.getfixturevalue("public" if "public" in request.fixturenames else "tmp_path")
    (folder / PLACE).touch()


async def ran(database: Path, *words: str, fault: str = "", **env: str) -> Ended:
    """`python -m bot <words>` on a machine with a fault, to its end."""
    given = {"DISCORD_TOKEN": "a.b.c", "DATABASE_PATH": str(database), "PATH": os.environ["PATH"]}
    ended = await asyncio.to_thread(
        forks.ran,
        *("-c", fault + MAIN, *words),
        cwd=next(one for one in database.parents if (one / PLACE).exists()),
        env={**given, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **env},
    )
    return Ended(ended.returncode, ended.stdout + ended.stderr)


def lines(ended: Ended) -> list[str]:
    assert "Traceback" not in ended.problem, ended.problem
    return ended.problem.splitlines()


async def made(database: Path) -> None:
    database.parent.mkdir(parents=True, exist_ok=True)
    db = await connect(database)
    await db.close()


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that every user may enter: pytest's own are closed to others."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.mark.parametrize("words", [(), ("check",)])
async def test_a_new_version_without_its_packages_says_how_to_install_them(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    """No later start can succeed: systemd must not try again."""
    ended = await ran(tmp_path / "ligretto.sqlite3", *words, fault=PULLED)
    (line,) = lines(ended)
    assert line.startswith("aiosqlite is not installed, and this version needs it: `")
    assert line.endswith(f"pip install -c {ROOT / 'constraints.txt'} -e {ROOT}`")
    assert ended.code == MEND


@pytest.mark.parametrize("words", [(), ("check",)])
async def test_group_without_the_client_of_valkey_says_how_to_install_it(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    group = {"SHARD_COUNT": "2", "SHARD_IDS": "0", "VALKEY_URL": "valkey://127.0.0.1:1"}
    ended = await ran(tmp_path / "ligretto.sqlite3", *words, fault=WITHOUT_REDIS, **group)
    (line,) = lines(ended)
    assert line.startswith("VALKEY_URL: redis is not installed, and this setting needs it: `")
    assert line.endswith(f"pip install -c {ROOT / 'constraints.txt'} -e '{ROOT}[groups]'`")
    assert ended.code == MEND


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize(
    ("part", "words"),
    [
        *((part, ()) for part in ("file", "folder", "log", "lock", "above")),
        *((part, ("check",)) for part in ("file", "lock", "above")),
        *((part, ("backup", "copy")) for part in ("file", "above")),
    ],
)
async def test_database_of_another_user_is_told(
    public: Path, part: str, words: tuple[str, ...]
) -> None:
    """No later start can succeed: the line names the owner and what to type."""
    database = public / "above" / "data" / "ligretto.sqlite3"
    await made(database)
    wal, lock = (database.with_name(database.name + end) for end in ("-wal", ".lock"))
    wal.touch()
    lock.touch()
    everything = {
        "file": database,
        "folder": database.parent,
        "log": wal,
        "lock": lock,
        "above": database.parents[1],
    }
    for one in everything.values():
        os.chown(one, NOBODY, NOBODY)
    theirs = everything[part]
    os.chown(theirs, OTHER, OTHER)
    theirs.chmod(0o700 if theirs.is_dir() else 0o600)
    ended = await ran(database, *words, fault=AS_NOBODY)
    line, *_ = [line for line in lines(ended) if "chown" in line]
    assert f"{theirs} belongs to daemon, and this runs as nobody: sudo chown nobody" in line
    assert ended.code == MEND


async def test_database_closed_to_its_own_user_is_told(public: Path) -> None:
    database = public / "data" / "ligretto.sqlite3"
    await made(database)
    if is_root := os.geteuid() == 0:
        os.chown(database.parent, NOBODY, NOBODY)
        os.chown(database, NOBODY, NOBODY)
    database.chmod(0o400)
    ended = await ran(database, fault=AS_NOBODY if is_root else "")
    (line,) = lines(ended)
    assert f"chmod u+rwX {database}" in line
    assert ended.code == MEND


async def test_upgrade_on_a_nearly_full_disk_is_tried_again(tmp_path: Path) -> None:
    """The copy that is made before it finds no room. Nothing has changed."""
    database = tmp_path / "data" / "ligretto.sqlite3"
    database.parent.mkdir()
    oldest = tmp_path / "migrations"
    oldest.mkdir()
    first = (MIGRATIONS / "0001_tables.sql").read_text()
    (oldest / "0001_tables.sql").write_text(first)
    db = await connect(database, oldest)
    await db.execute("INSERT INTO notes VALUES ('big', ?)", ("x" * 200_000,))
    await db.close()
    ended = await ran(database, fault=SMALL)
    (line,) = lines(ended)
    assert "free some disk space" in line
    assert ended.code == TRY_LATER
    with closing(sqlite3.connect(database)) as left:
        assert left.execute("PRAGMA user_version").fetchall() == [(1,)]


@pytest.mark.parametrize("part", ["folder", "file"])
async def test_link_to_an_absent_disk_is_tried_again(tmp_path: Path, part: str) -> None:
    database = tmp_path / "data" / "ligretto.sqlite3"
    link, absent = database.parent, tmp_path / "mnt" / "absent"
    if part == "file":
        database.parent.mkdir()
        link, absent = database, absent / "ligretto.sqlite3"
    link.symlink_to(absent)
    backup = tmp_path / "copies" / "ligretto-2026-11-28.sqlite3"
    await made(backup)
    ended = await ran(database, BACKUP_PATH=str(backup.parent))
    (line,) = lines(ended)
    assert line == f"{link} links to {absent}, which does not exist: is its disk mounted?"
    assert ended.code == TRY_LATER
    checked = await ran(database, "check")
    assert f"FIX   database: {line}" in lines(checked)
    restored = await ran(database, "restore", str(backup))
    assert restored == (MEND, ended.problem)


AWAY = "ENOTCONN", "ETIMEDOUT", "ENODEV", "ENOMEDIUM", "EHOSTDOWN", "ESTALE"


@pytest.mark.parametrize("name", AWAY)
async def test_disk_that_is_away_is_tried_again(tmp_path: Path, name: str) -> None:
    database = tmp_path / "data" / "ligretto.sqlite3"
    fault = REFUSING.format(folder=str(database.parent), number=getattr(errno, name))
    ended = await ran(database, fault=fault)
    (line,) = lines(ended)
    assert "is its disk mounted?" in line
    assert ended.code == TRY_LATER


async def backed_up(database: Path, mount: Path) -> Path:
    """Start once on a disk at `mount`, keep a backup elsewhere, and take the disk away."""
    once = await ran(database, fault=DISK_AT.format(mount=str(mount)))
    assert once.code == TRY_LATER, "Discord is not there"
    return taken_away(database, mount)


def taken_away(database: Path, mount: Path) -> Path:
    backup = mount.with_name("copies") / "ligretto-2026-11-28.sqlite3"
    _ = back_up(database, backup)
    mount.rename(mount.with_name("away"))
    mount.mkdir()
    return backup


async def test_unmounted_disk_is_tried_again(tmp_path: Path) -> None:
    """The backup knows that the database was on a disk of its own. Nothing is made in its place."""
    mount = tmp_path / "disk"
    database = mount / "data" / "ligretto.sqlite3"
    backup = await backed_up(database, mount)
    ended = await ran(database, fault=BARE, BACKUP_PATH=str(backup.parent))
    (line,) = lines(ended)
    assert f"{mount} is not mounted: is its disk mounted?" in line
    assert line.index("is its disk mounted?") < line.index(f" restore {backup}")
    assert ended.code == TRY_LATER
    assert [*mount.iterdir()] == []


@pytest.mark.parametrize("left", [None, ".lock"])
async def test_empty_folder_asks_for_its_disk_before_a_restore(
    tmp_path: Path, left: str | None
) -> None:
    """Whether a disk was there can't be known, so a person has to look."""
    database = tmp_path / "disk" / "data" / "ligretto.sqlite3"
    backup = await backed_up(database, database.parents[1])
    with closing(sqlite3.connect(backup)) as db, db:
        db.execute("DELETE FROM notes WHERE key = 'mount'")
    if left is not None:
        database.parent.mkdir()
        database.with_name(database.name + left).touch()
    ended = await ran(database, fault=BARE, BACKUP_PATH=str(backup.parent))
    (line,) = lines(ended)
    assert line.index("is its disk mounted?") < line.index(f" restore {backup}")
    assert ended.code == MEND
    checked = await ran(database, "check", fault=BARE, BACKUP_PATH=str(backup.parent))
    assert f"FIX   database: {line}" in lines(checked)


async def test_database_moved_to_another_disk_is_remembered(tmp_path: Path) -> None:
    database = tmp_path / "disk" / "data" / "ligretto.sqlite3"
    for mount, noted in ((database.parents[1], [(str(database.parents[1]),)]), (Path("/"), [])):
        _ = await ran(database, fault=DISK_AT.format(mount=str(mount)))
        with closing(sqlite3.connect(database)) as db:
            sql = "SELECT value FROM notes WHERE key = 'mount'"
            assert db.execute(sql).fetchall() == noted


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("EROFS", TRY_LATER, "make the disk writable"),
        ("ENOSPC", TRY_LATER, "free some disk space"),
        ("EACCES", MEND, "chown"),
    ],
)
async def test_log_file_on_a_bad_disk(tmp_path: Path, name: str, code: int, said: str) -> None:
    place = tmp_path / "logs" / "bot.log"
    fault = REFUSING.format(folder=str(place.parent), number=getattr(errno, name))
    ended = await ran(tmp_path / "data" / "ligretto.sqlite3", fault=fault, LOG_FILE=str(place))
    (line,) = lines(ended)
    assert line.startswith("LOG_FILE: ")
    assert said in line
    assert ended.code == code


async def test_locked_database_names_the_other_program(tmp_path: Path) -> None:
    database = tmp_path / "data" / "ligretto.sqlite3"
    await made(database)
    impatient = "import bot.store.database.file\nbot.store.database.file.BUSY_MS = 50\n"
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        ended = await ran(database, fault=impatient)
    (line,) = lines(ended)
    assert "another program" in line
    assert "free some disk space" not in line
    assert ended.code == TRY_LATER


@pytest.mark.parametrize("most", [8, 16, 63])
async def test_too_few_files_are_told_in_a_line(tmp_path: Path, most: int) -> None:
    """Whichever file would be the one too many."""
    fault = f"import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, ({most}, {most}))\n"
    ended = await ran(tmp_path / "data" / "ligretto.sqlite3", fault=fault)
    (line,) = lines(ended)
    assert "raise `ulimit -n`" in line
    assert ended.code == MEND


async def test_enough_files_are_enough(tmp_path: Path) -> None:
    fault = "import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))\n"
    ended = await ran(tmp_path / "data" / "ligretto.sqlite3", fault=fault)
    *_, line = lines(ended)
    assert "Discord cannot be reached" in line
    assert ended.code == TRY_LATER
