"""A few evenings with everything going wrong; many more are a command (docs/testing.md)."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SEEDS = {"1": 4, "5": 3, "8": 3}
"""How many evenings, from which one on."""
AGAIN = 3
"""Of the first ones: they are played once more under another hash seed."""
PLANTED = 2
PACE = "2.5"
"""Seconds between two presses: calmer evenings than those of the command, for half the work."""
TRACE = re.compile(r"^seed (\d+): trace (\w+)", re.MULTILINE)

pytestmark = pytest.mark.real("simulations in processes of their own, under two hash seeds")


def simulated(seeds: int, hash_seed: int, *more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.simulate", "--verbose", "--jobs", "1", *more]
    return subprocess.run(  # noqa: S603 our own command
        [*command, "--seeds", str(seeds)],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("first", SEEDS)
def test_no_promise_is_broken(first: str) -> None:
    played = simulated(SEEDS[first], 1, "--first", first, "--pace", PACE)
    assert played.returncode == 0, played.stdout
    assert len(TRACE.findall(played.stdout)) == SEEDS[first]


def test_a_seed_is_played_again_alike() -> None:
    """Whatever the order of sets is, and whenever Python looks for garbage."""
    first, second = (
        dict(TRACE.findall(simulated(AGAIN, hash_seed, "--pace", PACE).stdout))
        for hash_seed in (1, 2)
    )
    assert len(first) == AGAIN
    assert first == second


def test_an_answer_before_its_commit_is_caught() -> None:
    planted = simulated(PLANTED, 1, "--plant", "answer before commit")
    assert planted.returncode == 1, planted.stdout
    assert "an answered move is in the journal" in planted.stdout
