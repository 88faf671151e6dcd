"""The message of a match that is over, in a channel where people play on."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.tables.decisions.timeouts import IDLE_FOR
from bot.ui.tables.upkeep import REPOSTED_AFTER
from tests.loopback.players import Player
from tests.stories.world import LONG, Message, World, given, labels, running

MINUTE = 60.0


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with running(tmp_path) as one:
        yield one


async def over(people: list[Player]) -> Message:
    """All but one leave. Return the message of the match that is over."""
    for player in people[1:]:
        await player.leave()
    await asyncio.sleep(LONG)
    given("Rematch" in labels(people[0].public), "the match is over")
    return people[0].public


async def opened(player: Player) -> Message:
    """Return the message of another table."""
    _ = await player.open()
    await asyncio.sleep(LONG)
    return player.public


async def missed(world: World, message: Message) -> None:
    """Somebody deletes the message, which the bot finds when it has been restarted."""
    world.server.delete_message(message)
    assert await world.bot.stop() is None
    await world.start()
    await asyncio.sleep(MINUTE)


async def test_deleted_result_is_not_posted_below_the_next_table(world: World) -> None:
    people = await world.live("anna", "ben")
    result, lobby = await over(people), await opened(people[0])
    await missed(world, result)
    assert world.public is lobby
    assert not lobby.deleted


async def test_result_too_old_to_be_edited_is_not_posted_below_the_next_table(
    world: World,
) -> None:
    people = await world.live("anna", "ben")
    result, lobby = await over(people), await opened(people[0])
    fault = world.server.fault(f"PATCH .*/messages/{result.id}$", code=30046, status=429, times=1)
    assert await world.bot.stop() is None
    await world.start()
    await asyncio.sleep(MINUTE)
    given(fault.hits, "an edit was refused")
    assert world.public is lobby
    assert not result.deleted


async def test_deleted_result_is_posted_again_where_nobody_plays_on(world: World) -> None:
    people = await world.live("anna", "ben")
    result = await over(people)
    await missed(world, result)
    assert world.public is not result
    assert "Rematch" in labels(world.public)


async def test_old_result_is_not_moved_below_the_next_table(world: World) -> None:
    people = await world.live("anna", "ben")
    for _ in range(int((REPOSTED_AFTER - 2 * MINUTE) / (IDLE_FOR / 2))):
        _ = await people[0].press_public("My cards")
        await asyncio.sleep(IDLE_FOR / 2)
    _ = await over(people)
    lobby = await opened(people[0])
    await asyncio.sleep(10 * MINUTE)
    assert world.public is lobby
