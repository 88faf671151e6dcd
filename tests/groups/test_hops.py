"""Presses in direct messages reach the group that has their table."""

import asyncio
from pathlib import Path

from tests import valkey
from tests.groups.pair import Pair, pair
from tests.loopback.correspondents import Correspondent, direct_lobby, started
from tests.loopback.players import all_ready, labels, played_out

RESTARTING = "The part of the bot that runs your table is restarting"


async def at_table(there: Pair) -> list[Correspondent]:
    """Anna and Ben at a table of the second group, with panels as direct messages."""
    people = await direct_lobby(there.discord, "anna", "ben", channel=there.lobby)
    await started(people)
    return people


async def test_a_match_is_played_by_direct_messages(server: valkey.Server, tmp_path: Path) -> None:
    async with pair(server, tmp_path) as there:
        anna, ben = await at_table(there)
        await all_ready([anna, ben])
        await asyncio.gather(*(played_out(one, 0.1) for one in (anna, ben)))
        assert labels(ben.panel) == {"Next round"}
        assert len(ben.letters) == 1, "one message, edited all the time"
        assert not list(there.first.app.tables.index), "the table is the second group's alone"
