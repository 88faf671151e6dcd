"""A press finds the group of its table, in order, and is answered in any case."""

import asyncio
import logging
from math import inf
from typing import Any

import pytest

from bot.groups.group import Group
from bot.groups.hops.press import HandedPress, fields
from bot.groups.hops.reader import TOO_OLD
from bot.groups.hops.sender import UNKNOWN, UNTAKEN
from bot.groups.layout import Layout
from bot.groups.numbers import number
from bot.ui.connection.deadlines import IN_TIME
from tests import valkey
from tests.groups.ends import COUNT, Ended, Server, group_with, held, until
from tests.real import PATIENCE
from tests.simulate.valkey import Valkey

FIRST, SECOND, THIRD = 3, 5, 9
TO_ANSWER = 0.5
"""Seconds that are enough to play a press, and to send the answer."""
TABLE = number(1, SECOND)


def numbers(presses: list[HandedPress]) -> list[int]:
    return [int(press.payload["id"]) for press in presses]


async def presses_keep_their_order(server: Server) -> None:
    async with group_with(server, FIRST, 0) as first, group_with(server, SECOND, 1) as second:
        second.end.tables.add(TABLE)
        pressed = [first.press(one, TABLE) for one in range(50)]
        error = first.error + second.error
        for one in pressed:
            first.hops.put(one)
        await until(lambda: len(second.end.taken) == 50)
        assert numbers(second.end.taken) == list(range(50))
        assert [one.visited for one in second.end.taken] == [(FIRST,)] * 50
        times = [one.arrived for one in second.end.taken]
        assert times == pytest.approx([one.arrived for one in pressed], abs=error)
        assert times == sorted(times)
        assert not first.end.told
        assert not first.end.taken


async def test_presses_keep_their_order_and_their_time(standin: Valkey) -> None:
    await presses_keep_their_order(standin)


@pytest.mark.real("a Valkey server as a process")
async def test_presses_keep_their_order_over_a_real_server(server: valkey.Server) -> None:
    await presses_keep_their_order(server)


async def test_table_of_a_split_database_is_found_in_the_second_group(
    standin: Valkey,
) -> None:
    """The groups 5 and 9 have the tables that were born in 5. Table 5 is in 9's database."""
    async with (
        group_with(standin, FIRST, 0) as first,
        group_with(standin, SECOND, 1) as second,
        group_with(standin, THIRD, 2, own=[SECOND]) as third,
    ):
        third.end.tables.add(TABLE)
        first.hops.put(first.press(1, TABLE))
        await until(lambda: third.end.taken)
        assert third.end.taken[0].visited == (FIRST, SECOND)
        assert not second.end.taken


async def test_table_of_a_merged_database_is_found_although_its_group_is_gone(
    standin: Valkey,
) -> None:
    async with group_with(standin, FIRST, 0) as first:
        async with group_with(standin, SECOND, 1):
            pass  # it has told which tables it has
        await lost(first, SECOND)
        async with group_with(standin, THIRD, 1, own=[SECOND]) as third:
            third.end.tables.add(TABLE)
            first.hops.put(first.press(1, TABLE))
            await until(lambda: third.end.taken)
        assert not first.end.told


async def test_table_that_is_over_since_a_merge_is_no_restart(standin: Valkey) -> None:
    """The merged database has no table of the old group's left. As long as it doesn't run, nobody
    can know that.
    """
    async with group_with(standin, FIRST, 0) as first:
        async with group_with(standin, SECOND, 1, 2):
            pass
        await lost(first, SECOND)
        first.hops.put(first.press(1, TABLE))
        await until(lambda: first.end.told)
        async with group_with(standin, THIRD, 1, 2) as third:
            first.hops.put(first.press(2, TABLE))
            await until(lambda: first.end.taken)
        assert (numbers(first.end.told), third.end.taken) == ([1], [])


async def test_group_that_has_not_said_which_tables_it_has_may_have_any(standin: Valkey) -> None:
    """It runs, and its database may be another one since."""
    async with group_with(standin, FIRST, 0) as first:
        await held(Group(Layout(COUNT, (1, 2)), THIRD, first.valkey))
        first.hops.put(first.press(1, TABLE))
        await until(lambda: first.end.told)
        assert not first.end.taken


async def test_no_group_waits_for_one_whose_database_it_has(standin: Valkey) -> None:
    """All is in one database again, whose group has every shard."""
    async with group_with(standin, SECOND, 1, 2) as second:
        await lost(second, SECOND)
    async with group_with(standin, FIRST, 0, 1, 2, own=[SECOND]) as first:
        first.hops.put(first.press(1, TABLE))
        await until(lambda: first.end.taken)
        assert not first.end.told


async def test_table_in_no_database_is_answered_by_the_last_group(standin: Valkey) -> None:
    async with (
        group_with(standin, FIRST, 0) as first,
        group_with(standin, SECOND, 1) as second,
        group_with(standin, THIRD, 2, own=[SECOND]) as third,
    ):
        first.hops.put(first.press(1, TABLE))
        await until(lambda: third.end.taken)
        assert not second.end.taken
        assert not first.end.told


async def test_own_table_that_is_over_needs_no_other_group(standin: Valkey) -> None:
    own = number(1, FIRST)
    async with group_with(standin, FIRST, 0) as first:
        first.end.tables.add(own)
        standin.kill()
        first.hops.put(first.press(1, own))
        await until(lambda: first.end.taken)
        assert not first.end.told


async def test_birthplace_that_nobody_has_is_told(standin: Valkey) -> None:
    async with group_with(standin, FIRST, 0) as first:
        first.hops.put(first.press(1, TABLE))
        await until(lambda: first.end.told)


async def lost(end: Ended, group: int) -> None:
    """Let a group's lease run out."""
    await end.valkey.ask(lambda db: db.delete(end.valkey.key("lease", group)))


async def test_group_without_a_lease_is_told_at_once(
    standin: Valkey, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    async with group_with(standin, FIRST, 0) as first, group_with(standin, SECOND, 1) as second:
        await lost(first, SECOND)
        for one in range(3):
            first.hops.put(first.press(one, TABLE))
        await until(lambda: len(first.end.told) == 3)
        assert not second.end.taken
        said = [record.getMessage() for record in caplog.records]
        assert said == [f"group {SECOND} takes no presses: players are asked to press again"]


async def untaken_press_is_told(server: Server) -> None:
    """Its lease is still there. Nobody finds the press afterwards."""
    async with group_with(server, FIRST, 0) as first:
        async with group_with(server, SECOND, 1) as second:
            stream = second.valkey.key("in", SECOND)
        pressed = first.press(1, TABLE)
        first.hops.put(pressed)
        await until(lambda: first.end.told)
        assert first.end.clock.now() - pressed.arrived >= UNTAKEN
        assert await first.valkey.ask(lambda db: db.xlen(stream)) == 0


async def test_press_that_a_dead_group_has_not_taken_is_told(standin: Valkey) -> None:
    await untaken_press_is_told(standin)


@pytest.mark.real("a Valkey server as a process")
async def test_untaken_press_is_told_over_a_real_server(server: valkey.Server) -> None:
    await untaken_press_is_told(server)


@pytest.mark.parametrize("delay", [0.1, 0.35, 0.5, 0.6, 0.8, 0.95])
async def test_nobody_is_told_to_press_again_whose_press_counts(
    standin: Valkey, delay: float
) -> None:
    """However slowly Valkey answers, the group that takes a press has time to answer first."""
    taken, told = dict[int, float](), dict[int, float]()
    async with group_with(standin, FIRST, 0) as first, group_with(standin, SECOND, 1) as second:
        now = first.end.clock.now
        second.end.on_taken = lambda press: taken.update({int(press.payload["id"]): now()})
        first.end.on_told = lambda press: told.update({int(press.payload["id"]): now()})
        second.end.tables.add(TABLE)
        standin.delay = lambda: delay
        for one in range(20):
            first.hops.put(first.press(one, TABLE))
            await asyncio.sleep(0.2)
        await asyncio.sleep(IN_TIME)
    assert taken or told
    assert not [one for one, at in taken.items() if told.get(one, inf) < at + TO_ANSWER]


async def test_press_that_was_taken_back_is_not_played(standin: Valkey) -> None:
    """Its group has read it, but was too slow to delete it before it was told."""
    answers, slow = iter([False, True]), iter([UNTAKEN / 2])

    def is_sure() -> bool:
        """Called between the two: first too early, then a second later."""
        if found := next(answers, True):
            standin.delay = lambda: next(slow, 0.0)
        return found

    async with group_with(standin, FIRST, 0) as first, group_with(standin, SECOND, 1) as second:
        second.end.tables.add(TABLE)
        second.end.is_sure = is_sure
        first.hops.put(first.press(1, TABLE))
        await asyncio.sleep(IN_TIME)
        assert (numbers(first.end.told), second.end.taken) == ([1], [])


async def test_presses_that_nobody_takes_are_told_together(standin: Valkey) -> None:
    """A slow question about one holds up none of the others."""
    async with group_with(standin, FIRST, 0) as first:
        async with group_with(standin, SECOND, 1):
            pass
        for one in range(20):
            first.hops.put(first.press(one, TABLE))
        await asyncio.sleep(1.0)
        standin.delay = lambda: 0.2  # a new connection asks three times
        await asyncio.sleep(UNKNOWN - 1.1)
        assert sorted(numbers(first.end.told)) == [*range(20)]


async def test_press_of_which_nobody_knows_is_told_late(standin: Valkey) -> None:
    """Valkey dies once it has the press. A group that has taken it has answered by then."""
    async with group_with(standin, FIRST, 0) as first:
        async with group_with(standin, SECOND, 1):
            pass
        pressed = first.press(1, TABLE)
        first.hops.put(pressed)
        await asyncio.sleep(0.5)
        standin.kill()
        await until(lambda: first.end.told)
        assert UNKNOWN <= first.end.clock.now() - pressed.arrived < IN_TIME - 0.2


async def test_process_that_stood_still_leaves_presses_to_its_successor(
    standin: Valkey, caplog: pytest.LogCaptureFixture
) -> None:
    """Both read the group's stream. Only the newer one can be sure that it is the group."""
    async with (
        group_with(standin, FIRST, 0) as first,
        group_with(standin, SECOND, 1) as paused,
        group_with(standin, SECOND, 1) as successor,
    ):
        paused.end.is_sure = lambda: False
        for end in (paused.end, successor.end):
            end.tables.add(TABLE)
        for one in range(10):
            first.hops.put(first.press(one, TABLE))
            await asyncio.sleep(0.05)
        await asyncio.sleep(UNTAKEN)
        assert (numbers(successor.end.taken), paused.end.taken) == ([*range(10)], [])
        assert not first.end.told


async def test_process_that_is_sure_again_takes_presses(
    standin: Valkey, caplog: pytest.LogCaptureFixture
) -> None:
    async with group_with(standin, FIRST, 0) as first, group_with(standin, SECOND, 1) as second:
        second.end.tables.add(TABLE)
        second.end.is_sure = lambda: False
        first.hops.put(first.press(1, TABLE))
        await until(lambda: first.end.told)
        assert "presses are left there: the lease has run out" in caplog.text
        second.end.is_sure = lambda: True
        first.hops.put(first.press(2, TABLE))
        await until(lambda: second.end.taken)
        assert (numbers(first.end.told), numbers(second.end.taken)) == ([1], [2])


async def test_taken_presses_are_told_to_nobody_and_kept_nowhere(standin: Valkey) -> None:
    async with group_with(standin, FIRST, 0) as first, group_with(standin, SECOND, 1) as second:
        second.end.tables.add(TABLE)
        first.hops.put(first.press(1, TABLE))
        await until(lambda: second.end.taken)
        await asyncio.sleep(UNKNOWN + 0.2)
        assert not first.end.told
        stream = first.valkey.key("in", SECOND)
        assert await first.valkey.ask(lambda db: db.xlen(stream)) == 0


async def test_press_that_comes_too_late_is_dropped_and_counted(standin: Valkey) -> None:
    async with group_with(standin, FIRST, 0) as first, group_with(standin, SECOND, 1) as second:
        second.end.tables.add(TABLE)
        seconds, micros = await first.valkey.ask(lambda db: db.time())
        stream = first.valkey.key("in", SECOND)
        entry: Any = fields(first.press(1, TABLE), seconds + micros / 1e6 - TOO_OLD - 0.1)
        await first.valkey.ask(lambda db: db.xadd(stream, entry))
        await until(lambda: second.end.dropped)
        assert not second.end.taken


async def killed_valkey_is_found_again(server: Server) -> None:
    """The second group tells again which tables it has, and reads the new server's stream."""
    async with group_with(server, FIRST, 0) as first, group_with(server, SECOND, 1) as second:
        second.end.tables.add(TABLE)
        first.hops.put(first.press(1, TABLE))
        await until(lambda: second.end.taken)
        server.kill()
        first.hops.put(first.press(2, TABLE))
        await until(lambda: first.end.told)
        await server.start()
        await until(lambda: not second.valkey.is_away and not first.valkey.is_away)
        await held(second.group)
        again = iter(range(3, 1000))
        async with asyncio.timeout(PATIENCE):
            while len(second.end.taken) < 2:
                first.hops.put(first.press(next(again), TABLE))
                await asyncio.sleep(0.1)


async def test_valkey_that_was_killed_is_told_and_found_again_empty(standin: Valkey) -> None:
    await killed_valkey_is_found_again(standin)


@pytest.mark.real("a Valkey server as a process")
async def test_killed_real_server_is_told_and_found_again(server: valkey.Server) -> None:
    await killed_valkey_is_found_again(server)


async def test_presses_behind_a_slow_valkey_are_told_in_time(standin: Valkey) -> None:
    """Each waits for those before it. Discord waits for three seconds."""
    async with group_with(standin, FIRST, 0) as first, group_with(standin, SECOND, 1) as second:
        second.end.tables.add(TABLE)
        standin.delay = lambda: 0.4
        pressed = [first.press(one, TABLE) for one in range(20)]
        for one in pressed:
            first.hops.put(one)
        await asyncio.sleep(2.9)
        known = {*numbers(first.end.told), *numbers(second.end.taken)}
        assert known >= {*range(4, 20)}, "those that were still in line"
