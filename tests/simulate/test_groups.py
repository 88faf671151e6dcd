"""A few evenings of several groups; many more are a command (docs/testing.md)."""

import pytest

from tests.simulate.test_seeds import TRACE, simulated

SEEDS = (1, 3)
AGAIN = 1
"""The seed that is played once more under another hash seed."""
SHORT = ("--groups", "2", "--tables", "1", "--seconds", "90", "--pace", "1.5")
pytestmark = pytest.mark.real("simulations in processes of their own, under two hash seeds")


@pytest.mark.parametrize("seed", SEEDS)
def test_groups_break_no_promise_and_a_seed_is_played_again_alike(seed: int) -> None:
    how = ("--first", str(seed), *SHORT)
    played = simulated(1, 1, *how)
    assert played.returncode == 0, played.stdout
    traces = TRACE.findall(played.stdout)
    assert len(traces) == 1
    if seed == AGAIN:
        assert TRACE.findall(simulated(1, 2, *how).stdout) == traces


def test_a_number_that_two_groups_give_is_caught() -> None:
    planted = simulated(1, 1, *SHORT, "--plant", "number reused")
    assert planted.returncode == 1, planted.stdout
    assert "no table has two owners" in planted.stdout
