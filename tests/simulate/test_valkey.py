"""The stand-in for Valkey can be missing in every way that a group has to live with."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.groups.away import ValkeyAwayError
from bot.groups.lease.leases import NUMBER
from bot.groups.valkey import Valkey as Client
from tests.simulate.owner import PROCESS
from tests.simulate.process import VirtualClock
from tests.simulate.valkey import Valkey

MINE, OTHERS = 7, 8


@pytest.fixture
async def server() -> Valkey:
    one = Valkey()
    await one.start()
    return one


@pytest.fixture
async def client(server: Valkey) -> AsyncIterator[Client]:
    """The bot's own client, in a process of its own."""
    token = PROCESS.set(MINE)
    one = Client(server.url, "bot", VirtualClock(server.loop))
    yield one
    await one.close()
    PROCESS.reset(token)


async def get(client: Client) -> bytes | str | None:
    return await client.ask(lambda db: db.get("a"))


async def test_a_server_that_was_killed_has_forgotten_everything(
    server: Valkey, client: Client
) -> None:
    await client.ask(lambda db: db.set("a", "1"))
    server.kill()
    with pytest.raises(ValkeyAwayError):
        await get(client)
    await server.start()
    await asyncio.sleep(1.0)
    assert await get(client) is None


async def test_a_slow_server_is_missed_although_it_has_done_what_it_was_asked(
    server: Valkey, client: Client
) -> None:
    server.delay = lambda: 5.0
    began = server.loop.time()
    with pytest.raises(ValkeyAwayError):
        await client.ask(lambda db: db.set("a", "1"))
    assert server.loop.time() - began == pytest.approx(1.0)
    server.delay = lambda: 0.0
    await asyncio.sleep(10.0)
    assert await get(client) is None, "it was closed before its command was read"


async def test_a_cut_concerns_one_process_and_what_it_sent_may_arrive_late(
    server: Valkey, client: Client
) -> None:
    assert await get(client) is None
    server.is_cut = lambda process: process == MINE
    with pytest.raises(ValkeyAwayError):
        await client.ask(lambda db: db.set("a", "1"))
    PROCESS.set(OTHERS)
    other = Client(server.url, "bot", VirtualClock(server.loop))
    assert await get(other) is None
    server.is_cut = lambda process: False
    server.mended()
    assert await get(other) == b"1"
    await other.close()


async def test_an_emptied_server_goes_on(server: Valkey, client: Client) -> None:
    await client.ask(lambda db: db.set("a", "1"))
    server.store.empty()
    assert await get(client) is None


async def test_a_key_ends_by_the_servers_clock(server: Valkey, client: Client) -> None:
    await client.ask(lambda db: db.set("a", "1", px=2000))
    await asyncio.sleep(1.9)
    assert await get(client) == b"1"
    await asyncio.sleep(0.2)
    assert await get(client) is None


async def test_a_command_that_nobody_has_taught_it_is_noted(server: Valkey, client: Client) -> None:
    with pytest.raises(ValkeyAwayError):
        await client.ask(lambda db: db.geopos("a", "b"))
    assert server.unknown == ["GEOPOS"]


async def test_a_full_server_refuses_what_grows_also_in_a_script(
    server: Valkey, client: Client
) -> None:
    server.is_full = True
    with pytest.raises(ValkeyAwayError):
        await client.ask(lambda db: db.set("a", "1"))
    with pytest.raises(ValkeyAwayError):
        await client.ask(lambda db: db.eval(NUMBER, 1, "numbers"))
    server.is_full = False
    await asyncio.sleep(1.0)
    assert await get(client) is None
    assert await client.ask(lambda db: db.smembers("numbers")) == set()


async def test_a_server_comes_back_with_what_was_saved(server: Valkey, client: Client) -> None:
    await client.ask(lambda db: db.set("a", "1"))
    saved = server.store.snapshot()
    await client.ask(lambda db: db.set("a", "2"))
    server.kill()
    await server.start(saved)
    with pytest.raises(ValkeyAwayError):
        await get(client)
    await asyncio.sleep(1.0)
    assert await get(client) == b"1"
