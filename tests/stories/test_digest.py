"""A week is told once, on its day and hour, where a manager wants it and somebody played."""

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.ids import UserId
from tests.loopback.players import Player
from tests.stories.calendar import (
    beats,
    been_there,
    home,
    manages,
    played,
    posts,
    scored,
    wants,
    woken,
)
from tests.stories.world import World, given

MINUTE = 60
SUNDAY, MONDAY = 6, 0
TITLE = "The past seven days"


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with been_there(tmp_path) as one:
        yield one


@pytest.fixture
def people(world: World) -> tuple[Player, Player]:
    return world.person("anna"), world.person("ben")


async def test_a_week_is_told_once_at_its_hour(world: World, people: tuple[Player, Player]) -> None:
    """The hour of Sunday's digest is one that the clocks leave out that day."""
    anna, ben = people
    numbers = await played(
        world,
        [
            beats(world, anna, ben, "2027-03-14 20:00"),
            beats(world, anna, ben, "2027-03-21 03:00"),
            beats(world, anna, ben, "2027-03-27 20:00"),
            beats(world, ben, anna, "2027-03-27 21:00"),
            beats(world, ben, anna, "2027-03-28 01:59", game="ligretto"),
            beats(world, ben, anna, "2027-03-28 03:00"),
        ],
    )
    wants(world, day=SUNDAY, hour=2)
    await woken(world, "2027-03-28 01:58")
    given(not posts(world, TITLE), "nothing is told before its hour")
    await asyncio.sleep(4 * MINUTE)
    (post,) = posts(world, TITLE)
    assert "4 matches · 2 players" in post.text
    assert "Ligretto Dice: **Anna** · 2 won" in post.text
    assert "Ligretto: **Ben** · 1 won" in post.text
    assert f"**Anna** beat **Ben** by 40 ms (match #{numbers[1]})" in post.text.replace(
        "\N{NO-BREAK SPACE}", " "
    )
    assert f"**Anna** with +9 in Ligretto Dice (match #{numbers[1]})" in post.text
    assert not post.pings
    world.bot.kill()
    await world.start()
    await asyncio.sleep(30 * MINUTE)
    assert len(posts(world, TITLE)) == 1
    await woken(world, "2027-04-04 02:05")
    assert len(posts(world, TITLE)) == 2, "the match at the hour itself is in the next week"
    assert "1 match · 2 players" in posts(world, TITLE)[-1].text
    await woken(world, "2027-04-11 02:05")
    assert len(posts(world, TITLE)) == 2, "nobody has played"
    assert not world.said(logging.WARNING)


async def test_another_day_tells_nothing_twice(world: World, people: tuple[Player, Player]) -> None:
    """A manager moves the digest from Sunday to Monday: Saturday's match has been told."""
    anna, ben = people
    _ = await played(
        world,
        [
            beats(world, anna, ben, "2026-11-14 20:00"),
            beats(world, ben, anna, "2026-11-15 20:00"),
        ],
    )
    wants(world, day=SUNDAY)
    await woken(world, "2026-11-15 18:05")
    assert "Dice: **Anna** · 1 won" in posts(world, TITLE)[-1].text
    _ = await world.bot.stop()
    wants(world, day=MONDAY)
    await woken(world, "2026-11-16 18:05")
    assert len(posts(world, TITLE)) == 2
    assert "Dice: **Ben** · 1 won" in posts(world, TITLE)[-1].text
    assert "1 match ·" in posts(world, TITLE)[-1].text


async def test_what_a_refused_digest_held_is_told_on_another_day(
    world: World, people: tuple[Player, Player]
) -> None:
    """The bot may not post on Sunday. A manager lets it, and moves the digest to Monday."""
    anna, ben = people
    _ = await played(world, [beats(world, anna, ben, "2026-11-14 20:00")])
    wants(world, day=SUNDAY)
    world.server.deny(world.channel, "send_messages")
    await woken(world, "2026-11-15 18:05")
    given(not posts(world, TITLE), "it was refused")
    given(world.rows("SELECT outcome FROM posts") == [("refused",)], "and that is noted")
    world.server.deny(world.channel)
    _ = await world.bot.stop()
    wants(world, day=MONDAY)
    await woken(world, "2026-11-16 18:05")
    assert "1 match ·" in posts(world, TITLE)[-1].text
    _ = await world.bot.stop()
    wants(world, day=SUNDAY)
    _ = await played(world, [beats(world, ben, anna, "2026-11-17 20:00")])
    await woken(world, "2026-11-22 18:05")
    assert len(posts(world, TITLE)) == 2, "the day was changed twice"
    assert "Dice: **Ben** · 1 won" in posts(world, TITLE)[-1].text
    assert "1 match ·" in posts(world, TITLE)[-1].text, "Anna's was told on Monday"


async def test_a_zone_that_changes_at_the_hour_tells_nothing_twice(
    world: World, people: tuple[Player, Player]
) -> None:
    """Right after the digest the server moves to New York, where its hour is still to come."""
    anna, ben = people
    new_york = "America/New_York"
    _ = await played(world, [beats(world, anna, ben, "2026-11-14 20:00")])
    wants(world, day=SUNDAY)
    await woken(world, "2026-11-15 18:01")
    given(len(posts(world, TITLE)) == 1, "Berlin's week is told")
    _ = await world.bot.stop()
    wants(world, new_york, day=SUNDAY)
    await woken(world, "2026-11-15 18:10", new_york)
    assert len(posts(world, TITLE)) == 1, "nobody has played in these six hours"
    _ = await world.bot.stop()
    _ = await played(world, [beats(world, ben, anna, "2026-11-15 18:20", new_york)])
    await woken(world, "2026-11-22 18:05", new_york)
    assert "1 match ·" in posts(world, TITLE)[-1].text


async def test_names_in_a_digest_are_harmless(world: World, people: tuple[Player, Player]) -> None:
    """Markdown, a mention, a line of its own, a right-to-left override, and a very long name."""
    anna, ben = people
    foul = {UserId(anna.user.id): "**@everyone**\n# \u202eBig", UserId(ben.user.id): "🃏" * 32}
    one = scored(world, {anna: 9, ben: 5}, "2026-11-07 20:00")
    seats = tuple(replace(seat, name=foul[seat.user]) for seat in one.seats if seat.user)
    two = scored(world, {anna: 14, ben: 5}, "2026-11-12 20:00")
    _ = await played(world, [replace(one, seats=seats), replace(two, seats=seats)])
    wants(world, day=SUNDAY)
    await woken(world, "2026-11-15 18:05")
    (post,) = posts(world, TITLE)
    assert not post.pings
    assert "\u202e" not in post.text
    assert "\n# " not in post.text
    assert post.text.count("\n") <= 6
    assert "🃏" * 17 not in post.text


async def test_a_deleted_channel_is_one_line_of_the_log(
    world: World, people: tuple[Player, Player]
) -> None:
    anna, ben = people
    _ = await played(world, [beats(world, anna, ben, "2026-11-14 20:00")])
    wants(world, day=SUNDAY)
    world.change("UPDATE settings SET posts_in = 123456789")
    await woken(world, "2026-11-15 18:05")
    await asyncio.sleep(30 * MINUTE)
    assert len([line for line in world.said(logging.WARNING) if "not posted" in line]) == 1
    assert not world.said(logging.ERROR)
    assert world.rows("SELECT outcome FROM posts") == [("refused",)]


async def test_a_week_tells_the_records_that_fell(
    world: World, people: tuple[Player, Player]
) -> None:
    """Ben's record of Thursday was broken on Friday: a week tells each once, as it ended."""
    anna, ben = people
    _ = await played(
        world,
        [
            beats(world, anna, ben, "2026-11-07 20:00"),
            scored(world, {ben: 11, anna: 5}, "2026-11-12 20:00"),
            scored(world, {anna: 14, ben: 5}, "2026-11-13 20:00"),
        ],
    )
    wants(world, day=SUNDAY)
    await woken(world, "2026-11-08 18:05")
    assert "record" not in posts(world, TITLE)[-1].text, "a first value breaks none"
    await woken(world, "2026-11-15 18:05")
    text = posts(world, TITLE)[-1].text
    assert text.count("record") == 1
    assert "New record in Ligretto Dice! Best round: **Anna**, +14 (previously +9)" in text
    assert text.count("+14") == 1, "it isn't told as the best round as well"
    assert "Closest race" in text


async def test_a_manager_chooses_channel_day_and_hour(
    world: World, people: tuple[Player, Player]
) -> None:
    """What was over before isn't told."""
    anna, ben = people
    _ = await played(world, [beats(world, anna, ben, "2026-11-14 20:00", "UTC")])
    manages(world, anna)
    await woken(world, "2026-11-15 19:00", "UTC")
    answer = await world.server.slash(anna.user, world.channel, "settings").wait()
    page = answer.original
    assert page is not None
    _ = await world.server.click(anna.user, page, label="Posts").wait()
    assert "Months and days follow the time zone **UTC**" in page.text
    for what, value in (("posts_in", world.channel), ("digest_day", "6"), ("digest_hour", "18")):
        _ = await world.server.select(anna.user, page, f"lr1:settings:{what}", [value]).wait()
    assert world.rows("SELECT posts_in, digest_day, digest_hour FROM settings") == [
        (world.channel.id, SUNDAY, 18)
    ]
    await asyncio.sleep(5 * MINUTE)
    assert not posts(world, TITLE), "that hour was before the choice"
    _ = await world.bot.stop()
    _ = await played(world, [beats(world, anna, ben, "2026-11-20 20:00", "UTC")])
    await woken(world, "2026-11-22 18:05", "UTC")
    assert len(posts(world, TITLE)) == 1
    _ = await world.server.select(anna.user, page, "lr1:settings:posts_in", []).wait()
    assert world.rows("SELECT posts_in FROM settings WHERE guild = ?", home(world)) == [(None,)]
