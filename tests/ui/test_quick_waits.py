"""Timers are found as simcord finds them, without looking through all of them for each task."""

import asyncio
from pathlib import Path

from simcord import _settlement

from tests.ui.quick_waits import Timers, is_parked
from tests.ui.simulated import simulated_bot


async def test_timers_are_found_as_simcord_finds_them(tmp_path: Path) -> None:
    async with simulated_bot(tmp_path / "ligretto.sqlite3") as bot:
        await bot.lobby("Anna", "Ben")
        state = bot.env._settlement_state()
        timers, found = Timers(state, state.work.callbacks), 0
        for task in _settlement._owned_tasks(state):
            waiter = getattr(task, "_fut_waiter", None)
            theirs = _settlement._timer_records_waking(state, task, waiter)
            ours = timers.waking(task, waiter)
            assert {id(one) for one in ours} == {id(one) for one in theirs}, task
            found += len(theirs)
        assert found > 5


async def test_tasks_are_parked_as_simcord_finds_them(tmp_path: Path) -> None:
    async with simulated_bot(tmp_path / "ligretto.sqlite3") as bot:
        await bot.lobby("Anna", "Ben")
        waits = asyncio.ensure_future(asyncio.Event().wait())
        await asyncio.sleep(0)
        runs = asyncio.ensure_future(asyncio.sleep(0))
        state = bot.env._settlement_state()
        tasks = (*_settlement._owned_tasks(state), waits, runs)
        ours = [is_parked(state, task, 0.0) for task in tasks]
        assert ours == [_settlement._is_parked(state, task, 0.0) for task in tasks]
        assert ours.count(True) > 5
        assert ours[-2:] == [False, False]
        waits.cancel()


async def test_no_timer_goes_by_the_machines_clock(tmp_path: Path) -> None:
    """Otherwise time passes by itself on a slow machine, and more presses are let in."""
    async with simulated_bot(tmp_path / "ligretto.sqlite3") as bot:
        await bot.lobby("Anna", "Ben")
        timers = [one for one in bot.env._settlement_state().work.callbacks if one.when is not None]
        assert timers
        assert all(one.real_handle is None for one in timers)
