"""The command that makes faults: it tells what is caught from what is missed."""

import subprocess
import sys

from tests.mutants.__main__ import CODE, files
from tests.mutants.campaign import drawn
from tests.mutants.equivalent import LISTED
from tests.mutants.faults import ROOT, faults


def mutants(*arguments: str) -> tuple[int, str]:
    """The exit code and what was printed."""
    command = [sys.executable, "-m", "tests.mutants", "--jobs", "1", *arguments]
    done = subprocess.run(  # noqa: S603 our own list
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def test_faults_are_caught_by_the_tests_of_their_module() -> None:
    code, told = mutants(
        *("--count", "3", "--seed", "2"),
        *("--code", "bot/tables/presses/rate_limit.py", "--tests", "tests/tables/test_rate.py"),
    )
    assert "3 of 3 caught" in told, told
    assert code == 0


def test_faults_that_no_test_reaches_are_missed() -> None:
    code, told = mutants(
        *("--count", "1", "--seed", "1"),
        *(
            "--code",
            "bot/tables/presses/rate_limit.py",
            "--tests",
            "tests/games/dice/test_rules.py",
        ),
    )
    assert "0 of 1 caught (0.0 %), 1 missed" in told, told
    assert code == 1


def test_a_seed_draws_the_same_faults_again() -> None:
    paths = files(["bot/games/dice"])
    assert drawn(paths, 20, 7) == drawn(paths, 20, 7)
    assert drawn(paths, 20, 7) != drawn(paths, 20, 8)
    assert drawn(paths, 5, 7) == drawn(paths, 20, 7)[:5]


def test_every_listed_fault_can_still_be_made() -> None:
    everything = [fault for path in files(CODE) for fault in faults(path)]
    for listed in LISTED:
        assert any(listed.is_of(fault) for fault in everything), listed
        assert listed.why
