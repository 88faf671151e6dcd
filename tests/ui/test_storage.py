"""The disk takes nothing for a while: the match stands still, and nobody loses it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.tables.state.session import Phase
from bot.tasks import PAUSE
from tests.ui.simulated import COUNT, SimulatedBot, simulated_bot, words


@pytest.fixture
async def sim(tmp_path: Path) -> AsyncIterator[SimulatedBot]:
    async with simulated_bot(tmp_path / "storage.db") as one:
        yield one


async def writes(sim: SimulatedBot, *, on: bool) -> None:
    await sim.app.database.writing.execute(f"PRAGMA query_only = {'OFF' if on else 'ON'}")


async def test_a_person_is_told_and_presses_again(sim: SimulatedBot) -> None:
    (anna,) = await sim.lobby("Anna")
    await writes(sim, on=False)
    await anna.on_board("Add robot")
    assert "Something went wrong" in words(anna.panel)
    assert len(sim.session.chairs) == 1
    await writes(sim, on=True)
    await anna.on_board("Add robot")
    assert len(sim.session.chairs) == 2


async def test_who_opens_a_table_then_is_told_to_type_it_again(sim: SimulatedBot) -> None:
    """There is no table to press at."""
    anna = sim.person("Anna")
    await writes(sim, on=False)
    await anna.open()
    assert "try the command again" in words(anna.private[-1])
    await writes(sim, on=True)
    await anna.open()
    assert len(sim.session.chairs) == 1


async def test_the_count_goes_on_when_the_disk_does(sim: SimulatedBot) -> None:
    anna, ben = await sim.lobby("Anna", "Ben")
    await anna.on_board("Start")
    await sim.later(3)
    for player in (anna, ben):
        await player.on_panel("Ready")
    await writes(sim, on=False)
    await sim.later(60)
    assert sim.session.phase is Phase.COUNT
    await writes(sim, on=True)
    await sim.later(PAUSE + COUNT)
    assert phase(sim) is Phase.LIVE


async def test_computers_play_on_when_the_disk_does(sim: SimulatedBot) -> None:
    await with_a_computer(sim)
    moves = sim.session.moves
    await writes(sim, on=False)
    await sim.later(60)
    assert (sim.session.phase, sim.session.moves) == (Phase.LIVE, moves)
    await writes(sim, on=True)
    await sim.later(20)
    assert sim.session.moves > moves


async def with_a_computer(sim: SimulatedBot) -> None:
    (anna,) = await sim.lobby("Anna")
    await anna.on_board("Add robot")
    await anna.on_board("Start")
    await sim.later(3)
    await anna.on_panel("Ready")
    await sim.later(COUNT)


def phase(sim: SimulatedBot) -> Phase:
    return sim.session.phase
