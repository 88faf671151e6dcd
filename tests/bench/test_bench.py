"""The benchmark in small: every row is measured, and how fast is not asked."""

import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from bot.tables.presses.rate_limit import PRESSES
from tests.bench import __main__ as command
from tests.bench.checkout import checkout
from tests.bench.compared import BARE, OURS, RAW, Bot, at, available
from tests.bench.crowd import AT_ONCE, BenchError, Crowd, MiscountError, RefusedError
from tests.bench.evening import Slice
from tests.bench.figures import Row, compared, table
from tests.bench.memory import told
from tests.bench.people import Flipper, Presser
from tests.bench.profile import LOOP, place_of, profile
from tests.bench.run import PARTS, SMALL, measured
from tests.bench.running import running
from tests.bench.sides import game_side, sides
from tests.bench.standin import Interaction, Server
from tests.loopback.bots import ROOT

LIMIT = "PRESSES, WITHIN = 30, 2.0"


async def test_every_row_can_be_measured(tmp_path: Path) -> None:
    size = replace(SMALL, effort=replace(SMALL.effort, tls=(False,)))
    parts = [part for part in PARTS if part not in {"evening", "profile"}]
    rows = [row async for row in measured(tmp_path, size, parts, (BARE, RAW))]
    shown = table(rows)
    for what in (
        "processor time per press, 8 at once, HTTP",
        "processor time per press, one at a time, HTTP",
        "latency, one at a time, median, HTTP",
        "latency, one at a time, p99, HTTP",
        "latency, 8 at once, median, HTTP",
        "presses per second, 4 tables",
        "memory, idle, 3 servers",
        "memory over 200 presses",
        "memory of 6 live tables",
        "public edits a second",
        "start with 6 tables",
        "card moves a second",
        "moves committed, 10 tables, FULL",
    ):
        assert f"| {what}" in shown
    assert all(row.ours for row in rows)
    assert rows[0].others.keys() == {BARE.name, RAW.name}


async def test_evenings_of_two_commits_are_measured(tmp_path: Path) -> None:
    rows = [row async for row in measured(tmp_path, SMALL, ("evening",), (), (at("old", ROOT),))]
    assert [(row.what, row.goal) for row in rows] == [
        ("processor time per press, 2 live tables of four people", "at most 0.5 x old"),
        ("live tables of four people within one core, by processor time", "at least 400"),
        ("latency, 2 live tables of four people", "p95 under 100 ms"),
    ]
    assert all(row.ours and row.others["old"] for row in rows)
    assert " 0 lost" in rows[-1].ours


async def test_every_press_over_tls_is_counted(tmp_path: Path) -> None:
    """By the journal of ours, and by what the others' messages show."""
    count = 24
    async with sides(tmp_path, 1, (OURS, RAW), faces=False, tls=True) as started:
        before = [side.taken for side in started]
        for side in started:
            assert side.server.url.startswith("https:")
            _ = await (await side.round(count, AT_ONCE, 0.0))
        assert [side.taken - old for side, old in zip(started, before, strict=True)] == [
            count,
            count,
        ]


async def test_refused_presses_fail_the_run(tmp_path: Path) -> None:
    """Of a commit whose bot takes eight presses per person and hour."""
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
        pytest.raises(RefusedError, match=r"HEAD: a press was refused: .*Too fast"),
    ):
        async with sides(tmp_path, 1, (at("HEAD", other),), faces=False) as (side,):
            _ = await side.round(40, AT_ONCE, 0.0)


async def test_presses_without_moves_fail_the_run(tmp_path: Path) -> None:
    with pytest.raises(MiscountError, match="20 presses were counted, but there are 0 moves"):
        await _pressed_carelessly(tmp_path / "ours.db", 20)


async def test_lost_press_fails_the_run(tmp_path: Path) -> None:
    lossy = Bot("lossy", ("-c", LOSSY))
    async with sides(tmp_path, 1, (lossy,)) as (side,):
        side.server.settings.ack_deadline = 0.5
        with pytest.raises(RefusedError, match="lossy: a press was not answered"):
            _ = await side.round(10, 1, 0.0)


async def test_bot_that_shows_less_fails_the_run(tmp_path: Path) -> None:
    """Or more: here, than nothing."""
    other = Bot("other", ("-c", MORE))
    with pytest.raises(MiscountError, match="other does not show as much as a panel of ours"):
        async with sides(tmp_path, 1, (other,)):
            pass


async def test_a_bot_that_cannot_start_fails_the_run(tmp_path: Path) -> None:
    broken = Bot("broken", ("-c", "raise SystemExit('no such thing')"))
    with pytest.raises(BenchError, match="ended at its start: no such thing"):
        async with Server() as server, running(broken, server, tmp_path / "broken.db"):
            pass


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
    mine, theirs = [1100.0, 1300.0, 1200.0], [1000.0, 800.0, 1200.0]
    figures = {"ours": mine, "bare": theirs, "old": mine}
    row = compared("a press", {"bare": 1.3, "absent": 0.1}, figures, "us")
    assert row == Row(
        "a press",
        "at most 1.3 x bare",
        "1,200 [1,100..1,300] us",
        met=True,
        others={
            "bare": "1,000 [800..1,200] us; ours 1.20 x [1.00..1.62]",
            "old": "1,200 [1,100..1,300] us; ours 1.00 x [1.00..1.00]",
        },
    )
    assert compared("a press", {"bare": 1.1}, figures, "us").met is False
    assert compared("a press", {}, {"ours": [81.2], "bare": [48.6]}, "MB").others == {
        "bare": "48.6 MB; ours 1.67 x"
    }


def test_table_has_a_column_for_each_bot() -> None:
    rows = [
        Row("a press", "", "1 us", others={"bare": "2 us"}),
        Row("memory", "at most 5 MB", "6 MB", met=False, others={"raw": "3 MB"}),
    ]
    assert table(rows).splitlines() == [
        "| what | goal | ours | met | bare | raw |",
        "| --- | --- | --- | --- | --- | --- |",
        "| a press |  | 1 us |  | 2 us |  |",
        "| memory | at most 5 MB | 6 MB | **no** |  | 3 MB |",
    ]


def test_what_is_not_installed_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hikari", None)
    monkeypatch.setenv("PATH", "")
    bots, reasons = available(("bare", "discord.js", "hikari"))
    assert bots == [BARE]
    assert reasons == [
        "discord.js is left out. To measure it: install Node 20 or newer, with npm",
        "hikari is left out. To measure it: pip install hikari",
    ]


def test_an_evening_costs_what_answered_presses_cost() -> None:
    one = Slice(10.0, 5.0, [1.0, 2.0, float("inf")], moves=1, limited=0)
    assert (one.cost, one.core) == (2_500_000.0, 0.5)
    with pytest.raises(RefusedError, match="old: 1 of 3 presses of an evening were not answered"):
        one.check("old")
    with pytest.raises(RefusedError, match="old: 0 of 0"):
        replace(one, waits=[]).check("old")
    replace(one, waits=[*[1.0] * 199, float("inf")]).check("old")


def test_table_of_a_failed_run_has_the_rows_before(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def measured(*_: object) -> AsyncIterator[Row]:
        yield Row("a press", "", "1 us")
        raise MiscountError("these figures are worthless")

    monkeypatch.setattr(command, "measured", measured)
    monkeypatch.setattr(sys, "argv", ["bench", "--sides", "none"])
    assert command.main() == 1
    shown = capsys.readouterr().out
    assert "| a press |  | 1 us |  |" in shown
    assert "FAILED: these figures are worthless" in shown


def test_a_sample_belongs_to_the_innermost_place() -> None:
    """As py-spy writes stacks, the outermost frame first."""
    asyncio_run, handle = "run (asyncio/runners.py:118)", "_run (asyncio/events.py:80)"
    table, dumps = "decide (bot/tables/decisions/decide.py:9)", "dumps (json/__init__.py:231)"
    assert place_of(["main (bot/cli/main.py:70)", asyncio_run, handle]) == LOOP
    assert place_of([asyncio_run, table, dumps]) == "the table decides"
    assert place_of([asyncio_run, table, "play (/x/bot/games/dice/rules.py:1)"]) == "the rules"
    thread = "_bootstrap (threading.py:1002)"
    assert place_of([thread, "run (aiosqlite/core.py:90)"]) is None


async def test_profile_needs_its_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(BenchError, match="pip install py-spy"):
        _ = await profile(tmp_path, SMALL.effort)


def test_memory_says_which_parts_are_compared() -> None:
    held = [100.0, 101, 102, 103, 104, 104, 104, 104, 104, 104]
    assert told(held, 20_000) == (
        "MB after each 20,000 presses: 100, 101, 102, 103, 104, 104, 104, 104, 104, 104;"
        " last / first 1.040, last / after 100,000 1.000"
    )


LOSSY = """
import uvloop
from tests.bench.bots.raw import PRESS, Raw

answer, presses = Raw._answer, []

async def answer_all_but_the_fifth(self, data):
    presses.append(data["type"] == PRESS)
    if sum(presses) != 5:
        await answer(self, data)

Raw._answer = answer_all_but_the_fifth
uvloop.run(Raw().run())
"""
MORE = """
import os
os.environ["SHAPE"] = '[{"text": "more"}]'
import uvloop
from tests.bench.bots.raw import Raw
uvloop.run(Raw().run())
"""
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
