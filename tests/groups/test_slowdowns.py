"""Discord's limit of the whole bot, met by one group, slows down all of them once."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from bot.clock import SystemClock
from bot.groups.slowdowns import Slowdowns
from bot.groups.valkey import Valkey
from bot.ids import ChannelId
from bot.tasks import OwnedTasks
from tests import valkey
from tests.groups.pair import pair
from tests.real import PATIENCE


class Slowed:
    """A group, and what has slowed it down: a channel, or the whole bot (None)."""

    def __init__(self, server: valkey.Server, number: int) -> None:
        clock = SystemClock()
        self.tasks, self.valkey = OwnedTasks(), Valkey(server.url, "1", clock)
        self.by: list[ChannelId | None] = []
        self.slow = Slowdowns(self.valkey, number, clock, self.tasks, self.by.append)
        self.tasks(self.slow.run(), name="slowdowns")

    async def stop(self) -> None:
        await self.tasks.stop()
        await self.valkey.close()


@pytest.fixture
async def groups(server: valkey.Server) -> AsyncIterator[list[Slowed]]:
    found = [Slowed(server, number) for number in (1, 2, 3)]
    yield found
    for one in found:
        await one.stop()


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not holds():  # noqa: ASYNC110 groups tell nobody
            await asyncio.sleep(0.01)


async def test_a_limit_of_the_whole_bot_slows_down_each_group_once(groups: list[Slowed]) -> None:
    """None of them tells it again. The second limit, of another group, comes after the first."""
    groups[0].slow.rate_limited(None)
    await until(lambda: all(one.by for one in groups))
    groups[1].slow.rate_limited(None)
    await until(lambda: all(len(one.by) > 1 for one in groups))
    assert [one.by for one in groups] == [[None, None]] * 3


async def test_a_limit_of_a_channel_is_told_to_nobody(groups: list[Slowed]) -> None:
    groups[0].slow.rate_limited(ChannelId(7))
    groups[0].slow.rate_limited(None)
    await until(lambda: all(None in one.by for one in groups))
    assert [one.by for one in groups] == [[ChannelId(7), None], [None], [None]]


async def test_limits_met_at_once_are_told_as_one(groups: list[Slowed]) -> None:
    """Twelve calls that were under way have met it; the others' calls were not among them."""
    for _ in range(12):
        groups[0].slow.rate_limited(None)
    await until(lambda: bool(groups[1].by))
    groups[2].slow.rate_limited(None)
    await until(lambda: len(groups[1].by) == 2)
    assert [len(one.by) for one in groups] == [13, 2, 2]


async def test_a_group_that_starts_hears_of_the_last_minute(server: valkey.Server) -> None:
    """Whatever is older is over: every group is faster again."""
    one = Slowed(server, 4)
    seconds, _ = await one.valkey.ask(lambda db: db.time())
    await told(one.valkey, seconds - 300)
    await told(one.valkey, seconds - 30)
    await until(lambda: bool(one.by))
    assert one.by == [None]
    await one.stop()


async def told(valkey: Valkey, unix: int) -> None:
    """Have another group tell of a limit at this time."""
    key, entry = valkey.key("slow"), f"{unix * 1000}-0"
    await valkey.ask(lambda db: db.xadd(key, {"group": b"1"}, id=entry))


async def test_a_group_hears_again_after_a_server_that_was_killed(
    groups: list[Slowed], server: valkey.Server
) -> None:
    """What is met meanwhile slows down one group alone."""
    groups[0].slow.rate_limited(None)
    await until(lambda: all(one.by for one in groups))
    server.kill()
    groups[0].slow.rate_limited(None)
    await server.start()
    while len(groups[1].by) < 2:
        groups[2].slow.rate_limited(None)
        await asyncio.sleep(0.2)
    assert len(groups[0].by) >= 2


async def test_a_running_group_shares_its_own_calls_and_limits(
    server: valkey.Server, tmp_path: Path
) -> None:
    """What its floor does not take goes by Valkey. A limit slows down the other group as well."""
    async with pair(server, tmp_path) as there:
        first, second = (one.running.context.budget for one in (there.first, there.second))
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*(first.take_own() for _ in range(12)))
        key = there.valkey.key("edits")
        assert await there.valkey.ask(lambda db: db.get(key)) is not None
        full = second.gap
        there.first.app.rate_limited(None)
        await until(lambda: second.gap > full)
        assert first.gap == second.gap == 2 * full
