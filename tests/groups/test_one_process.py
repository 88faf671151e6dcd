"""A group from its start to its end, as a whole process in simulated time."""

import asyncio
import shutil
import signal
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from bot.demo.discordpy import pointed_at
from bot.fakediscord import Server
from bot.groups.lease.leases import LIFE
from bot.ui.connection.gateway.identify_turns import TURN
from tests.loopback.players import seated
from tests.simulate.loop import VirtualLoop
from tests.simulate.process import Process
from tests.simulate.valkey import Valkey

AT_ONCE = 0.1
KEY = "ligretto:a:"


@pytest.fixture
async def discord() -> AsyncIterator[Server]:
    async with Server() as one:
        one.settings.most_emojis = 0
        with pointed_at(one.url, one.ws_url):
            yield one


@pytest.fixture
def group(discord: Server, standin: Valkey, tmp_path: Path) -> Callable[[str], Process]:
    """Makes a process that hasn't started, with all shards of the bot."""

    def made(name: str) -> Process:
        (folder := tmp_path / name).mkdir()
        return Process(folder, shard_count=1, shard_ids=(0,), valkey_url=standin.url)

    return made


def said(standin: Valkey, *words: str) -> object:
    return standin.run([word.encode() for word in words])


async def stopped_at_once(process: Process) -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    assert process.is_running
    assert loop.handles(process.number, signal.SIGTERM)
    began = loop.time()
    assert await process.stop() is None
    assert loop.time() - began < AT_ONCE


async def test_stop_while_another_holds_the_lease(
    discord: Server, standin: Valkey, group: Callable[[str], Process]
) -> None:
    one, copy = group("a"), group("b")
    one.start()
    await discord.wait_ready(60)
    shutil.copytree(one.folder, copy.folder, dirs_exist_ok=True)
    copy.start()
    await asyncio.sleep(LIFE)
    await stopped_at_once(copy)
    assert said(standin, "EXISTS", f"{KEY}lease:1") == 1
    assert await one.stop() is None


async def test_stop_while_a_shard_waits_for_its_turn(
    standin: Valkey, group: Callable[[str], Process]
) -> None:
    """The group is released: another machine may have it at once."""
    one = group("a")
    _ = said(standin, "SET", f"{KEY}identify:0", "", "PX", str(int(4 * TURN * 1000)))
    one.start()
    await asyncio.sleep(2 * TURN)
    assert said(standin, "EXISTS", f"{KEY}lease:1") == 1
    await stopped_at_once(one)
    assert said(standin, "EXISTS", f"{KEY}lease:1") == 0
    assert said(standin, "HGET", f"{KEY}group:1", "released") == b"1"


async def test_press_is_not_heard_while_somebody_else_may_have_the_group(
    discord: Server, standin: Valkey, group: Callable[[str], Process]
) -> None:
    """The machine was asleep for longer than the lease lives, and hasn't heard of Valkey yet."""
    one = group("a")
    one.start()
    await discord.wait_ready(60, commands=True)
    anna, ben = await seated(discord, discord.all_channels[0], ["anna", "ben"], 3)
    standin.delay = lambda: 0.5
    loop = standin.loop
    loop.stand_still(LIFE + 1)
    _ = discord.click(anna.user, anna.panel, label="Ready")
    await asyncio.sleep(4.0)
    assert discord.late == 1
    assert (await discord.click(ben.user, ben.panel, label="Ready").wait()).ok
    assert await one.stop() is None
