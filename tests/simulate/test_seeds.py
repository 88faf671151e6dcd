"""A few evenings with everything going wrong; many more are a command (docs/testing.md)."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SEEDS = 3
AGAIN = 2
"""Seeds that are played once more under another hash seed."""
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


@pytest.mark.parametrize("seed", range(1, SEEDS + 1))
def test_no_promise_is_broken_and_a_seed_is_played_again_alike(seed: int) -> None:
    played = simulated(1, 1, "--first", str(seed))
    assert played.returncode == 0, played.stdout
    traces = TRACE.findall(played.stdout)
    assert len(traces) == 1
    if seed <= AGAIN:
        assert TRACE.findall(simulated(1, 2, "--first", str(seed)).stdout) == traces


def test_an_answer_before_its_commit_is_caught() -> None:
    planted = simulated(1, 1, "--plant", "answer before commit")
    assert planted.returncode == 1, planted.stdout
    assert "an answered move is in the journal" in planted.stdout
