"""Commands on a disk that takes no more: one line, and the code that docs/commands.md promises."""

import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.__main__ import _asked
from bot.bench import main as bench
from bot.config import Config
from bot.store.copies import back_up
from tests.store.conftest import opened
from tests.store.matches import ANNA, BEN, match, play

WORDS = (("ratings",), ("backup", "copy"), ("export", "out"), ("restore", "kept"))


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
async def busy(path: Path) -> Path:
    """A database with so many matches that whatever comes of them is larger than the room."""
    async with opened(path) as store:
        for _ in range(200):
            _ = await play(store, match({ANNA: 30, BEN: 12}))
    _ = back_up(path, path.with_name("kept"))
    return path


def config(path: Path) -> Config:
    return Config(_env_file=None, discord_token=SecretStr("a.b.c"), database_path=path)


def ratings(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT * FROM ratings ORDER BY player").fetchall()


@pytest.mark.parametrize("words", WORDS, ids=lambda words: words[0])
def test_a_full_disk_is_told_in_one_line(
    words: tuple[str, ...],
    busy: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(busy.parent)
    before, files = ratings(busy), sorted(busy.parent.glob("*"))
    with room_for(33_000):
        code = _asked(words, config(busy))
    told = capsys.readouterr()
    assert (code, told.out) == (2, "")
    assert told.err.count("\n") == 1
    assert "(free some disk space or make the disk writable, then try again)" in told.err
    assert ratings(busy) == before
    left = [file for file in busy.parent.glob("*") if file not in files]
    assert [file.name for file in left if not file.name.endswith(("-wal", "-shm", ".lock"))] == []


@pytest.mark.parametrize("words", [("backup", "file/copy"), ("export", "file/out")])
def test_a_place_that_is_none_is_told_in_one_line(
    words: tuple[str, ...],
    busy: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(busy.parent)
    Path("file").touch()
    assert _asked(words, config(busy)) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_mistake_of_the_bots_own_is_not_taken_for_a_full_disk(
    busy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise sqlite3.ProgrammingError("this is a fault")

    monkeypatch.setattr("bot.ops.shell.export", fails)
    with pytest.raises(sqlite3.ProgrammingError):
        _asked(["export", "out"], config(busy))


def test_a_bench_on_a_full_disk(capsys: pytest.CaptureFixture[str]) -> None:
    with room_for(20_000):
        code = bench(["--seats", "1000", "--servers", "2"])
    told = capsys.readouterr()
    assert code == 2
    assert told.err.startswith("python -m bot bench: ")
    assert told.err.count("\n") == 1
