"""The benchmark in small: every row is measured, and how fast is not asked."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.tables.presses.rate_limit import PRESSES
from tests.bench.checkout import checkout
from tests.bench.crowd import AT_ONCE, BenchError, Crowd, MiscountError, RefusedError
from tests.bench.figures import by_rounds, table
from tests.bench.memory import told
from tests.bench.people import Flipper, Presser
from tests.bench.presses import presses
from tests.bench.run import PARTS, SMALL, measured
from tests.bench.sides import game_side
from tests.bench.standin import Interaction, Server
from tests.loopback.bots import ROOT

LIMIT = "PRESSES, WITHIN = 30, 2.0"


async def test_every_row_can_be_measured(tmp_path: Path) -> None:
    rows = await measured(tmp_path, SMALL, PARTS)
    shown = table(rows)
    for what in (
        "processor time per press, 8 at once",
        "processor time per press, one at a time",
        "latency, one at a time, median",
        "latency, one at a time, p99",
        "latency, 8 at once, median",
        "presses per second, 4 tables",
        "memory, idle, 3 servers",
        "memory over 200 presses",
        "memory of 6 live tables",
        "public edits a second",
        "start with 6 tables",
        "2 live tables of four people",
        "card moves a second",
        "moves committed, 10 tables, FULL",
    ):
        assert f"| {what}" in shown
    assert all(row.ours for row in rows)


async def test_refused_presses_fail_the_run(tmp_path: Path) -> None:
    """Against a commit whose bot takes eight presses per person and hour."""
    repository = tmp_path / "repository"
    for part in ("bot", "migrations"):
        shutil.copytree(ROOT / part, repository / part)
    limit = repository / "bot" / "tables" / "presses" / "rate_limit.py"
    assert LIMIT in limit.read_text()
    limit.write_text(limit.read_text().replace(LIMIT, "PRESSES, WITHIN = 8, 3600.0"))
    _ = _git(repository, "init", "--quiet")
    _ = _git(repository, "add", ".")
    _ = _git(repository, *AUTHOR, "commit", "--quiet", "--message", "A limit nobody can keep to")
    with (
        checkout("HEAD", repository) as other,
        pytest.raises(RefusedError, match=r"was refused: .*Too fast"),
    ):
        _ = await presses(tmp_path, SMALL.effort, other)


async def test_presses_without_moves_fail_the_run(tmp_path: Path) -> None:
    with pytest.raises(MiscountError, match="20 presses were counted, but there are 0 moves"):
        await _pressed_carelessly(tmp_path / "ours.db", 20)


async def test_nobody_presses_more_often_than_is_allowed(tmp_path: Path) -> None:
    """Both would, by far, if each pressed as soon as answered."""
    async with game_side(tmp_path / "ours.db", 1, faces=False) as side:
        latencies = await side.crowd.presses(2 * (PRESSES + 10), AT_ONCE)
    assert len(latencies) == 2 * (PRESSES + 10)


def test_checkout_is_gone_afterwards(tmp_path: Path) -> None:
    repository, file = tmp_path / "repository", tmp_path / "repository" / "bot.txt"
    repository.mkdir()
    _ = _git(repository, "init", "--quiet")
    for text in ("old", "new"):
        file.write_text(text)
        _ = _git(repository, "add", ".")
        _ = _git(repository, *AUTHOR, "commit", "--quiet", "--message", text)
    with checkout("HEAD~1", repository) as tree:
        assert (tree / "bot.txt").read_text() == "old"
    assert not tree.exists()
    assert len(_git(repository, "worktree", "list").splitlines()) == 1
    assert file.read_text() == "new"
    with (
        pytest.raises(BenchError, match="invalid reference: nonsense"),
        checkout("nonsense", repository),
    ):
        pass


def test_rounds_are_told_as_medians_with_ranges() -> None:
    row = by_rounds("a press", 1.3, [1100.0, 1300.0, 1200.0], [1000.0, 800.0, 1200.0], "us")
    assert row.ours == "1,200 [1,100..1,300] us"
    assert row.other == "1,000 [800..1,200] us"
    assert row.ratio == "1.20; per round 1.10 [1.00..1.62]"
    assert row.met


def test_memory_says_which_parts_are_compared() -> None:
    held = [100.0, 101, 102, 103, 104, 104, 104, 104, 104, 104]
    assert told(held, 20_000) == (
        "MB after each 20,000 presses: 100, 101, 102, 103, 104, 104, 104, 104, 104, 104;"
        " last / first 1.040, last / after 100,000 1.000"
    )


AUTHOR = ("-c", "user.name=bench", "-c", "user.email=bench@invalid")


@dataclass
class Careless:
    """Presses what cannot be pressed, and takes every answer for a move."""

    server: Server
    person: Presser
    shown: int = 0

    def press(self) -> Interaction:
        self.shown += 1
        assert isinstance(self.person, Flipper)
        user, panel, word = self.person.user, self.person.panel, f"{self.person.word}77"
        return self.server.click(user, panel, word, stale=True)


async def _pressed_carelessly(database: Path, count: int) -> None:
    async with game_side(database, 1, faces=False) as side:
        careless = Crowd([Careless(side.server, one) for one in side.crowd.people])
        _ = await careless.presses(count, AT_ONCE)
        side.crowd.pressed = careless.pressed


def _git(repository: Path, *arguments: str) -> str:
    command = ("git", "-C", str(repository), *arguments)
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603
