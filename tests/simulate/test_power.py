"""What is on the disk when the power goes."""

import asyncio
import random
from pathlib import Path

import pytest

from tests.simulate.power import PowerSupply
from tests.stories.world import at_rest


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
            opened, shown = world.rows("SELECT id, message FROM tables"), world.board.id
            world.bot.kill(random.Random(seed))
            assert world.rows("SELECT id, message FROM tables") == opened
            assert opened[0][1] == shown
            await world.start()
            assert [message.id for message in world.server.public(world.channel)] == [shown]
