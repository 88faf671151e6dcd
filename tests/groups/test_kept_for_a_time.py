"""Whatever names a person or holds a token leaves Valkey by itself, also if nobody takes it."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator

import pytest

from bot.groups.hops.sender import KEPT as PRESSES_KEPT
from bot.groups.numbers import number
from bot.groups.people.feed import OLD, TRIMS, Feed, News
from bot.groups.people.orders import STATES_KEPT, Order, Progress, PublishedOrders
from bot.groups.valkey import Valkey
from bot.ids import UserId
from bot.tasks import PAUSE, keep_running
from tests.groups.ends import group_with
from tests.loopback.bots import clock_here
from tests.simulate.valkey import Valkey as Standin

FIRST, SECOND = 3, 5
TABLE = number(1, SECOND)


@pytest.fixture
async def link(standin: Standin) -> AsyncIterator[Valkey]:
    one = Valkey(standin.url, "1", clock_here())
    yield one
    await one.close()


async def seconds_left(link: Valkey, key: str) -> int:
    return int(await link.ask(lambda db: db.ttl(key)))


async def test_press_that_nobody_could_delete_goes(standin: Standin) -> None:
    """Its group is dead, and the one that sent it loses Valkey before it can take it back."""
    async with group_with(standin, FIRST, 0) as first:
        link, stream = first.valkey, first.valkey.key("in", SECOND)
        await link.ask(lambda db: db.hset(link.key("born"), str(SECOND), str(SECOND)))
        await link.ask(lambda db: db.set(link.key("lease", SECOND), "held"))
        first.hops.put(first.press(1, TABLE))
        await asyncio.sleep(0.5)
        assert await link.ask(lambda db: db.xlen(stream)) == 1
        assert 0 < await seconds_left(link, stream) <= PRESSES_KEPT


async def test_news_of_people_are_dropped_once_all_have_heard_them(link: Valkey) -> None:
    heard: list[News] = []

    async def hear(news: News) -> None:
        heard.append(news)

    feed = Feed(link, FIRST, clock_here(), lambda: 0.0)
    feed.on("place", hear)
    running = asyncio.get_running_loop().create_task(feed.run())
    await asyncio.sleep(1.0)
    await feed.tell("place", name="Anna")
    await asyncio.sleep(1.0)
    assert [news["name"] for news in heard] == ["Anna"]
    await asyncio.sleep(OLD + 2 * TRIMS)
    assert await link.ask(lambda db: db.xlen(link.key("people"))) == 0
    await feed.tell("place", name="Ben")
    await asyncio.sleep(1.0)
    assert [news["name"] for news in heard] == ["Anna", "Ben"]
    running.cancel()


async def test_comparison_that_the_disk_has_ended_is_made_again(link: Valkey) -> None:
    feed, full, compared = Feed(link, FIRST, clock_here(), lambda: 0.0), [True], list[bool]()

    async def compare(is_new: bool) -> None:  # noqa: FBT001 as all parts are told
        compared.append(is_new)
        if len(compared) == 2 and full.pop():
            raise sqlite3.OperationalError("database or disk is full")

    feed.on_gap.append(compare)
    await feed.begin()
    feed.compare_soon()
    running = asyncio.get_running_loop().create_task(keep_running(feed.run, "news", clock_here()))
    await asyncio.sleep(2 * PAUSE)
    assert len(compared) == 3
    running.cancel()


async def test_state_of_an_order_that_is_told_late_goes(link: Valkey) -> None:
    orders, order = PublishedOrders(link), Order("1", UserId(7), 0, FIRST)
    await orders.publish(order)
    await orders.withdraw(order)
    await orders.note(order, SECOND, Progress.DONE)
    assert 0 < await seconds_left(link, link.key("order", order.id)) <= STATES_KEPT
