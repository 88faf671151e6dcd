"""The disk takes nothing for a while: the match stands still, and nobody loses it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.tables.session import Phase
from bot.tables.supervisor import PAUSE
from tests.ui.evening import COUNT, Evening, evening, words


@pytest.fixture
async def night(tmp_path: Path) -> AsyncIterator[Evening]:
    async with evening(tmp_path / "storage.db") as one:
        yield one


async def writes(night: Evening, *, on: bool) -> None:
    await night.app.database.writing.execute(f"PRAGMA query_only = {'OFF' if on else 'ON'}")


async def test_a_person_is_told_and_presses_again(night: Evening) -> None:
    (anna,) = await night.lobby("Anna")
    await writes(night, on=False)
    await anna.on_board("Add")
    assert "Something went wrong" in words(anna.panel)
    assert len(night.session.chairs) == 1
    await writes(night, on=True)
    await anna.on_board("Add")
    assert len(night.session.chairs) == 2


async def test_the_count_goes_on_when_the_disk_does(night: Evening) -> None:
    anna, ben = await night.lobby("Anna", "Ben")
    await anna.on_board("Start")
    await night.later(3)
    for player in (anna, ben):
        await player.on_panel("Ready")
    await writes(night, on=False)
    await night.later(60)
    assert night.session.phase is Phase.COUNT
    await writes(night, on=True)
    await night.later(PAUSE + COUNT)
    assert phase(night) is Phase.LIVE


async def test_computers_play_on_when_the_disk_does(night: Evening) -> None:
    await with_a_computer(night)
    moves = night.session.moves
    await writes(night, on=False)
    await night.later(60)
    assert (night.session.phase, night.session.moves) == (Phase.LIVE, moves)
    await writes(night, on=True)
    await night.later(20)
    assert night.session.moves > moves


async def with_a_computer(night: Evening) -> None:
    (anna,) = await night.lobby("Anna")
    await anna.on_board("Add")
    await anna.on_board("Start")
    await night.later(3)
    await anna.on_panel("Ready")
    await night.later(COUNT)


def phase(night: Evening) -> Phase:
    return night.session.phase
