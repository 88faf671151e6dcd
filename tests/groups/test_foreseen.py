"""A check foresees what a start would be told: both ask the same function."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

import pytest

from bot.groups.layout import Layout
from bot.groups.lease.holder import holder_file
from bot.groups.lease.leases import RENEWAL, Leases
from bot.groups.lease.own_group import OwnGroup
from bot.groups.lease.refusals import GroupError
from bot.groups.valkey import Valkey
from bot.ops.check.groups.own_group import own_group, start_of
from bot.ops.check.groups.records import members
from tests.groups.starts import Bot, Machine, bot_in

COUNT = 4
RESTORED = RENEWAL + 2.0
"""Seconds until a running group has put back what Valkey lost."""


@pytest.fixture
async def bot(tmp_path: Path) -> AsyncIterator[Bot]:
    async with bot_in(tmp_path) as one:
        _ = one.say("SADD", "ligretto:bot:groups", "0")  # so that nobody waits for lost numbers
        yield one


async def stopped(one: Machine) -> None:
    await one.start()
    await one.stop()


async def new(bot: Bot, one: Machine) -> Machine:
    return one


async def stopped_here(bot: Bot, one: Machine) -> Machine:
    await stopped(one)
    return one


async def killed_here(bot: Bot, one: Machine) -> Machine:
    await one.start()
    await one.kill()
    return one


async def copy_of_a_running_one(bot: Bot, one: Machine) -> Machine:
    await one.start()
    return bot.copied(one)


async def copy_of_a_stopped_one(bot: Bot, one: Machine) -> Machine:
    await stopped(one)
    return bot.copied(one)


async def copy_of_a_killed_one(bot: Bot, one: Machine) -> Machine:
    await one.start()
    await one.kill()
    return bot.copied(one)


async def older_copy_of_a_stopped_one(bot: Bot, one: Machine) -> Machine:
    await stopped(one)
    old = bot.copied(one)
    await stopped(one)
    return old


async def stopped_here_before_it_moved(bot: Bot, one: Machine) -> Machine:
    await stopped(one)
    await stopped(bot.copied(one))
    return one


async def new_beside_a_stopped_one(bot: Bot, one: Machine) -> Machine:
    """As after a typing error in DATABASE_PATH."""
    await stopped(one)
    return bot.machine()


async def with_a_server_of_another_shard(bot: Bot, one: Machine) -> Machine:
    """As if the database of one process, or of another group, were used for this group."""
    await stopped(one)
    with one.changed() as db:
        db.execute("INSERT INTO guilds VALUES (?, 1, NULL)", (3 << 22,))
    return one


History: TypeAlias = Callable[[Bot, Machine], Awaitable[Machine]]
HISTORIES: tuple[History, ...] = (
    new,
    stopped_here,
    killed_here,
    copy_of_a_running_one,
    copy_of_a_stopped_one,
    copy_of_a_killed_one,
    older_copy_of_a_stopped_one,
    stopped_here_before_it_moved,
    new_beside_a_stopped_one,
    with_a_server_of_another_shard,
)
SITUATIONS = {
    "alone": ("0", "", COUNT, "whole"),
    "a new Valkey": ("0", "", COUNT, "emptied"),
    "no Valkey": ("0", "", COUNT, "away"),
    "shared shards": ("0,1", "1,2", COUNT, "whole"),
    "another count": ("0", "1", 2 * COUNT, "whole"),
}
"""The shards of this start, those of another group that runs, its count, and Valkey."""


async def foreseen(bot: Bot, one: Machine, ids: str) -> OwnGroup | str:
    """The group of a start that is only asked for, or why it would be refused."""
    layout = Layout(COUNT, tuple(map(int, ids.split(","))))
    valkey = Valkey(bot.server.url, "bot", one.clock)
    try:
        return await start_of(one.path, Leases(valkey, layout)).foreseen()
    except GroupError as refused:
        return str(refused)
    finally:
        await valkey.close()


async def outcome(one: Machine, ids: str) -> OwnGroup | str:
    """The group of a real start, or why it was refused."""
    try:
        return await one.start(ids)
    except GroupError as refused:
        return str(refused)


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("history", HISTORIES, ids=lambda history: history.__name__)
async def test_a_start_ends_as_it_was_foreseen(bot: Bot, history: History, situation: str) -> None:
    one = await history(bot, bot.machine())
    ids, others, count, valkey = SITUATIONS[situation]
    if others:
        with suppress(GroupError):  # a group that runs already refuses it
            await bot.machine().start(others, count)
    if valkey == "emptied":
        await bot.restart_valkey()
        await asyncio.sleep(RESTORED)
    elif valkey == "away":
        bot.server.kill()
    keys, is_known = bot.server.store.listed(), holder_file(one.path).exists()
    expected = await foreseen(bot, one, ids)
    assert bot.server.store.listed() == keys, "a check changes nothing"
    assert holder_file(one.path).exists() == is_known
    found = await outcome(one, ids)
    if isinstance(found, OwnGroup):
        assert isinstance(expected, OwnGroup), expected
        assert expected.number == 0 or (expected.number, expected.start) == (
            found.number,
            found.start,
        )
        return
    assert isinstance(expected, str), expected
    if "running elsewhere" in expected:  # a start waits for that lease, and may see it run out
        assert "running elsewhere" in found or "last ran elsewhere" in found
    else:
        assert found == expected


async def test_the_group_is_shown_in_words(bot: Bot) -> None:
    one = bot.machine()
    assert await shown(bot, one) == ("later this group: the first start gets a number from Valkey")
    await one.start()
    assert await shown(bot, one) == "ok    this group: number 1, held here and running"
    copy = bot.copied(one)
    assert await shown(bot, copy) == (
        "FIX   this group: group 1 is running elsewhere, with another copy of this database: stop "
        "it there before you start it here"
    )
    await one.stop()
    assert await shown(bot, one) == "ok    this group: number 1, held here"
    assert await shown(bot, bot.copied(one)) == (
        "ok    this group: number 1, released by its last holder: it can start here"
    )


async def shown(bot: Bot, one: Machine) -> str:
    """The line of a check."""
    valkey = Valkey(bot.server.url, "bot", one.clock)
    try:
        start = start_of(one.path, Leases(valkey, Layout(COUNT, (0,))))
        return str(await own_group(start, await members(valkey)))
    finally:
        await valkey.close()
