"""A disk that takes nothing for a while when the bot starts: no table is lost by that."""

import asyncio

import pytest

from tests.loopback.players import labels
from tests.simulate.disk import Disk
from tests.simulate.sqlite import mounted
from tests.stories.world import LONG, STARTED, World, given

OPENED = 0.05
"""Seconds after which a process that starts has opened its database, and waits for Discord."""


async def test_round_outlives_a_disk_that_fills_up_during_the_start(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It can't be noted that the round is paused. That is none of the table's faults: it lives, and
    is paused as soon as the disk is well.
    """
    disk = Disk()
    monkeypatch.setattr(mounted, "disk", disk)
    people = await world.live("ann", "ben")
    ann = people[0]
    given("Flip" in labels(ann.panel), "a live round")
    world.bot.kill()
    world.bot.start()
    await asyncio.sleep(OPENED)
    disk.is_full = True
    await world.server.wait_ready(STARTED)
    answer = await ann.act()
    given(answer is not None, "a move that is pressed")
    assert answer is not None
    assert "gone" not in (answer.original or ann.panel).text
    disk.well()
    await asyncio.sleep(5 * LONG)
    for person in people:
        _ = await person.press("Ready")
    await ann.sees("Flip")
    again = await world.server.slash(ann.user, world.channel, "dice").wait()
    assert again.original is not None
    assert str(world.public.id) in again.original.text, "there is one table, and it is this one"
