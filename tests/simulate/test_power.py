"""What is on the disk when the power goes."""

import asyncio
import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.fakediscord import Fault
from tests.loopback.players import PATIENCE, all_ready
from tests.simulate.power import PowerSupply
from tests.stories.world import at_rest, labels

FORGOTTEN = 6 * 60
"""Seconds after which Discord knows a nonce no more."""


@pytest.mark.parametrize("seed", range(5))
async def test_a_table_outlives_the_power_and_knows_its_message(tmp_path: Path, seed: int) -> None:
    """Otherwise its buttons would belong to the next table that is given its number, or the
    channel would have a message that looks like a table's and is never edited again.
    """
    async with at_rest(tmp_path) as world:
        power = PowerSupply(tmp_path)
        world.bot.power = power
        with power.on():
            await world.start()
            _ = await world.person("Anna").open()
            await asyncio.sleep(2.0)
            opened, shown = world.rows("SELECT id, message FROM tables"), world.public.id
            world.bot.kill(random.Random(seed))
            assert world.rows("SELECT id, message FROM tables") == opened
            assert opened[0][1] == shown
            await world.start()
            assert [message.id for message in world.server.public(world.channel)] == [shown]


async def test_a_panel_that_is_newer_than_what_was_kept_is_its_players_again(
    tmp_path: Path,
) -> None:
    """The power took the deal, and the memory of the panel that it came with. The older one is
    there as well, since Discord did not delete it. Who presses on the newer one sees there what is
    left, and isn't sent to another.
    """
    async with at_rest(tmp_path) as world:
        await world.start()
        anna, ben = await world.match("Anna", "Ben")
        await anna.press_public("My cards")
        await asyncio.sleep(5.0)
        with closing(sqlite3.connect(world.bot.database)) as db:
            kept = db.serialize()
        world.server.faults.append(Fault("DELETE /api/v10/webhooks/", status=403, code=50013))
        await all_ready([anna, ben])
        await anna.press_public("My cards")
        await asyncio.sleep(5.0)
        dealt = world.server.panels(anna.user, world.channel)[-1]
        old = next(item for item in dealt.controls if ":flip" in (item.custom_id or ""))
        world.bot.kill()
        for file in world.bot.folder.glob(f"{world.bot.database.name}*"):
            file.unlink()
        world.bot.database.write_bytes(kept)
        await world.start()
        pressed = await world.server.click(anna.user, dealt, old.custom_id, stale=True).wait()
        assert pressed.callback_type == 7, pressed
        assert "Ready" in {item.label for item in dealt.controls}


@pytest.mark.parametrize("is_posted", [True, False])
async def test_a_seed_that_dealt_cards_outlives_the_power(
    tmp_path: Path, *, is_posted: bool
) -> None:
    """The deal was seen, and Discord has forgotten the message's nonce when the power is back.
    Another seed would deal other cards, as a cheat would who didn't like the first ones. Where no
    message can be posted, the lobby's makes the seed.
    """
    async with at_rest(tmp_path) as world:
        power = PowerSupply(tmp_path)
        world.bot.power = power
        with power.on():
            await world.start()
            anna, ben = await world.lobby("Anna", "Ben")
            if not is_posted:
                world.server.fault(route="POST .*/messages$", status=403, code=50013)
            await anna.press_public("Start")
            await asyncio.sleep(3.0)
            first = world.public.id
            await all_ready([anna, ben])
            dealt = labels(anna.panel)
            world.bot.kill(random.Random(1))
            world.server.faults.clear()
            await asyncio.sleep(FORGOTTEN)
            await world.start()
            for player in (anna, ben):
                await player.press_public("Ready")
            for player in (anna, ben):
                await world.server.wait_for(player.choose, PATIENCE)
            assert labels(anna.panel) == dealt
            ((body,),) = world.rows("SELECT body FROM journal WHERE kind = 'Published' LIMIT 1")
            assert json.loads(body)["message"] == first
