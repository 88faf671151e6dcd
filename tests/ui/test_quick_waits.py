"""Timers are found as simcord finds them, without looking through all of them for each task."""

from pathlib import Path

from simcord import _settlement

from tests.ui.quick_waits import Timers
from tests.ui.simulated import simulated_bot


async def test_timers_are_found_as_simcord_finds_them(tmp_path: Path) -> None:
    async with simulated_bot(tmp_path / "ligretto.sqlite3") as bot:
        await bot.lobby("Anna", "Ben")
        state = bot.env._settlement_state()
        timers, found = Timers(state), 0
        for task in _settlement._owned_tasks(state):
            waiter = getattr(task, "_fut_waiter", None)
            theirs = _settlement._timer_records_waking(state, task, waiter)
            ours = timers.waking(task, waiter)
            assert {id(one) for one in ours} == {id(one) for one in theirs}, task
            found += len(theirs)
        assert found > 5
