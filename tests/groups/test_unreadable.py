"""An entry in Valkey that can't be read holds up no others, and is told once.

Valkey is shared: an older or newer version of the bot, or an operator, may have written anything.
"""

import asyncio
import gzip
import logging
from collections.abc import AsyncIterator, Sequence
from typing import Any

import orjson
import pytest

from bot.groups.away import ValkeyAwayError
from bot.groups.group import Group
from bot.groups.hops.origins import Origins
from bot.groups.hops.press import HandedPress
from bot.groups.known import KnownGroup, RecordedGroups
from bot.groups.layout import Layout
from bot.groups.numbers import SPAN, number
from bot.groups.people.asking import Asking, Missing
from bot.groups.people.chain_list import ChainList
from bot.groups.people.claims import Claims
from bot.groups.people.feed import Feed
from bot.groups.people.forgotten import Forgotten
from bot.groups.people.orders import Order, Progress, PublishedOrders
from bot.groups.people.switches import Switch, Switches
from bot.groups.slowdowns import Slowdowns
from bot.groups.valkey import Valkey
from bot.ids import ChannelId, UserId
from bot.tasks import OwnedTasks
from bot.ui.people.all_groups import _unpacked
from tests.groups.ends import group_with, until
from tests.loopback.bots import clock_here
from tests.simulate.valkey import Valkey as Standin

FIRST, SECOND = 3, 5
ANNA = UserId(7)
LAYOUT = Layout(2, (0,))
HUGE = str(10**30).encode()
WORDS = (b"", b"x", b"-1", b"\xff\xfe", HUGE, b"nan", b"1.5.2", str(SPAN).encode() + b"0" * 30)
"""Whatever stands where a number should."""
TOLD = "can't be read"


@pytest.fixture
async def link(standin: Standin) -> AsyncIterator[Valkey]:
    one = Valkey(standin.url, "1", clock_here())
    yield one
    await one.close()


@pytest.fixture
async def tasks() -> AsyncIterator[OwnedTasks]:
    one = OwnedTasks()
    yield one
    await one.stop()


class Choices:
    """The choices of a group's file."""

    def __init__(self) -> None:
        self.kept: list[Switch] = []

    async def switches(self) -> Sequence[Switch]:
        return self.kept

    async def keep(self, switches: Sequence[Switch]) -> None:
        self.kept += switches

    async def drop(self, user: UserId) -> None:
        self.kept = [one for one in self.kept if one.user != user]


def feed_of(link: Valkey) -> Feed:
    return Feed(link, FIRST, clock_here(), lambda: 1.0)


async def fill(link: Valkey, *key: str, good: Any) -> None:
    """Write a hash with these fields among odd ones."""
    odd: Any = {word or b"-": b"1" for word in WORDS}
    odd |= {b"10%d" % at: word for at, word in enumerate(WORDS)}
    await link.ask(lambda db: db.hset(link.key(*key), mapping={**odd, **good}))


async def test_orders_and_choices_are_read_around_odd_ones(
    link: Valkey, caplog: pytest.LogCaptureFixture
) -> None:
    """A group begins, and hears what is right."""
    orders, feed, store = PublishedOrders(link), feed_of(link), Choices()
    seen = list[Order]()

    async def read(_: bool) -> None:  # noqa: FBT001 as all parts are told
        seen.extend(await orders.all())

    feed.on_gap.append(read)
    choices = Switches("plain", link, feed, store, Forgotten(), lambda: 1.0)
    order = Order("a", ANNA, 5, SECOND)
    await fill(link, "orders", good={b"[]": b"[]", b"{}": b'{"a": 1}', b"[1,2]": b"[1,2]"})
    await orders.publish(order)
    await fill(link, "plain", good={b"7": b"12:1", b"8": HUGE + b":1"})
    for word in WORDS:
        await link.ask(lambda db, word=word: db.sadd(link.key("people", "filled"), word))  # type: ignore[misc]
    await feed.begin()
    assert seen == [order]
    assert choices.is_on(ANNA)
    said = caplog.text.count(TOLD)
    await orders.all()
    assert 0 < said == caplog.text.count(TOLD), "each is told once"
    assert "10" + "0" * 30 not in caplog.text


async def test_choice_that_cannot_be_read_is_replaced(link: Valkey) -> None:
    for word in (*WORDS, HUGE + b":1", b"12:x", b"12"):
        store = Choices()
        choices = Switches("plain", link, feed_of(link), store, Forgotten(), lambda: 1.0)
        await link.ask(lambda db, word=word: db.hset(link.key("plain"), str(ANNA), word))  # type: ignore[misc]
        await choices.set(ANNA, is_on=True)
        assert await link.ask(lambda db: db.hget(link.key("plain"), str(ANNA))) == b"1000:1", word
    assert not link.is_away


async def test_states_of_an_order_are_read_around_odd_ones(link: Valkey) -> None:
    orders, order = PublishedOrders(link), Order("a", ANNA, 5, SECOND)
    await fill(link, "order", "a", good={b"5": b"done", b"6": b"of a newer version"})
    assert await orders.states(order) == {SECOND: Progress.DONE}


async def test_groups_are_known_around_odd_records(link: Valkey) -> None:
    """A group whose record can't be read may have any shard."""
    for word in (*WORDS, b"3", b"5"):
        await link.ask(lambda db, word=word: db.sadd(link.key("groups"), word))  # type: ignore[misc]
    good = {b"count": b"2", b"shards": b",0,", b"servers": b"9"}
    await fill(link, "group", "3", good=good)
    for shards in WORDS[1:]:
        await fill(link, "group", "5", good=good | {b"shards": shards, b"servers": shards})
        known = await RecordedGroups(link, LAYOUT).known()
        assert known == [
            KnownGroup(3, (0,), is_alive=False, servers=9),
            KnownGroup(5, (), is_alive=False, servers=None),
        ], shards


async def test_origins_are_read_around_odd_ones(link: Valkey) -> None:
    group = Group(LAYOUT, FIRST, link)
    origins = Origins(group, (), RecordedGroups(link, LAYOUT))
    await fill(link, "born", good={b"5": b"5,9"})
    await origins.read()
    assert origins.others(number(1, 9)) == [SECOND]


async def test_claim_that_cannot_be_read_is_nobodys_to_guess(link: Valkey) -> None:
    claims = Claims(link, feed_of(link), RecordedGroups(link, LAYOUT), LAYOUT)
    for word in WORDS:
        await link.ask(lambda db, word=word: db.set(link.key("daily", "d", "m"), word))  # type: ignore[misc]
        with pytest.raises(ValkeyAwayError):
            await claims.holder("d", "m")
        await claims.put_back([("d", "m")])
    assert not link.is_away


async def test_chain_that_cannot_be_read_holds_the_list(link: Valkey) -> None:
    """Those after it are of no use: all groups have to deal the same."""
    chains = ChainList(link, feed_of(link), RecordedGroups(link, LAYOUT))
    assert await chains.share(["a"]) == ["a"]
    await fill(link, "daily", "chains", good={})
    with pytest.raises(ValkeyAwayError):
        await chains.share(["a"])
    assert not link.is_away


async def test_slowdowns_are_heard_behind_odd_ones(link: Valkey, tasks: OwnedTasks) -> None:
    slowed = list[ChannelId | None]()
    slow = Slowdowns(link, FIRST, clock_here(), tasks, slowed.append)
    tasks(slow.run(), name="slowdowns")
    for entry in ({b"a": b"b"}, *({b"group": word} for word in WORDS), {b"group": b"5"}):
        await link.ask(lambda db, entry=entry: db.xadd(link.key("slow"), entry))  # type: ignore[misc]
    await until(lambda: slowed)
    await asyncio.sleep(1.0)
    assert slowed == [None]


async def test_answers_are_heard_behind_odd_ones(link: Valkey, tasks: OwnedTasks) -> None:
    feed = feed_of(link)
    asking, clock = Asking(link, feed, FIRST, clock_here(), tasks), clock_here()
    found = list[object]()

    async def ask() -> None:
        found.append(await asking.ask("export", ANNA, [SECOND, 6], 2.0))

    tasks(ask(), name="ask")
    await asyncio.sleep(0.5)
    told: Any = await link.ask(lambda db: db.xrange(link.key("people")))
    ((_, entry),) = told
    name = orjson.loads(entry[b"news"])["id"]
    for said in (*WORDS, b"+x:", b"+-5:", b"+5:good"):
        await link.push(link.key("ask", name), said, 60)
    await until(lambda: found or clock.now() > 10_000)
    assert found == [{SECOND: b"good", 6: Missing.SILENT}]


@pytest.mark.parametrize(
    "answer", [*WORDS, gzip.compress(b"{", mtime=0), gzip.compress(b"{}", mtime=0)[:-9]]
)
def test_part_of_an_export_that_is_none_is_named_as_missing(answer: bytes) -> None:
    with pytest.raises((ValueError, TypeError)):
        _unpacked(answer)


NEWS: tuple[Any, ...] = (
    {"a": b"b"},
    {"news": b"{"},
    {"news": b"[]"},
    {"news": b'{"kind": [], "from": 3}'},
    {"news": b'{"kind": "plain"}'},
    {"news": b'{"kind": "plain", "from": 3, "user": "x", "on": 1, "at": -1}'},
    {"news": b'{"kind": "plain", "from": 70000, "user": 7, "on": 1, "at": 1}'},
    {"news": b'{"kind": "plain", "from": "\\u0001", "user": 7, "on": 1, "at": 1}'},
    {"news": b'{"kind": "plain", "from": 3, "user": 7, "on": 1, "at": 1e400}'},
)


async def test_news_are_heard_behind_odd_ones(link: Valkey, tasks: OwnedTasks) -> None:
    feed, store = feed_of(link), Choices()
    choices = Switches("plain", link, feed, store, Forgotten(), lambda: 1.0)
    tasks(feed.run(), name="feed")
    await asyncio.sleep(0.5)
    for entry in NEWS:
        await link.ask(lambda db, entry=entry: db.xadd(link.key("people"), entry))  # type: ignore[misc]
    await feed.tell("plain", user=8, on=True, at=5)
    await until(lambda: choices.is_on(UserId(8)))
    assert [one.user for one in store.kept] == [UserId(8)]


async def test_generation_that_cannot_be_read_makes_nothing_sure(link: Valkey) -> None:
    """A claim may be lost since any moment."""
    feed = feed_of(link)
    await feed.begin()
    start = feed.generation.rpartition(b":")[2]
    odd = b"\xff:" + start
    await link.ask(lambda db: db.set(link.key("people", "generation"), odd))
    await feed.begin()
    assert (feed.generation, feed.born) == (odd, float("inf"))


PRESS = {b"payload": b'{"id": "1"}', b"table": b"", b"arrived": b"1", b"hops": b"3"}
ODD_PRESSES = (
    *({**PRESS, field: word} for field in PRESS for word in WORDS if (field, word) not in {
        (b"table", b""), (b"hops", b""), (b"arrived", b"-1"),
    }),
    *({**PRESS, b"payload": said} for said in (b"[]", b"7", b"{}", b'{"id": null}', b'{"id": -1}')),
    *({one: PRESS[one] for one in PRESS if one != field} for field in PRESS),
)  # fmt: skip


async def test_presses_are_taken_behind_odd_ones(
    standin: Standin, caplog: pytest.LogCaptureFixture
) -> None:
    """A press that its group can't even begin to read holds up none either."""
    caplog.set_level(logging.ERROR)
    async with group_with(standin, FIRST, 0) as first, group_with(standin, SECOND, 1) as second:
        stream = first.valkey.key("in", SECOND)

        async def add(entry: Any) -> Any:
            return await first.valkey.ask(lambda db: db.xadd(stream, entry))

        for entry in ODD_PRESSES:
            await add(entry)
        second.end.on_taken = _fails
        for one in (1, 2):
            press = HandedPress({"id": str(one)}, None, first.end.clock.now())
            assert await first.hops.hand_over(press, SECOND)
        await until(lambda: len(second.end.taken) == 2)
        assert caplog.text.count("a press was not taken") == 2
        assert caplog.text.count(TOLD) == len({repr(one) for one in ODD_PRESSES})


def _fails(press: object) -> None:
    raise KeyError("user")
