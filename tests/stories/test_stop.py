"""A bot that is stopped tells those who are there, and waits for nobody else."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.app import GRACE
from bot.tables.decisions.presence import ABSENT_AFTER
from bot.ui.tables.messages import IDLE
from tests.stories.discord_world import Player, Server, World, seated, world

SLACK = 0.5
"""Seconds for all else that a stop does."""


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[World]:
    async with world(tmp_path, Server(channels=2)) as one:
        yield one


async def lobbies(server: Server) -> tuple[Player, Player]:
    """The hosts of two, in two channels. Only the first has pressed anything lately."""
    hosts = []
    for name, channel in zip(("anna", "ben"), server.all_channels, strict=False):
        (host, *_) = await seated(server, channel, [name, f"{name}'s friend"], 3)
        hosts.append(host)
    await asyncio.sleep(ABSENT_AFTER)
    await hosts[0].press_public("My cards")
    await asyncio.sleep(5)  # the message shows that she is back
    return hosts[0], hosts[1]


async def stopped(here: World) -> float:
    """Stop the bot, and return the seconds that it took."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    assert await here.bot.stop() is None
    return loop.time() - began


@pytest.mark.parametrize(("whose", "waits"), [("lively", GRACE), ("idle", IDLE)])
async def test_a_stop_waits_for_the_message_of_a_table_at_which_somebody_is(
    here: World, whose: str, waits: float
) -> None:
    """Discord doesn't answer the edit of one message. At an idle table nobody looks at it."""
    lively, idle = await lobbies(here.server)
    slow, other = (lively, idle) if whose == "lively" else (idle, lively)
    here.server.fault(f"PATCH .*/messages/{slow.public.id}$", hold=asyncio.Event())
    assert waits <= await stopped(here) < waits + SLACK
    assert "is restarting" in other.public.text


async def test_a_stop_in_good_weather_tells_all_tables_at_once(here: World) -> None:
    players = await lobbies(here.server)
    assert await stopped(here) < SLACK
    for player in players:
        assert "is restarting" in player.public.text


async def test_an_edit_that_is_on_its_way_at_a_stop_is_not_the_last(here: World) -> None:
    """It was drawn before anybody knew of the stop."""
    lively, _ = await lobbies(here.server)
    way = here.server.fault("PATCH .*/messages/[0-9]+$", hold=asyncio.Event(), times=1)
    _ = await lively.press("Ready")
    await way.reached.wait()
    assert way.hold is not None
    asyncio.get_running_loop().call_later(1.0, way.hold.set)
    await stopped(here)
    assert "is restarting" in lively.public.text


async def test_a_channel_whose_edits_go_slower_is_told_at_once_all_the_same(here: World) -> None:
    """Discord has refused some there. The last one holds up nothing that comes after it."""
    lively, _ = await lobbies(here.server)
    refusals = here.server.fault("PATCH .*/messages/[0-9]+$", retry_after=0.2, times=2)
    _ = await lively.press("Ready")
    await asyncio.sleep(5)
    assert refusals.hits == 2
    assert await stopped(here) < SLACK
    assert "is restarting" in lively.public.text
