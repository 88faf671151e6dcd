"""A table has one message, whatever is lost on the way to it."""

import asyncio
import random
from pathlib import Path

import pytest

from bot.fakediscord import Fault, Message
from tests.loopback.players import tables
from tests.simulate.power import PowerSupply
from tests.stories.world import LONG, World, at_rest, given, labels

BEFORE_A_LOOK = 30.0


def lobbies(world: World) -> list[Message]:
    return [one for one in world.server.public(world.channel) if "Join" in labels(one)]


async def test_a_lobby_whose_answer_is_lost_is_looked_for(world: World) -> None:
    """Discord has taken the answer, and the bot hears nothing of it."""
    anna, ben = world.person("anna"), world.person("ben")
    world.server.fault("/callback", times=1, drop=True, when="after")
    await world.server.slash(anna.user, world.channel, "ligretto").wait()
    await asyncio.sleep(BEFORE_A_LOOK)
    assert len(lobbies(world)) == 1
    await ben.press_board("Join")
    await asyncio.sleep(LONG)
    assert "Ben" in world.board.text


async def test_a_lobby_whose_command_was_not_answered_posts_itself(world: World) -> None:
    anna = world.person("anna")
    world.server.fault("/callback", times=1, drop=True)
    world.server.slash(anna.user, world.channel, "ligretto")
    await asyncio.sleep(BEFORE_A_LOOK)
    assert len(lobbies(world)) == 1


async def test_a_start_asks_again_where_the_lobby_is(world: World) -> None:
    """Killed in the moment of the answer, and then Discord doesn't say where that is."""
    anna = world.person("anna")
    answer = await world.server.slash(anna.user, world.channel, "ligretto").wait()
    given(answer.ok, "the command is answered")
    world.bot.kill()
    asked = world.server.fault("GET .*/messages/@original", times=1, latency=100.0)
    await world.start()
    await asyncio.sleep(BEFORE_A_LOOK)
    given(asked.hits, "Discord was asked")
    assert len(lobbies(world)) == 1


@pytest.mark.parametrize("seed", range(5))
async def test_a_message_moved_down_is_known_after_a_power_cut(tmp_path: Path, seed: int) -> None:
    """The power goes while the bot waits for the answer to its posting."""
    async with at_rest(tmp_path) as world:
        world.bot.power = PowerSupply(tmp_path)
        with world.bot.power.on():
            await world.start()
            anna, _ = await world.live("anna", "ben")
            await asyncio.sleep(LONG)
            held = Fault("POST .*/messages$", when="after", hold=asyncio.Event())
            world.server.faults.append(held)
            await anna.press_board("Move down")
            await held.reached.wait()
            world.bot.kill(random.Random(seed))
            world.server.faults.clear()
            await world.start()
            await asyncio.sleep(BEFORE_A_LOOK)
            assert len(tables(world.server, world.channel)) == 1
