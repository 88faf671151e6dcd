"""Groups share what Discord allows the whole bot: never more than 45 of its own calls a second."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.groups.turns import FIRST
from bot.ui.limits.shared.alone import MOST
from bot.ui.limits.shared.grouped import FLOOR, LATE, a_second
from tests.groups.sharing import (
    LateClock,
    Net,
    SharingGroup,
    Valkey,
    least_gap,
    most_in_a_second,
    now,
)
from tests.simulate.loop import VirtualLoop

AWAY = Net(cuts=[(0.0, 1e9)])
QUARTER = 2 / 8
"""The share of a group with two shards of eight: a floor of four calls a second."""


# --- one group


async def test_a_group_has_its_floor_and_turns_from_valkey() -> None:
    """19 and 20 a second, and five that were saved up."""
    group = SharingGroup(1.0)
    began = now()
    group.play(30)
    await asyncio.sleep(10 + 1e-3)
    assert len([at for at in group.times if at <= began + 10]) == pytest.approx(395, abs=2)
    await group.tasks.stop()


async def test_a_group_without_valkey_lives_on_its_floor_which_saves_up_nothing() -> None:
    group = SharingGroup(QUARTER, net=AWAY)
    await asyncio.sleep(600)
    group.play(20)
    await asyncio.sleep(10.1)
    assert len(group.went) == 41
    assert least_gap(group.times) == pytest.approx(1 / 4)
    await group.tasks.stop()


async def test_a_group_that_began_just_now_waits_for_its_floor() -> None:
    """The process before it may have called a moment ago."""
    group, began = SharingGroup(QUARTER, net=AWAY), now()
    group.call("a")
    await asyncio.sleep(1)
    assert group.times == [pytest.approx(began + 1 / 4)]
    await group.tasks.stop()


async def test_a_group_asks_for_nothing_while_its_floor_suffices() -> None:
    group = SharingGroup(QUARTER)
    for name in "abcdef":
        await asyncio.sleep(0.3)
        group.call(name)
    await asyncio.sleep(60)
    assert (group.order, group.asked.asks) == ("abcdef", [])
    await group.tasks.stop()


async def test_one_turn_is_asked_for_at_a_time_and_the_next_when_it_has_gone() -> None:
    group = SharingGroup(QUARTER, net=Net([(0.01, 0.01)]))
    group.play(20)
    await asyncio.sleep(3)
    assert group.asked.most == 1
    assert len(group.went) >= len(group.asked.asks) - 1
    await group.tasks.stop()


async def test_a_group_that_has_drawn_all_asks_no_more() -> None:
    group = SharingGroup(QUARTER)
    for name in "abcdefghij":
        group.call(name)
    await asyncio.sleep(2)
    asked = len(group.asked.asks)
    await asyncio.sleep(60)
    assert group.order == "abcdefghij"
    assert len(group.asked.asks) == asked
    await group.tasks.stop()


async def test_calls_wait_for_no_answer_while_the_floor_has_turns() -> None:
    """An ask that takes a second holds up nobody."""
    group, began = SharingGroup(QUARTER, net=AWAY), now()
    for name in "abcd":
        group.call(name)
    await asyncio.sleep(1.01)
    assert [round(at - began, 3) for at in group.times] == [0.25, 0.5, 0.75, 1.0]
    await group.tasks.stop()


async def test_turns_go_in_order_of_asking() -> None:
    group = SharingGroup(QUARTER)
    for name in "abcdefghijklmnopqrstuvwxyz":
        group.call(name)
        await asyncio.sleep(0.01)
    await asyncio.sleep(5)
    assert group.order == "abcdefghijklmnopqrstuvwxyz"
    await group.tasks.stop()


async def test_an_urgent_call_has_the_next_turn_also_if_it_becomes_urgent_later() -> None:
    group, urgent = SharingGroup(QUARTER, net=AWAY), set[str]()
    for name in "abcdef":
        group.call(name, partial(urgent.__contains__, name))
    await asyncio.sleep(0.3)
    urgent.add("e")
    await asyncio.sleep(2)
    assert group.order == "aebcdf"
    await group.tasks.stop()


async def test_urgent_calls_ask_for_their_turns_together() -> None:
    """As when a process ends: fifteen of them wait for no answer in between."""
    group, began = SharingGroup(QUARTER, net=Net([(0.02, 0.02)])), now()
    for number in range(15):
        group.call(str(number), lambda: True)
    await asyncio.sleep(2)
    assert len(group.asked.asks) == 3
    assert max(group.times) - began < 0.5
    assert group.order == "".join(map(str, range(15)))
    await group.tasks.stop()


async def test_a_busy_machine_loses_the_late_ones_of_urgent_turns_and_no_second() -> None:
    """Fifteen screens are drawn at once, so that some sleepers wake up late."""
    group = SharingGroup(QUARTER, clock=LateClock([0.1, 0.1, 0.0]))
    began = now()
    for number in range(15):
        group.call(str(number), lambda: True)
    await asyncio.sleep(5)
    assert max(group.times) - began < 1.5
    await group.tasks.stop()


async def test_a_process_that_ends_gets_ahead_of_groups_that_redraw() -> None:
    """All have more to draw than there are turns. The one that ends needs half the time."""
    took = []
    for is_urgent in (False, True):
        valkey = Valkey()
        others = [SharingGroup(QUARTER, valkey, Net([(0.001, 0.001)])) for _ in range(3)]
        for one in others:
            one.play(20)
        await asyncio.sleep(5)
        ending, began = SharingGroup(QUARTER, valkey, Net([(0.001, 0.001)])), now()
        for number in range(15):
            ending.call(str(number), partial(bool, is_urgent))
        await asyncio.sleep(5)
        took.append(max(ending.times) - began)
        for one in (ending, *others):
            await one.tasks.stop()
    assert took[1] < 0.6 * took[0]


async def test_whoever_gives_up_leaves_the_line() -> None:
    group = SharingGroup(QUARTER, net=AWAY)
    given_up = asyncio.get_running_loop().create_task(group.turns.take(0.0, None))
    group.call("b")
    await asyncio.sleep(0.1)
    given_up.cancel()
    await asyncio.sleep(0.2)
    assert group.order == "b", "the first turn of the floor was its own"
    await group.tasks.stop()


async def test_a_call_of_a_slow_channel_is_held_up_alone() -> None:
    group, went = SharingGroup(1.0), list[str]()

    async def edit(name: str, held_up: float) -> None:
        await group.turns.take(held_up, None)
        went.append(name)

    group.tasks(edit("slow", 1.05), name="edit")
    for name in "ab":
        group.tasks(edit(name, 0.0), name="edit")
    await asyncio.sleep(1)
    assert went == ["a", "b"]
    await asyncio.sleep(0.2)
    assert went == ["a", "b", "slow"]
    await group.tasks.stop()


# --- turns that are lost


@pytest.mark.parametrize(("back", "is_used"), [(LATE - 0.001, True), (LATE + 0.001, False)])
async def test_a_turn_that_comes_back_too_late_is_lost(back: float, *, is_used: bool) -> None:
    group, began = SharingGroup(QUARTER, net=Net([(0.0, back)])), now()
    group.call("a")
    group.call("b")
    await asyncio.sleep(0.2)
    assert group.times == [pytest.approx(began + back)] * is_used + (
        [pytest.approx(began + 2 * back)] * is_used
    )
    await group.tasks.stop()


async def test_a_turn_that_a_busy_machine_sleeps_through_is_lost() -> None:
    """The seventh is 50 ms off, and its sleeper wakes up 100 ms after that: it asks for another."""
    group = SharingGroup(QUARTER, clock=LateClock([0.1]))
    for name in "abcdefg":
        group.call(name)
    await asyncio.sleep(0.2)
    assert group.order == "abcdefg"
    assert len(group.asked.asks) == 8
    await group.tasks.stop()


async def test_a_turn_for_which_nobody_waits_any_more_is_lost() -> None:
    """The floor was sooner. A call that comes later has a turn of its own time."""
    valkey = Valkey(turn=None)
    group, began = SharingGroup(QUARTER, valkey), now()
    group.call("a")
    await asyncio.sleep((FIRST / 1000) + 1)
    assert group.times == [pytest.approx(began + 0.25)]
    assert len(group.asked.asks) == 1
    await group.tasks.stop()


async def test_slow_answers_take_few_turns_from_others() -> None:
    """A group whose answers are all too late asks once a second."""
    group = SharingGroup(QUARTER, net=Net([(0.0, 0.3)]))
    group.play(20)
    await asyncio.sleep(10)
    assert len(group.asked.asks) <= 10
    await group.tasks.stop()


async def test_an_empty_server_gives_no_turns_until_those_before_it_are_over() -> None:
    group, began = SharingGroup(QUARTER, Valkey(turn=None)), now()
    group.play(40)
    await asyncio.sleep(4.7)
    assert least_gap(group.times) == pytest.approx(1 / 4), "its floor alone"
    await asyncio.sleep(5)
    assert sum(5 <= at - began < 9 for at in group.times) == pytest.approx(4 * 24, abs=3)
    await group.tasks.stop()


# --- limits of the whole bot


async def test_a_limit_of_all_halves_the_floor_and_the_shared_turns() -> None:
    group, began = SharingGroup(1.0), now()
    group.turns.halve()
    group.play(30)
    await asyncio.sleep(10)
    later = [at for at in group.times if at >= began + 2]
    assert len(later) == pytest.approx(8 * 39 / 2, abs=3)
    await group.tasks.stop()


# --- all groups together


@given(st.lists(st.integers(1, 60), min_size=1, max_size=40))
def test_the_floors_of_all_groups_let_in_19_at_most(sizes: list[int]) -> None:
    """Those of a nineteenth of the shards or more in any second, the others on average."""
    floors = [a_second(size / sum(sizes)) for size in sizes]
    assert sum(floors) <= FLOOR + 1e-9
    assert all(floor < 1 or floor == int(floor) for floor in floors)


async def test_groups_and_their_tables_have_equal_shares() -> None:
    valkey = Valkey()
    groups = [SharingGroup(QUARTER, valkey, Net([(0.001, 0.001)])) for _ in range(4)]
    for group in groups:
        group.play(20)
    await asyncio.sleep(60)
    shares = [len(group.went) for group in groups]
    assert max(shares) <= 1.03 * min(shares)
    for group in groups:
        tables = Counter(name for _, name in group.went)
        assert max(tables.values()) - min(tables.values()) <= 1
        await group.tasks.stop()
    assert sum(shares) == pytest.approx(60 * (4 * 4 + 20), rel=0.02)


@dataclass(frozen=True)
class Part:
    """A group of the bot, and what befalls it."""

    shards: int
    tables: int
    begin: float
    pause: float
    net: Net = field(default_factory=Net)
    late: tuple[float, ...] = (0.0,)
    urgent: bool = False


TIMES = st.sampled_from([0.0, 1.1, 1.1, 2.0]) | st.floats(0.0, 1.2)
DELAYS = st.sampled_from([0.0, 0.0005, 0.003, LATE / 2, LATE - 0.001, LATE + 0.01, 0.9, 1.5])
CUTS = st.tuples(st.floats(0.0, 4.0), st.floats(0.0, 3.0)).map(
    lambda cut: (1_000.0 + cut[0], 1_000.0 + sum(cut))
)
PARTS = st.builds(
    Part,
    st.integers(1, 6),
    st.sampled_from([0, 1, 3, 12, 12]),
    TIMES,
    st.sampled_from([0.0, 0.0, 0.1, 0.7]),
    st.builds(
        Net,
        st.lists(st.tuples(DELAYS, DELAYS), min_size=1, max_size=8),
        st.lists(CUTS, max_size=2),
    ),
    st.lists(st.sampled_from([0.0, 0.0, 0.0, 0.002, LATE, 0.5]), min_size=1, max_size=5).map(tuple),
    st.booleans(),
)


def is_thick(parts: list[Part]) -> bool:
    """Return whether each has a nineteenth of the shards or more."""
    return FLOOR * min(part.shards for part in parts) >= sum(part.shards for part in parts)


async def times_of(parts: list[Part], seconds: float) -> list[float]:
    """Return when calls of all these groups went."""
    valkey, count, groups = Valkey(), sum(part.shards for part in parts), []
    for part in parts:
        share = part.shards / count
        group = SharingGroup(share, valkey, part.net, LateClock(part.late))
        group.play(part.tables, part.begin, part.pause, urgent=part.urgent)
        groups.append(group)
    await asyncio.sleep(seconds)
    for group in groups:
        assert group.asked.most <= 1
        await group.tasks.stop()
    return [at for group in groups for at in group.times]


def all_at_once(groups: int) -> list[Part]:
    """Each group's floor is free, and all six turns that can be saved up are there."""
    return [Part(1, 12, begin=1.1, pause=0.0) for _ in range(groups)]


def late_by(seconds: float, then: float) -> list[Part]:
    """The first answers are late, to nine groups; ten more begin so long after those."""
    late = Net([(0.0, seconds), *[(0.0, 0.0)] * 200])
    first = [Part(1, 12, begin=1.1, pause=0.0, net=late) for _ in range(9)]
    return first + [Part(1, 12, begin=1.1 + then, pause=0.0) for _ in range(10)]


def asked_long_ago() -> list[Part]:
    """Everybody is in a hurry. Four groups' questions are nearly a second under way, so that their
    turns lie seconds ahead.
    """
    slow = Net([(0.9, 0.0)])
    asked = [Part(1, 12, begin=1.1, pause=0.0, net=slow, urgent=True) for _ in range(4)]
    return asked + [Part(1, 12, begin=1.99, pause=0.0, urgent=True) for _ in range(9)]


@pytest.mark.parametrize(
    ("parts", "most"),
    [
        pytest.param(all_at_once(1), 19 + 25, id="one group"),
        pytest.param(all_at_once(8), 8 * 2 + 25, id="eight, of which each has 2.375 a second"),
        pytest.param(all_at_once(19), 19 + 25, id="nineteen"),
        pytest.param(late_by(0.039, then=0.001), 19 + 26, id="six answers 39 ms late"),
        pytest.param(late_by(0.9, then=0.9), 19 + 25, id="six answers far too late"),
        pytest.param(asked_long_ago(), 13 + 25, id="many turns that were asked for long before"),
    ],
)
async def test_the_worst_second_of_all_groups_together(parts: list[Part], most: int) -> None:
    assert most_in_a_second(await times_of(parts, 6.0)) == most <= MOST


@settings(max_examples=60, deadline=None)
@given(st.lists(PARTS, min_size=1, max_size=19).filter(is_thick))
def test_all_groups_together_keep_to_the_limit_whatever_happens(parts: list[Part]) -> None:
    """Unequal groups, out of step, cut off and back, with late answers, on busy machines."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        times = runner.run(times_of(parts, 5.0))
    assert most_in_a_second(times) <= MOST
