"""What holds the suite together: its lists, its order, and the checks beside it."""

import re
from types import SimpleNamespace
from typing import Any

import pytest

from tests import nightly, slow
from tests.__main__ import main
from tests.real import REAL, ROOT, listed

TESTING = ROOT / "docs" / "testing.md"
NAMED = [*REAL, *slow.SLOW, *slow.WAITS]


@pytest.mark.parametrize("name", NAMED)
def test_what_is_listed_is_there(name: str) -> None:
    file, _, test = name.partition("::")
    path = ROOT / file
    assert path.exists()
    assert not test or test in path.read_text()


def test_everything_real_has_a_reason() -> None:
    without = [name for name, reason in listed() if not reason]
    assert not without


def test_real_marks_are_found() -> None:
    names = [name for name, _ in listed()]
    assert "tests/loopback/test_fakediscord.py::test_tls" in names
    assert "tests/simulate/test_seeds.py" in names


@pytest.mark.parametrize("command", ["python -m tests.real", "tests/slow.py", "pytest --nightly"])
def test_the_documentation_says_where_the_lists_are(command: str) -> None:
    assert command in TESTING.read_text()


def test_every_check_that_fails_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    checks = (("ruff", "version"), ("mypy", "no-such-file"), ("ruff", "no-such-command"))
    assert main(checks) == 2
    told = capsys.readouterr().err
    assert told.count("--- ") == 3
    assert re.findall("FAILED with 2: (.*)", told) == ["mypy no-such-file", "ruff no-such-command"]
    assert re.search("--- mypy.*\n.*no-such-file", told), "what it wrote stands below its name"


def test_the_slowest_start_first(request: pytest.FixtureRequest) -> None:
    names = [item.nodeid for item in request.session.items]
    for waiting in (True, False):
        took = [slow.seconds(name) for name in names if slow.waits(name) is waiting]
        assert took == sorted(took, reverse=True)
    is_slow = [slow.seconds(name) > 0 for name in names]
    assert is_slow == sorted(is_slow, reverse=True)


def test_what_waits_is_spread_among_what_works() -> None:
    working = [f"tests/simulate/test_seeds.py::{number}" for number in range(6)]
    waiting = ["tests/demo/one", "tests/demo/two", "tests/bench/three"]
    found = slow.in_order(["tests/fast", *working, *waiting], str)
    assert found[-1] == "tests/fast"
    assert [slow.waits(name) for name in found[:-1]] == [True, False, False] * 3


def test_only_a_nightly_run_plays_cases_that_others_stand_for() -> None:
    names = [f"{family}[{case}]" for family, cases in nightly.STANDING.items() for case in cases]
    others = {f"{family}[another]" for family in nightly.STANDING}
    standing: list[Any] = [SimpleNamespace(nodeid=name) for name in names]
    every = [*standing, *(SimpleNamespace(nodeid=name) for name in others)]
    assert nightly.left_out(every) == others
    for item in standing:
        with pytest.raises(pytest.UsageError, match=re.escape(item.nodeid)):
            nightly.left_out([one for one in every if one is not item])
