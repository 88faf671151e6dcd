"""What time alone does to a table, to the millisecond; and the machine's clock itself."""

import asyncio
import time

import pytest

from bot.clock import SystemClock
from bot.tables.decisions import decide as d
from bot.tables.decisions import lobby as in_lobby
from bot.tables.decisions.decide import Decision, Done
from bot.tables.decisions.presence import presence_at
from bot.tables.decisions.timeouts import due
from bot.tables.state.evolve import begin
from bot.tables.state.session import Phase, Session
from tests.ui.matches import AT, HOST, accepted, all_ready, live, lobby, match_over, started, user


def after(session: Session, seconds: float, idle: float = 0.0) -> Decision | None:
    """What is decided so long after the phase began and, if `idle`, after the last press."""
    decide = due(session, session.since / 1000 + seconds, idle)
    return None if decide is None else decide(session)


def reason(decision: Decision | None) -> str:
    assert isinstance(decision, Done)
    return decision.said.key


def test_a_lobby_closes_after_fourteen_minutes() -> None:
    session = lobby(["Anna", "Ben"])
    assert after(session, 14 * 60 - 0.001) is None
    assert reason(after(session, 14 * 60)) == "table.closed.expired"


def test_held_seats_are_released_after_a_minute() -> None:
    over = match_over(lobby(["Anna", "Ben"]))
    opened, seated = in_lobby.rematch(over, HOST, "Anna")
    held = begin(opened, AT)
    assert [held_.name for held_ in held.held] == ["Ben"]
    assert [entry.user for entry in seated] == [HOST]
    assert after(held, 59.999) is None
    assert due(held, held.since / 1000 + 60, 0.0) is d.free_held_seats
    assert after(lobby(["Anna", "Ben"]), 60) is None


def test_a_match_that_is_over_closes_after_half_an_hour() -> None:
    session = match_over(lobby(["Anna", "Ben"]))
    assert after(session, 30 * 60 - 0.001, idle=30 * 60) is None
    assert reason(after(session, 30 * 60)) == "table.closed.over"


def test_a_match_ends_ten_minutes_after_the_last_press() -> None:
    waiting = started(lobby(["Anna", "Ben"]))
    for session in (waiting, all_ready(waiting), live(lobby(["Anna", "Ben"]))):
        assert after(session, 9_000, idle=599.999) is None
        assert reason(after(session, 9_000, idle=600)) == "table.closed.idle"
    assert accepted(waiting, d.abandon(waiting)).phase is Phase.CLOSED
    playing = live(lobby(["Anna", "Ben"]))
    assert accepted(playing, d.abandon(playing)).phase is Phase.OVER
    assert after(lobby(["Anna", "Ben"]), 60, idle=9_000) is None


def test_a_round_is_quiet_a_minute_after_the_last_card() -> None:
    session = live(lobby(["Anna", "Ben"]))
    assert session.phase is Phase.LIVE
    assert not presence_at(session, session.laid_at + 59_999, 0, {}).quiet
    assert presence_at(session, session.laid_at + 60_000, 0, {}).quiet
    assert not presence_at(started(lobby(["Anna", "Ben"])), 60_000, 0, {}).quiet


def test_a_player_is_absent_after_three_minutes_without_a_press() -> None:
    session = live(lobby(["Anna", "Ben"]))
    now = session.since + 180_000
    assert presence_at(session, now, 0, {HOST: 179.999, user(1): 180.0}).absent == (user(1),)
    assert presence_at(session, now - 1, 0, {HOST: 900.0, user(1): 900.0}).absent == ()


def test_the_machines_clock_is_unix_time_and_a_monotonic_one() -> None:
    clock = SystemClock()
    before, began = time.time(), time.monotonic()
    assert before <= clock.wall() <= time.time()
    assert began <= clock.now() <= time.monotonic()
    assert clock.now() <= clock.since_boot(), "which counts while the machine is suspended"


async def test_sleeping_takes_the_seconds_that_were_asked_for() -> None:
    clock, loop = SystemClock(), asyncio.get_running_loop()
    began = loop.time()
    await clock.sleep(5.0)
    assert loop.time() - began == pytest.approx(5.0)


async def test_parking_returns_what_was_waited_for() -> None:
    assert await SystemClock().park(asyncio.sleep(1.0, "done"), "a test") == "done"
