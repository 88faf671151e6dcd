"""Groups tell each other the time of a press by Valkey's clock."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.groups.hops.server_time import DRIFT, ServerTime
from bot.groups.valkey import Valkey
from tests.simulate.loop import VirtualLoop
from tests.simulate.process import VirtualClock

AHEAD = 1_780_000_000.0
"""Seconds by which Valkey's clock is ahead of the monotonic one."""
READINGS = st.lists(st.tuples(st.floats(0, 0.3), st.floats(0, 0.3)), min_size=1, max_size=20)
"""Seconds on the way to Valkey, and back."""


def server_time() -> tuple[ServerTime, VirtualLoop]:
    loop = VirtualLoop()
    clock = VirtualClock(loop)
    return ServerTime(Valkey("redis://localhost", "1", clock), clock), loop


def read(time: ServerTime, loop: VirtualLoop, there: float, back: float, ahead: float) -> None:
    asked = loop.now
    loop.now += there
    server = loop.now + ahead
    loop.now += back
    time.told(server, asked, loop.now)


@given(READINGS)
def test_time_is_wrong_by_half_the_fastest_round_trip_at_most(
    readings: list[tuple[float, float]],
) -> None:
    time, loop = server_time()
    began = loop.now
    for there, back in readings:
        read(time, loop, there, back, AHEAD)
    fastest = min(there + back for there, back in readings)
    allowed = fastest / 2 + DRIFT * (loop.now - began) + 1e-6
    assert time.unix(loop.now) == pytest.approx(loop.now + AHEAD, abs=allowed)
    loop.close()


def test_clock_that_was_set_is_believed_at_once() -> None:
    time, loop = server_time()
    read(time, loop, 0.001, 0.001, AHEAD)
    read(time, loop, 0.1, 0.1, AHEAD - 30)
    assert time.unix(loop.now) == pytest.approx(loop.now + AHEAD - 30, abs=0.1)
    loop.close()


def test_press_never_arrives_in_the_future() -> None:
    time, loop = server_time()
    read(time, loop, 0.1, 0.1, AHEAD)
    assert time.monotonic(loop.now + AHEAD + 5) == loop.now
    assert time.monotonic(loop.now + AHEAD - 5) == pytest.approx(loop.now - 5, abs=0.1)
    loop.close()
