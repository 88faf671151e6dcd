"""Commands on a disk that takes no more: one line, and the code that docs/commands.md promises."""

import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from bot.bench import main as bench
from bot.cli.main import main
from bot.store.database.backup import back_up
from tests.store.conftest import opened
from tests.store.matches import ANNA, BEN, match, play

WORDS = (
    *(("ratings",), ("backup", "copy"), ("export", "out"), ("restore", "kept")),
    ("split", "ligretto.sqlite3", "--into", "1"),
    ("merge", "ligretto.sqlite3", "other", "--into", "merged"),
)


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """No file can be written beyond so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture
async def busy(path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database with so many matches that whatever comes of them is larger than the room. Commands
    run beside it.
    """
    async with opened(path) as store:
        for _ in range(200):
            _ = await play(store, match({ANNA: 30, BEN: 12}))
    _ = back_up(path, path.with_name("kept"))
    async with opened(path.with_name("other")):
        pass
    monkeypatch.setenv("DATABASE_PATH", str(path))
    monkeypatch.chdir(path.parent)
    monkeypatch.setenv("LIGRETTO_HOME", str(path.parent))
    return path


def ratings(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT * FROM ratings ORDER BY player").fetchall()


def problems(told: str) -> list[str]:
    """All lines but those that show how far the command is."""
    return [line for line in told.splitlines() if "%" not in line]


@pytest.mark.parametrize("words", WORDS, ids=lambda words: words[0])
def test_a_full_disk_is_told_in_one_line(
    words: tuple[str, ...],
    busy: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before, files = ratings(busy), sorted(busy.parent.glob("*"))
    with room_for(33_000):
        code = main(words)
    told = capsys.readouterr()
    assert (code, told.out) == (2, "")
    assert len(problems(told.err)) == 1
    assert "(free some disk space" in told.err
    assert ratings(busy) == before
    left = [file for file in busy.parent.glob("*") if file not in files]
    assert [file.name for file in left if not file.name.endswith(("-wal", "-shm", ".lock"))] == []


@pytest.mark.parametrize("words", [("backup", "file/copy"), ("export", "file/out")])
def test_a_place_that_is_none_is_told_in_one_line(
    words: tuple[str, ...],
    busy: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("file").touch()
    assert main(words) == 2
    assert len(problems(capsys.readouterr().err)) == 1


def test_a_mistake_of_the_bots_own_is_not_taken_for_a_full_disk(
    busy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise sqlite3.ProgrammingError("this is a fault")

    monkeypatch.setattr("bot.cli.offline.export", fails)
    with pytest.raises(sqlite3.ProgrammingError):
        main(["export", "out"])


def test_a_bench_on_a_full_disk(capsys: pytest.CaptureFixture[str]) -> None:
    with room_for(20_000):
        code = bench(["--seats", "1000", "--servers", "3"])
    told = capsys.readouterr()
    assert code == 2
    assert told.err.startswith("python -m bot bench: ")
    assert told.err.count("\n") == 1
