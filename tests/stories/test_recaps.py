"""The day's results are told once, at the hour that a manager chose, where somebody has played."""

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.daily.dates import parse
from tests.loopback.players import Player
from tests.stories.calendar import been_there, home, manages, posts, until, woken
from tests.stories.world import World, given

MINUTE = 60
UTC, BERLIN = "UTC", "Europe/Berlin"
TITLE = "Deals of"


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with been_there(tmp_path) as one:
        yield one


def wants(world: World, hour: int, zone: str = UTC) -> None:
    """Have the server's manager choose the first channel, and an hour."""
    world.change(
        "REPLACE INTO settings (guild, time_zone, posts_in, recap_hour, post_seasons) "
        "VALUES (?, ?, ?, ?, 0)",
        *(home(world), zone, world.channel.id, hour),
    )


def finished(world: World, name: str, date: str, points: int, presses: int) -> None:
    """Have somebody finish the cards of a date in the first server."""
    world.change(
        "INSERT INTO daily_places (guild, day, game, user, name, points, presses) "
        "VALUES (?, ?, 'ligretto', ?, ?, ?, ?)",
        *(home(world), parse(date), world.server.user(name).id, name.title(), points, presses),
    )


async def test_a_day_is_told_once_at_its_hour(world: World) -> None:
    wants(world, hour=8, zone=BERLIN)
    finished(world, "anna", "2026-06-01", 12, 44)
    finished(world, "ben", "2026-06-01", 12, 44)
    finished(world, "cleo", "2026-06-01", 12, 45)
    finished(world, "dora", "2026-06-01", -1, 20)
    finished(world, "emil", "2026-06-02", 30, 20)
    await woken(world, "2026-06-02 07:58", BERLIN)
    given(not posts(world, TITLE), "nothing is told before its hour")
    await asyncio.sleep(4 * MINUTE)
    (post,) = posts(world, TITLE)
    assert "## Deals of Jun 1, 2026" in post.text
    assert "**Ligretto** · 4 players" in post.text
    assert "🥇 Anna and Ben: **+12** in 44 presses" in post.text
    assert "🥉 Cleo: **+12** in 45 presses" in post.text
    assert "Dora" not in post.text, "Cleo has the third place"
    assert "Emil" not in post.text
    assert not post.pings
    world.bot.kill()
    await world.start()
    await asyncio.sleep(30 * MINUTE)
    assert len(posts(world, TITLE)) == 1


async def test_each_day_is_told_where_somebody_played(world: World) -> None:
    wants(world, hour=8, zone=BERLIN)
    finished(world, "anna", "2026-06-01", 12, 44)
    finished(world, "emil", "2026-06-02", 30, 20)
    await woken(world, "2026-06-02 08:02", BERLIN)
    await woken(world, "2026-06-03 08:02", BERLIN)
    assert ["Emil" in post.text for post in posts(world, TITLE)] == [False, True]
    await woken(world, "2026-06-04 08:02", BERLIN)
    assert len(posts(world, TITLE)) == 2, "nobody has played"
    assert not world.said(logging.WARNING)


async def test_a_kill_between_the_note_and_the_post_posts_once(world: World) -> None:
    wants(world, hour=0)
    finished(world, "anna", "2026-06-01", 12, 44)
    until("2026-06-02 00:00:30", UTC)
    world.server.settings.rtt = 5.0
    world.bot.start()
    await world.server.wait_for(lambda: bool(posts(world, TITLE)), 90)
    given(
        world.rows("SELECT outcome FROM posts WHERE what = 'daily'") == [(None,)],
        "the bot hasn't heard that it is posted",
    )
    world.bot.kill()
    world.server.settings.rtt = 0.1
    await world.start()
    await asyncio.sleep(10 * MINUTE)
    assert len(posts(world, TITLE)) == 1
    assert world.rows("SELECT outcome FROM posts WHERE what = 'daily'") == [("posted",)]


async def test_a_manager_chooses_the_hour(world: World) -> None:
    """Days whose hour was before the choice aren't told."""
    anna: Player = world.person("anna")
    manages(world, anna)
    finished(world, "anna", "2026-06-01", 12, 44)
    await woken(world, "2026-06-02 09:00", UTC)
    answer = await world.server.slash(anna.user, world.channel, "settings").wait()
    page = answer.original
    assert page is not None
    _ = await world.server.click(anna.user, page, label="Posts").wait()
    for what, value in (("posts_in", world.channel), ("recap_hour", "8")):
        _ = await world.server.select(anna.user, page, f"lr1:settings:{what}", [value]).wait()
    assert world.rows("SELECT posts_in, recap_hour FROM settings") == [(world.channel.id, 8)]
    await asyncio.sleep(5 * MINUTE)
    assert not posts(world, TITLE)
    finished(world, "anna", "2026-06-02", 12, 44)
    await woken(world, "2026-06-03 08:01", UTC)
    assert len(posts(world, TITLE)) == 1
