"""Who leaves is told so, also where the process ends in that moment."""

import asyncio

import pytest

from tests.loopback.correspondents import direct_lobby, started
from tests.loopback.players import labels
from tests.stories.world import LONG, World, given


@pytest.mark.parametrize("phase", ["lobby", "match"])
async def test_panel_of_a_leaver_says_so_after_a_kill(world: World, phase: str) -> None:
    """The journal has it, and nothing has reached the panel: it still offers what it did."""
    people = await (world.lobby if phase == "lobby" else world.live)("ann", "ben", "cem")
    ben = people[1]
    offered = labels(ben.panel)
    given(offered & {"Ready", "Flip"}, "a panel with buttons")
    world.server.fault(f"PATCH .*/messages/{ben.panel.id}", drop=True)
    await ben.leave()
    await asyncio.sleep(LONG)
    world.bot.kill()
    world.server.faults.clear()
    given(labels(ben.panel) == offered, "the panel as it was")
    await world.start()
    await asyncio.sleep(LONG)
    assert not labels(ben.panel) & {"Ready", "Flip"}, ben.panel.text


async def test_press_of_a_leaver_is_not_told_that_the_table_is_gone(world: World) -> None:
    """On a direct message, after a restart; people play on at the table."""
    people = await direct_lobby(world.server, "ann", "ben", "cem")
    await started(people)
    for person in people:
        _ = await person.press("Ready")
    await people[1].sees("Flip")
    ben = people[1]
    world.server.fault(f"PATCH .*/messages/{ben.panel.id}", drop=True)
    await ben.leave()
    await asyncio.sleep(LONG)
    world.bot.kill()
    world.change("DELETE FROM direct_panels")
    world.change("DELETE FROM panels")
    world.server.faults.clear()
    await world.start()
    flip = next(item for item in ben.panel.controls if item.label == "Flip")
    answer = await world.server.click(ben.user, ben.panel, flip.custom_id, stale=True).wait()
    shown = answer.original or ben.panel
    assert "You left this match" in shown.text
