"""`split` and `merge` as they are mistyped: one line says what is wrong, and nothing is written."""

from pathlib import Path

import pytest

from bot.cli.main import main
from tests.store.conftest import opened

REFUSED = {
    "split a.db --into 0": "--into: a bot has one group or more, not 0",
    "split a.db --into -2 --shard-count 8": "--into: a bot has one group or more, not -2",
    "split a.db --into 3 --shard-count 8": "--into: 8 shards make 1, 2, 4, 8 equal groups, not 3",
    "split a.db --into 16 --shard-count 8": "--into: 8 shards make 1, 2, 4, 8 equal groups, not 16",
    "split a.db --into 2 --shard-count 0": "--shard-count: a bot has 1 to 16384 shards, not 0",
    "split a.db --into 2 --shard-count -8": "--shard-count: a bot has 1 to 16384 shards, not -8",
    "split a.db --into 2 --shard-count 32768": (
        "--shard-count: a bot has 1 to 16384 shards, not 32768"
    ),
    "split a.db --into 2 --shard-count x": (
        "python -m bot split: error: argument --shard-count: invalid int value: 'x'"
    ),
    "split folder --into 2": "folder is a folder, not a database",
    "split missing.db --into 2": "missing.db does not exist",
    "split text --into 2": "text cannot be read as a database: file is not a database",
    "split empty --into 2": "empty is not a database of this bot",
    "merge a.db --into new.db": "a merge takes two databases or more",
    "merge a.db a.db --into new.db": "a.db is named twice",
    "merge a.db b.db link.db --into new.db": "link.db is named twice",
    "merge a.db folder --into new.db": "folder is a folder, not a database",
    "merge a.db text --into new.db": "text cannot be read as a database: file is not a database",
    "merge a.db empty --into new.db": "empty is not a database of this bot",
    "merge a.db b.db --into a.db": "a.db already exists: move it away first",
    "merge a.db b.db --into folder": "folder already exists: move it away first",
    "merge a.db b.db --into dangling": "dangling already exists: move it away first",
}
"""By command line: the last line that is said."""
BESIDE = (".lock", "-wal", "-shm")
"""Files that a running bot also makes beside its database."""


@pytest.fixture
async def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two databases of one bot, and what is none."""
    for name in ("a.db", "b.db"):
        async with opened(tmp_path / name):
            pass
    (tmp_path / "text").write_text("hello " * 1000)
    (tmp_path / "empty").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.db").symlink_to("a.db")
    (tmp_path / "dangling").symlink_to("nowhere")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("line", REFUSED)
def test_mistyped_command_writes_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    before = {one.name for one in folder.iterdir()}
    try:
        code: object = main(line.split())
    except SystemExit as argparse:
        code = argparse.code
    assert code == 2
    out, problem = capsys.readouterr()
    assert (out, problem.splitlines()[-1]) == ("", REFUSED[line])
    made = {one.name for one in folder.iterdir()} - before
    assert made <= {name + end for name in ("a.db", "b.db") for end in BESIDE}
