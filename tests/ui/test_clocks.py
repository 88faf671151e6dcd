"""The machine's clock is put right, or wrong, in the middle of an evening."""

from pathlib import Path

import pytest

from bot.tables.state.session import Phase
from tests.ui.simulated import SimulatedClock, simulated_bot, words


@pytest.mark.parametrize("jump", [-3600.0, -10.0, 10.0, 3600.0])
async def test_a_clock_that_jumps_in_a_round_refuses_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    async with simulated_bot(tmp_path / "jump.db") as sim:
        anna, ben = await sim.live("Anna", "Ben")
        right = SimulatedClock.wall
        monkeypatch.setattr(SimulatedClock, "wall", lambda clock: right(clock) + jump)
        for _ in range(3):
            moves = sim.session.moves
            for player in (anna, ben):
                await player.on_panel("Flip")
                assert "too late to count" not in words(player.panel)
            assert sim.session.moves == moves + 2
        await sim.later(6)
        assert sim.session.phase is Phase.LIVE
