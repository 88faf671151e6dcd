"""Discord's clock, seen from a machine whose own clock may be wrong; and a machine that slept."""

from email.utils import formatdate

import pytest

from bot.clock import STILL, Awake
from bot.tables.presses.discord_time import DiscordTime
from bot.tables.running.lifetime import Lifetime
from tests.tables.clock import HandClock

NOW = 1_800_000_000.0


def wrong_by(seconds: float) -> tuple[HandClock, DiscordTime]:
    """A machine's clock that is so far ahead, and Discord's as it is known there."""
    clock = HandClock(NOW + seconds)
    return clock, DiscordTime(clock)


def test_the_machines_clock_stands_in_until_discord_is_heard() -> None:
    _, discord = wrong_by(3600)
    assert (discord.now(), discord.ahead) == (NOW + 3600, 0)


@pytest.mark.parametrize("wrong", [-3600.0, 0.0, 3600.0])
async def test_an_id_tells_discords_time(wrong: float) -> None:
    clock, discord = wrong_by(wrong)
    discord.made(NOW - 0.1, clock.now())
    await clock.advance(50)
    assert discord.now() == pytest.approx(NOW + 49.9, abs=0.01)
    assert discord.ahead == pytest.approx(wrong + 0.1, abs=0.01)


async def test_a_date_tells_it_to_a_second() -> None:
    clock, discord = wrong_by(-900)
    discord.dated(formatdate(NOW, usegmt=True))
    await clock.advance(50)
    assert discord.now() == pytest.approx(NOW + 50, abs=1)
    assert discord.ahead == pytest.approx(-900, abs=1)


@pytest.mark.parametrize("date", ["", "soon", "Fri, 99 Foo 2027 99:99:99 GMT"])
def test_what_is_no_date_tells_nothing(date: str) -> None:
    _, discord = wrong_by(0)
    discord.dated(date)
    assert discord.now() == NOW


@pytest.mark.parametrize(("next_date", "known"), [(601, 601), (1, 1)])
def test_a_date_far_ahead_counts_if_the_next_one_agrees(next_date: int, known: int) -> None:
    clock, discord = wrong_by(0)
    discord.made(NOW, clock.now())
    discord.dated(formatdate(NOW + 600, usegmt=True))
    assert discord.now() == NOW, "one machine's clock is wrong"
    discord.dated(formatdate(NOW + next_date, usegmt=True))
    assert discord.now() == NOW + known
    discord.dated(formatdate(NOW + 2000, usegmt=True))
    assert discord.now() == NOW + known


async def test_what_comes_late_moves_no_clock() -> None:
    clock, discord = wrong_by(0)
    discord.made(NOW, clock.now())
    await clock.advance(60)
    discord.made(NOW + 10, clock.now())
    assert discord.now() == pytest.approx(NOW + 60, abs=0.01)


async def test_a_step_of_the_machines_clock_moves_neither_discords_nor_a_tables() -> None:
    clock, discord = wrong_by(0)
    life = Lifetime(clock, 5_000)
    discord.made(NOW, clock.now())
    clock.unix += 3600
    await clock.advance(10)
    assert discord.now() == pytest.approx(NOW + 10, abs=0.01)
    assert (life.now(), life.at(clock.now() - 4)) == (15, 11)


async def test_a_machine_that_slept_is_not_told_that_its_clock_is_wrong() -> None:
    """Its monotonic clock stood still meanwhile, and Discord is heard only later."""
    clock, discord = wrong_by(0)
    discord.made(NOW, clock.now())
    clock.unix += 3600
    await clock.advance(10)
    assert discord.ahead == 0
    discord.made(NOW + 3610, clock.now())
    assert (discord.ahead, discord.now()) == (0, NOW + 3610)


def test_time_in_which_nobody_looks_at_the_clock_is_no_waking_time() -> None:
    awake = Awake()
    assert awake.of(100.0) == 100.0
    assert awake.of(100.0 + STILL) == 100.0 + STILL
    assert awake.of(9_000.0) == 100.0 + STILL
    assert awake.of(9_005.0) == 105.0 + STILL
