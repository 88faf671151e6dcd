"""A few evenings with everything going wrong; many more are a command (docs/testing.md)."""

import os
import re
import shutil
from subprocess import CompletedProcess

import pytest

from tests.forks import ran

SEEDS = 10
AGAIN = (4, 7, 10)
"""Seeds that are played once more under another hash seed: the quietest evenings."""
OTHERWISE = {6: ("--http-client", "aiohttp"), 7: ("--tls",) if shutil.which("openssl") else ()}
"""Seeds that are played as a bot behind a proxy calls Discord, and over TLS."""
CROWDED = 108
RACED = 300
PACE = "2.5"
"""Seconds between two presses: calmer evenings than the command's, for half the work."""
PLANTED_SEEDS = 5
SMALL = ("--tables", "1", "--seconds", "90")
"""An evening that is large enough for a fault that shows at once."""
TRACE = re.compile(r"^seed (\d+): trace (\w+)", re.MULTILINE)

pytestmark = pytest.mark.real("simulations in processes of their own, under two hash seeds")


def simulated(seeds: int, hash_seed: int, *more: str) -> CompletedProcess[str]:
    command = ("-m", "tests.simulate", "--verbose", "--jobs", "1", *more, "--seeds", str(seeds))
    return ran(*command, env={**os.environ, "PYTHONHASHSEED": str(hash_seed)})


@pytest.mark.parametrize("seed", range(1, SEEDS + 1))
def test_no_promise_is_broken_and_a_seed_is_played_again_alike(seed: int) -> None:
    how = ("--first", str(seed), "--pace", PACE, *OTHERWISE.get(seed, ()))
    played = simulated(1, 1, *how)
    assert played.returncode == 0, played.stdout
    traces = TRACE.findall(played.stdout)
    assert len(traces) == 1
    if seed in AGAIN:
        assert TRACE.findall(simulated(1, 2, *how).stdout) == traces


def test_crowded_tables_race_and_every_race_is_told_truly() -> None:
    """Of a large campaign one evening: `--races 100000` (docs/testing.md)."""
    crowded = simulated(1, 1, "--races", "1", "--seed", str(CROWDED), "--seconds", "60")
    assert crowded.returncode == 0, crowded.stdout
    (found,) = re.findall(r"(\d+) raced, (\d+) too late", crowded.stdout)
    assert int(found[0]) > RACED
    assert int(found[1]) > 0


@pytest.mark.parametrize(
    ("fault", "promise"),
    [
        ("answer before commit", "an answered move is in the journal"),
        ("seat not freed", "everyone can open a table again"),
        ("queue not forgotten", "no channel queue is left"),
        ("screen kept too long", "a kept screen is the one that would be drawn"),
    ],
)
def test_a_planted_fault_is_caught(fault: str, promise: str) -> None:
    planted = simulated(PLANTED_SEEDS, 1, *SMALL, "--plant", fault)
    assert planted.returncode == 1, planted.stdout
    assert promise in planted.stdout
