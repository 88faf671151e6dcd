"""`/plain`: one person's panels in words alone, the news first, wherever and whenever he plays."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.ui.managing import asks, presses
from tests.ui.simulated import SimulatedBot, simulated_bot, walk, words


@pytest.fixture
async def sim(tmp_path: Path) -> AsyncIterator[SimulatedBot]:
    async with simulated_bot(tmp_path / "night.db") as one:
        yield one


def has_pictures(stored: Any) -> bool:
    return any(part.get("emoji") for part in walk(stored.components)) or "🔴" in words(stored)


async def test_it_is_asked_for_in_one_step_and_taken_back_in_one(sim: SimulatedBot) -> None:
    anna, ben = await sim.live("Anna", "Ben")
    panels = anna.panel, ben.panel
    told = await asks(anna, "plain")
    assert "Plain text is on" in words(told)
    await sim.later(20)  # the lobby's panels are deleted in a channel that nobody knows yet
    assert not has_pictures(panels[0])
    assert has_pictures(panels[1]), "it is one person's own choice"
    assert has_pictures(sim.public)
    told = await asks(anna, "plain")
    assert "Plain text is off" in words(told)
    await sim.later(6)  # an unknown channel's pushes are paced
    assert has_pictures(panels[0])


async def test_the_news_come_first(sim: SimulatedBot) -> None:
    anna, _ = await sim.live("Anna", "Ben")
    panel = anna.panel
    await asks(anna, "plain")
    await sim.later(20)
    assert words(panel).startswith("**Go!**\n"), "while there are none"
    await presses(anna, panel, "Flip")
    assert words(panel).splitlines()[0].startswith("Turned up ")
    assert words(panel).count("Turned up ") == 1


async def test_it_holds_after_a_restart_and_is_forgotten_with_the_person(sim: SimulatedBot) -> None:
    anna = sim.person("Anna")
    await asks(anna, "plain")
    await sim.restart()
    await anna.open()
    assert anna.id in await sim.app.archive.plain_readers()
    await anna.on_board("Leave")
    await sim.later()
    asked = await asks(anna, "privacy")
    assert "plain text" in words(asked)
    await presses(anna, asked, "Delete my data")
    await presses(anna, asked, "Yes, delete it")
    assert anna.id not in await sim.app.archive.plain_readers()
    assert "Plain text is on" in words(await asks(anna, "plain")), "as somebody new"
