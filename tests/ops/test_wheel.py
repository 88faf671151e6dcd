"""An installed wheel plays as a clone does, from any folder."""

import fcntl
import os
import signal
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.demo.support import ADDRESS
from tests.forks import ROOT
from tests.real import PATIENCE

BUILD = """
import sys
import hatchling.build as backend
print(backend.build_sdist(sys.argv[1]), backend.build_wheel(sys.argv[1]))
"""
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
NEEDED = {
    *(f"bot/migrations/{one.name}" for one in (ROOT / "migrations").iterdir()),
    *(str(one.relative_to(ROOT)) for one in (ROOT / "bot").rglob("*.po")),
    *(str(one.relative_to(ROOT)) for one in (ROOT / "bot" / "demo").rglob("*.js*")),
    "bot/demo/web/static/page.html",
    "bot/verify/page.html",
    "bot/ops/setup/ligretto.service",
}
"""What a wheel must have beside Python."""
TYPED = "import sys; sys.argv[0] = 'ligretto-bot'; from bot.cli.main import main; sys.exit(main())"
"""What the console script of a wheel does."""


def built(root: Path, into: Path) -> tuple[Path, Path]:
    """The source distribution and the wheel of this source tree."""
    done = subprocess.run(  # noqa: S603 our own program
        [sys.executable, "-c", BUILD, str(into)],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    source, wheel = done.stdout.split()
    return into / source, into / wheel


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `pip install` of the wheel puts into a folder. All workers of a run share it."""
    if "PYTEST_XDIST_TESTRUNUID" not in os.environ:
        return put_together(tmp_path_factory.mktemp("dist"))
    folder = tmp_path_factory.getbasetemp().parent / "dist"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        site = folder / "site"
        return site if site.exists() else put_together(folder)


def put_together(folder: Path) -> Path:
    """The wheel, unpacked. It is that of the source archive, which is built from the clone."""
    source, whole = built(ROOT, folder)
    with tarfile.open(source) as archive:
        archive.extractall(folder / "source", filter="data")
    (unpacked,) = (folder / "source").iterdir()
    (folder / "again").mkdir()
    _, wheel = built(unpacked, folder / "again")
    with zipfile.ZipFile(whole) as one, zipfile.ZipFile(wheel) as other:
        assert sorted(one.namelist()) == sorted(other.namelist())
        other.extractall(folder / "site")  # noqa: S202 our own
    return folder / "site"


def ran(installed: Path, cwd: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    """`ligretto-bot <words>`, in a folder that is nothing to it."""
    return subprocess.run(  # noqa: S603 our own program
        [sys.executable, "-W", "ignore", "-c", TYPED, *words],
        cwd=cwd,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(installed), **env},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_wheel_holds_what_the_bot_reads(installed: Path) -> None:
    there = {str(one.relative_to(installed)) for one in installed.rglob("*") if one.is_file()}
    assert there >= NEEDED
    assert not any(name.startswith(("tests", "scripts", "docs")) for name in there)
    (entry,) = installed.glob("*.dist-info/entry_points.txt")
    assert "ligretto-bot = bot.cli.main:main" in entry.read_text()
    (licence,) = installed.glob("*.dist-info/licenses/LICENSE")
    assert licence.read_text() == (ROOT / "LICENSE").read_text()


def test_a_wheel_keeps_settings_and_data_in_the_users_folders(
    installed: Path, tmp_path: Path
) -> None:
    """From two folders the same database is meant, and neither is written to."""
    user, one, other = (tmp_path / name for name in ("user", "one", "other"))
    for folder in (user, one, other):
        folder.mkdir()
    env = {"HOME": str(user), "DISCORD_TOKEN": "a.b.c"}
    said = {ran(installed, folder, "backup", "copy", **env).stderr for folder in (one, other)}
    database = user / ".local/share/ligretto-bot/ligretto.sqlite3"
    (line,) = said
    assert str(database) in line
    told = ran(installed, one, HOME=str(user))
    file = user / ".config/ligretto-bot/settings.env"
    nowhere = f"set neither in the environment nor in {file}; run `ligretto-bot setup`"
    assert told.stderr == f"DISCORD_TOKEN: {nowhere}\n"
    assert [*one.iterdir(), *other.iterdir()] == []


def test_a_wheel_calls_itself_as_it_is_typed(installed: Path, tmp_path: Path) -> None:
    """No message of it names a file or a command that only a clone has."""
    told = ran(installed, tmp_path, "--help", HOME=str(tmp_path))
    assert told.stdout.startswith("usage: ligretto-bot [-h] [--version]")
    assert "python -m bot" not in told.stdout
    assert "docs/" not in told.stdout
    assert ran(installed, tmp_path, "--version").stdout == f"ligretto-bot {PROJECT['version']}\n"
    missing = ran(installed, tmp_path, HOME=str(tmp_path), METRICS_PORT="1", DISCORD_TOKEN="a.b.c")
    assert ".env.example" not in missing.stderr


def test_a_wheel_plays_the_demo(installed: Path, tmp_path: Path) -> None:
    """The page comes, with what it needs, and nothing is written to the working folder."""
    work = tmp_path / "work"
    work.mkdir()
    process = subprocess.Popen(  # noqa: S603 our own program
        [sys.executable, "-W", "ignore", "-c", TYPED, "demo", "--port", "0", "--no-browser"],
        cwd=work,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(installed), "HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout is not None
        found = next(filter(None, map(ADDRESS.search, process.stdout)))
        with urlopen(found[0]) as page:  # noqa: S310 our own page
            assert "page.js" in page.read().decode()
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
    assert [*work.iterdir()] == []


def test_the_changelog_begins_with_this_version() -> None:
    newest = next(
        line for line in (ROOT / "CHANGELOG.md").read_text().splitlines() if line[:3] == "## "
    )
    assert newest.startswith(f"## {PROJECT['version']}, ")
