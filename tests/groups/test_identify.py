"""Shards of all groups identify one after the other, in each of Discord's buckets."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import discord
import pytest

from bot.app import App
from bot.demo.discordpy import pointed_at
from bot.fakediscord import Server
from bot.groups.group import Group
from bot.groups.layout import Layout
from bot.groups.valkey import Valkey
from bot.ops.log.connecting import Connecting
from bot.ops.login import AwayError, leave_some
from bot.store.database.file import open_database
from bot.ui.connection.client import Client
from bot.ui.connection.gateway.identify_turns import DAY, TURN, WITHOUT, IdentifyTurns
from tests.loopback.bots import clock_here
from tests.simulate.valkey import Valkey as StandIn


def limits(max_concurrency: int = 1, remaining: int = 1000) -> discord.SessionStartLimits:
    return discord.SessionStartLimits(
        total=1000, remaining=remaining, reset_after=60_000, max_concurrency=max_concurrency
    )


@pytest.fixture
async def server() -> AsyncIterator[StandIn]:
    one = StandIn()
    await one.start()
    yield one
    assert not one.unknown


class Shards:
    """Shards of several groups that wait for their turns."""

    def __init__(self, server: StandIn) -> None:
        self.loop = server.loop
        self.began = server.loop.time()
        self.valkeys = [Valkey(server.url, "bot", clock_here()) for _ in range(2)]
        self.at: dict[int, float] = {}

    def turns(self, group: int, max_concurrency: int = 1) -> IdentifyTurns:
        return IdentifyTurns(self.valkeys[group], clock_here(), limits(max_concurrency))

    async def waited(self, turns: IdentifyTurns, *shards: int) -> None:
        """Wait for one shard after the other, as a group does, and note when each may identify."""
        for shard in shards:
            await turns.wait(shard)
            self.at[shard] = self.loop.time() - self.began

    async def close(self) -> None:
        for one in self.valkeys:
            await one.close()


@pytest.fixture
async def shards(server: StandIn) -> AsyncIterator[Shards]:
    one = Shards(server)
    yield one
    await one.close()


async def test_two_groups_take_turns_in_the_order_of_asking(shards: Shards) -> None:
    one, other = shards.turns(0), shards.turns(1)
    await asyncio.gather(shards.waited(one, 0, 1, 2), shards.waited(other, 4, 5, 6))
    assert [*shards.at] == [0, 4, 1, 5, 2, 6]
    assert [*shards.at.values()] == pytest.approx([TURN * n for n in range(6)], abs=0.1)


async def test_each_bucket_has_turns_of_its_own(shards: Shards) -> None:
    """With 2 at once, even shards don't wait for odd ones, and ask by other connections."""
    turns = [shards.turns(0, 2) for _ in range(4)]
    await asyncio.gather(*(shards.waited(one, shard) for shard, one in enumerate(turns)))
    for bucket in ((0, 2), (1, 3)):
        at = sorted(shards.at[shard] for shard in bucket)
        assert at == pytest.approx([0.0, TURN], abs=0.1)


async def test_a_turn_that_is_too_far_away_is_not_wasted(shards: Shards) -> None:
    """discord.py gives a connection up after 60 s and tries again: so it would never come up."""

    async def connect(shard: int) -> None:
        while shard not in shards.at:
            with suppress(TimeoutError):
                await asyncio.wait_for(shards.waited(shards.turns(0), shard), 60.0)

    many = range(24)
    await asyncio.gather(*map(connect, many))
    times = sorted(shards.at.values())
    assert all(later - before >= TURN - 0.1 for before, later in pairwise(times))
    assert times[-1] < len(many) * TURN + 3 * TURN


async def test_a_valkey_that_is_slow_for_one_shard_makes_no_turn_shorter(
    server: StandIn, shards: Shards
) -> None:
    """Discord would refuse the session that comes less than five seconds later (PLATFORM 2)."""
    server.delay = lambda: 0.3 if 0 not in shards.at else 0.0
    await asyncio.gather(shards.waited(shards.turns(0), 0), shards.waited(shards.turns(1), 4))
    assert shards.at[4] - shards.at[0] >= 5.0


async def test_without_valkey_a_shard_waits_a_little_and_goes(
    server: StandIn, shards: Shards
) -> None:
    """Discord refuses it if it comes too early, and discord.py tries again."""
    server.kill()
    await shards.waited(shards.turns(0), 0)
    assert shards.at[0] == pytest.approx(WITHOUT, abs=0.1)


async def test_starts_are_counted_over_all_groups_by_the_day(
    server: StandIn, shards: Shards
) -> None:
    one, other = shards.turns(0, 16), shards.turns(1, 16)
    await shards.waited(one, 0, 1)
    await shards.waited(other, 4)
    assert (await one.counted(), await other.counted()) == (3, 3)
    await asyncio.sleep(DAY)
    assert await one.counted() == 0
    server.kill()
    assert await one.counted() == 0


def test_a_start_leaves_some_sessions_by_whichever_figure_is_higher() -> None:
    leave_some(limits(), 990)
    leave_some(limits(remaining=10))
    for remaining, counted in ((9, 0), (1000, 991)):
        with pytest.raises(AwayError, match="too many starts today"):
            leave_some(limits(remaining=remaining), counted)


async def test_discord_refuses_no_shard_of_two_groups_that_start_together(
    server: StandIn, tmp_path: Path
) -> None:
    async with Server() as fake:
        fake.settings.most_emojis = 0
        began = server.loop.time()
        with pointed_at(fake.url, fake.ws_url):
            await asyncio.gather(
                connected(server, tmp_path / "1", Layout(4, (0, 1))),
                connected(server, tmp_path / "2", Layout(4, (2, 3))),
            )
        times = [at for at, _ in fake.gateway.identifies]
        shards = [shard for _, (shard, _) in fake.gateway.identifies]
        assert [sorted(shards[:2]), sorted(shards[2:])] == [[0, 2], [1, 3]]
        assert all(later - before >= TURN - 0.2 for before, later in pairwise(times))
        assert server.loop.time() - began < 5 * TURN


async def test_start_with_many_shards_says_how_far_it_is(
    server: StandIn,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each shard gives the start ten more minutes, which systemd allows it as a whole."""
    caplog.set_level(logging.INFO, "bot.ops.log.connecting")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(0)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        async with Server() as fake:
            fake.settings.most_emojis = 0
            with pointed_at(fake.url, fake.ws_url):
                progress = Connecting(TURN, clock_here())
                layout = Layout(8, tuple(range(8)))
                await connected(server, tmp_path / "1", layout, progress.shard)
        told = [systemd.recv(100) for _ in range(7)]
    assert told == [b"EXTEND_TIMEOUT_USEC=600000000"] * 7
    lines = [record.getMessage() for record in caplog.records]
    assert [line for line in lines if "shards" in line] == [
        "1 of 8 shards connected: 36 s or more left",
        "7 of 8 shards connected: 5 s or more left",
    ]


async def connected(
    server: StandIn,
    database: Path,
    layout: Layout,
    on_shard: Callable[[int, int], None] = lambda _connected, _every: None,
) -> None:
    """Be a group of this layout until all of its shards are connected."""
    clock = clock_here()
    valkey = Valkey(server.url, "bot", clock)
    db = await open_database(database)
    app = App(db, clock, group=Group(layout))
    try:
        async with Client(app, layout) as client:
            client.turns, client.on_shard = IdentifyTurns(valkey, clock, limits()), on_shard
            running = server.loop.create_task(client.start("a.b.c"))
            while not (client.shards and client.is_connected):  # noqa: ASYNC110 a client tells nobody
                await asyncio.sleep(0.1)
            assert {shard for shard, _ in client.latencies} == set(layout.ids)
            await client.close()
            await asyncio.wait((running,))
    finally:
        await db.close()
        await valkey.close()
