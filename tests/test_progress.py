"""How far work is: it begins at nothing, never goes back, and comes to an end."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.ops.export import export
from bot.ops.restore import restore
from bot.progress_reporting import Steps, parts
from bot.simulate import calibrate, round_statistics, run
from bot.store.database import backup
from bot.store.database.backup import back_up
from bot.store.records.recomputing import recompute_file
from tests.store.conftest import opened
from tests.store.matches import ANNA, BEN, match, play

MATCHES = 60
PAGES = 200
"""More than the database has."""


class Watched:
    """A progress, and all that it was told, as shares."""

    def __init__(self) -> None:
        self.shares: list[float] = []
        self.totals: set[float] = set()

    def __call__(self, done: float, total: float) -> None:
        self.shares.append(done / total)
        self.totals.add(total)


@pytest.fixture
async def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Looked at so often that even a small database is seen to be worked on."""
    monkeypatch.setattr(backup, "PAGES", 1)
    monkeypatch.setattr(backup, "STEPS", 100)
    async with opened(tmp_path / "ligretto.sqlite3") as store:
        for _ in range(MATCHES):
            _ = await play(store, match({ANNA: 30, BEN: 12}))
    return tmp_path / "ligretto.sqlite3"


def test_parts_are_one_whole() -> None:
    seen = Watched()
    one, other = parts(seen, 1, 3)
    for progress in (one, other):
        for done in (0, 5, 10):
            progress(done, 10)
    assert seen.shares == [0, 0.125, 0.25, 0.25, 0.625, 1]


def test_a_part_without_work_is_done() -> None:
    seen = Watched()
    one, _ = parts(seen, 1, 1)
    one(0, 0)
    assert seen.shares == [0.5]


def test_steps_of_several_lists_are_counted_together() -> None:
    seen = Watched()
    steps = Steps(4, seen)
    assert [*steps.of("ab"), *steps.of("cd")] == ["a", "b", "c", "d"]
    assert seen.shares == [0, 0.25, 0.5, 0.75, 1]


WORK: dict[str, Callable[[Path, Watched], object]] = {
    "backup": lambda path, seen: back_up(path, path.with_name("copy"), seen),
    "restore": lambda path, seen: restore(path, path.with_name("other"), seen),
    "export": lambda path, seen: export(path, path.with_name("out"), seen),
    "ratings": lambda path, seen: asyncio.run(recompute_file(path, seen)),
    "simulate": lambda _, seen: run.main(["--rounds", "1"], seen),
}


@pytest.mark.parametrize("work", WORK)
def test_work_is_told_of_from_its_beginning_to_its_end(work: str, database: Path) -> None:
    seen = Watched()
    WORK[work](database, seen)
    assert seen.shares[0] == 0
    assert seen.shares == sorted(seen.shares)
    assert seen.shares[-1] <= 1
    assert seen.shares[-1] > 0.7, "a check may take fewer instructions than are expected"
    assert len(set(seen.shares)) > 20
    assert len(seen.totals) == 1


def test_ratings_that_are_still_unknown_are_work_as_well(database: Path) -> None:
    with closing(sqlite3.connect(database, isolation_level=None)) as db:
        db.execute("UPDATE matches SET rated_rounds = NULL")
    seen = Watched()
    asyncio.run(recompute_file(database, seen))
    assert len(seen.shares) == 1 + 2 * MATCHES
    assert seen.shares[-1] == 1


def test_an_export_that_is_judged_is_told_of(database: Path) -> None:
    _ = export(database, database.with_name("out"))
    seen = Watched()
    assert calibrate.main(["--export", str(database.with_name("out"))], seen) == 0
    assert seen.shares == sorted(seen.shares)
    assert (seen.shares[0], seen.shares[-1]) == (0, 1)


def test_a_backup_of_many_steps_is_one_instant(database: Path) -> None:
    """A bot writes after each page. A backup that began anew each time would not end."""
    with closing(sqlite3.connect(database, isolation_level=None)) as bot:
        calls = 0

        def plays(done: float, total: float) -> None:
            nonlocal calls
            if done / total <= backup.COPY / (backup.COPY + backup.CHECK):
                calls += 1
                assert calls < PAGES, "pages are copied again and again"
                bot.execute("UPDATE players SET name = ?", (f"Anna {calls}",))

        _ = back_up(database, database.with_name("copy"), plays)
    with closing(sqlite3.connect(database.with_name("copy"))) as copy:
        names = copy.execute("SELECT DISTINCT name FROM players").fetchall()
    assert names == [("Anna 1",)], "what was written before the copy began, and nothing since"


@pytest.mark.parametrize("stage", ["copying", "checking"])
def test_ctrl_c_leaves_no_half_a_backup(stage: str, database: Path) -> None:
    """SQLite asks in the middle of a check whether to go on, which is where Ctrl-C comes."""

    def interrupted(done: float, total: float) -> None:
        if done / total > (0.5 if stage == "checking" else 0.05):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        back_up(database, database.with_name("copy"), interrupted)
    assert not [*database.parent.glob("copy*")]


def test_simulated_rounds_are_the_same_when_they_are_watched() -> None:
    kind, (best, worst) = round_statistics.KINDS[0], round_statistics.PAIRS[0]
    watch = Steps(3, Watched()).of
    assert round_statistics.matchup(kind, best, worst, 1, 3, watch) == round_statistics.matchup(
        kind, best, worst, 1, 3
    )
