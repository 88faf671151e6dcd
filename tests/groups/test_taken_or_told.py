"""Whatever gets lost: a press that is handed over is played, or its person is told."""

import asyncio
from collections.abc import Callable

from bot.groups.hops.sender import UNKNOWN
from bot.groups.numbers import number
from bot.ui.connection.deadlines import IN_TIME
from tests.groups.ends import Ended, group_with, until
from tests.simulate.valkey import Valkey
from tests.simulate.valkey.resp import Reply

FIRST, SECOND = 3, 5
TABLE = number(1, SECOND)
STALL = 1.3
"""Seconds: longer than a group waits for an answer, and over when the sender asks."""


def at(standin: Valkey, command: bytes, then: Callable[[], None]) -> None:
    """Do something once, when Valkey has carried out this command for the first time."""
    run, done = standin.run, list[bool]()

    def carried_out(words: list[bytes]) -> Reply:
        reply = run(words)
        if words[0] == command and not done:
            done.append(True)
            then()
        return reply

    standin.run = carried_out  # type: ignore[method-assign]


def stall(standin: Valkey) -> None:
    """Let what Valkey answers get lost for a while."""
    standin.is_cut = lambda _: True

    def end() -> None:
        standin.is_cut = lambda _: False
        standin.mended()

    standin.loop.call_later(STALL, end)


def ends(first: Ended, second: Ended) -> tuple[int, int]:
    """Return how many presses were played, and how many people told."""
    return len(second.end.taken), len(first.end.told)


async def test_press_of_a_group_that_never_hears_that_it_has_it_is_told(standin: Valkey) -> None:
    async with group_with(standin, FIRST, 0) as first, group_with(standin, SECOND, 1) as second:
        second.end.tables.add(TABLE)
        at(standin, b"XDEL", lambda: stall(standin))
        pressed = first.press(1, TABLE)
        first.hops.put(pressed)
        await until(lambda: first.end.told)
        assert UNKNOWN <= first.end.clock.now() - pressed.arrived < IN_TIME
        assert ends(first, second) == (0, 1)


async def test_press_of_a_group_that_is_stopped_as_it_takes_it_is_told(standin: Valkey) -> None:
    is_taking = asyncio.Event()

    def taking() -> None:
        stall(standin)
        is_taking.set()

    async with group_with(standin, FIRST, 0) as first:
        async with group_with(standin, SECOND, 1) as second:
            second.end.tables.add(TABLE)
            at(standin, b"XDEL", taking)
            first.hops.put(first.press(1, TABLE))
            await is_taking.wait()
        await until(lambda: first.end.told)
        assert ends(first, second) == (0, 1)


async def test_press_that_its_group_fails_to_take_is_told(standin: Valkey) -> None:
    async with group_with(standin, FIRST, 0) as first, group_with(standin, SECOND, 1) as second:
        second.end.tables.add(TABLE)
        second.end.on_taken = _fails
        first.hops.put(first.press(1, TABLE))
        await until(lambda: first.end.told)


def _fails(press: object) -> None:
    raise KeyError("user")
