"""Processes of one bot: one of them registers the commands, and its owner knows who speaks."""

import asyncio

from bot.clock import SystemClock
from bot.groups.group import ALONE, Group
from bot.groups.layout import Layout
from bot.groups.valkey import Valkey
from bot.ops.owner.problems import heading
from tests.groups.processes import Groups
from tests.real import PATIENCE

PUT = "PUT /applications/#/commands"


def registrations(groups: Groups) -> int:
    return sum(n for (route, _), n in groups.discord.statuses.items() if route == PUT)


async def test_one_group_registers_and_the_next_when_it_has_stopped(groups: Groups) -> None:
    one, two = groups.process("a", "0-1", 4), groups.process("b", "2-3", 4)
    await one.run()
    async with asyncio.timeout(PATIENCE):
        while not registrations(groups):  # noqa: ASYNC110 a process tells nobody
            await asyncio.sleep(0.05)
    await two.run()
    assert registrations(groups) == 1
    assert "commands registered" not in two.output
    assert await one.stop() == 0
    async with asyncio.timeout(PATIENCE):
        while "commands registered" not in two.output:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    assert "group 2 registers commands and uploads emojis for the bot" in two.output


async def test_owner_reads_which_group_has_a_problem() -> None:
    valkey = Valkey("redis://127.0.0.1:1", "1", SystemClock())
    assert heading(Group(Layout(4, (2, 3)), 7, valkey)) == "Group 7 (shards 2-3 of 4):\n"
    assert heading(ALONE) == ""
    await valkey.close()
