"""What is pressed while the bot still reads its tables waits for that, and keeps its order."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiosqlite
import pytest

from bot.ops.log import milestones
from tests.stories.faulty import BrokenError, busy, instead
from tests.stories.test_order_of_arrival import seats
from tests.stories.world import LONG, STARTED, World, given


@pytest.fixture(autouse=True)
def _told(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger=milestones.__name__)


@asynccontextmanager
async def half_started(world: World) -> AsyncIterator[None]:
    """Kill the bot and start it on a busy disk: Discord greets it before it has read its tables.

    What happens within this happens before it has. Afterwards it has.
    """
    ready = starts(world)
    with instead(busy):
        await started_again(world)
        yield
        given(starts(world) == ready, "tables are still read")
        async with asyncio.timeout(STARTED):
            while starts(world) == ready:  # noqa: ASYNC110 a line of a log tells nobody
                await asyncio.sleep(0.1)
    await asyncio.sleep(LONG)


async def started_again(world: World) -> None:
    """Kill it, start it, and wait until Discord greets it."""
    world.bot.kill()
    greeted = len(world.server.gateway.identifies)
    world.bot.start()
    await world.server.wait_for(lambda: len(world.server.gateway.identifies) > greeted, STARTED)
    await world.server.wait_ready(STARTED)


def starts(world: World) -> int:
    """How often the bot has said that it is ready."""
    return sum(line.startswith("ready: ") for line in world.said(0))


async def test_seats_are_taken_in_order_of_arrival_while_tables_are_read(world: World) -> None:
    await world.lobby("anna")
    people = [world.person(name) for name in ("dora", "ben", "cleo")]
    public = world.public
    async with half_started(world):
        pressed = [world.server.click(one.user, public, label="Join", stale=True) for one in people]
    for one in pressed:
        assert (await one.wait()).ok
    assert seats(world) == ["Anna", "Dora", "Ben", "Cleo"]


async def test_commands_are_answered_though_none_is_known_yet(world: World) -> None:
    anna = world.person("anna")
    async with half_started(world):
        asked = world.server.slash(anna.user, world.channel, "dice")
        typed = world.server.autocomplete(
            anna.user, world.channel, "history", {"match": ""}, focused="match"
        )
    assert (await asked.wait()).ok
    assert "Dice" in world.public.text
    assert (await typed.wait()).choices == []


async def test_tables_that_cannot_be_read_end_the_start_though_discord_has_greeted(
    world: World,
) -> None:
    """It leaves Discord in order, and people press again at the next start."""
    await world.lobby("anna")
    with instead(busy):
        await started_again(world)
        world.server.click(world.server.user("ben"), world.public, label="Join", stale=True)
        with instead(broken):
            assert isinstance(await world.bot.ended(), BrokenError)
    assert not world.server.gateway.ready
    await world.start()
    _ = await world.person("ben").press_public("Join")
    assert seats(world) == ["Anna", "Ben"]


async def broken(_: aiosqlite.Connection) -> None:
    raise BrokenError("disk I/O error")
