"""The machine's clock is wrong, or is put right in play: no duration comes from it."""

import asyncio
import re

import pytest

from bot.fakediscord.constants import EPOCH_MS
from tests.simulate.loop import VirtualLoop
from tests.stories.world import World, given, labels

HOUR = 3600.0
AWAY = 200.0
"""Seconds without a press after which the others may release somebody."""


async def test_a_clock_put_forward_closes_no_lobby(world: World) -> None:
    """It stays open for its 14 minutes."""
    await world.lobby("anna", "ben")
    world.bot.clock.skew = HOUR
    await asyncio.sleep(10)
    assert "Nobody started the match in time" not in world.public.text


async def test_a_clock_put_back_holds_up_no_start(world: World) -> None:
    """Start works 30 s after the first Ready."""
    anna, ben, _ = await world.match("anna", "ben", "cem")
    for person in (anna, ben):
        await person.press("Ready")
    await asyncio.sleep(5)
    given(world.public.find(label="Start").disabled, "too early to start without Cem")
    world.bot.clock.skew = -HOUR
    await asyncio.sleep(40)
    assert not world.public.find(label="Start").disabled


async def test_a_clock_put_back_holds_up_no_release(world: World) -> None:
    """Cem is away after three minutes without a press, and the others may release him."""
    anna, ben, _ = await world.live("anna", "ben", "cem")
    world.bot.clock.skew = -HOUR
    await asyncio.sleep(AWAY)
    for person in (anna, ben):
        await person.press("Flip")
    await asyncio.sleep(10)
    assert "Remove Cem" in labels(world.public)


async def test_a_clock_put_back_hides_no_round_that_hangs(world: World) -> None:
    """The end of the round is suggested after a minute without a card."""
    await world.live("anna", "ben")
    world.bot.clock.skew = -HOUR
    await asyncio.sleep(80)
    assert "Nobody has played anything for a minute" in world.public.text


async def test_a_fast_clock_puts_no_panel_to_sleep(world: World) -> None:
    """A panel stays live for as long as its token does: the next round appears on it."""
    anna, ben = await world.live("anna", "ben")
    world.bot.clock.skew = HOUR
    for person in (anna, ben):
        await person.press("Flip")
    await asyncio.sleep(20)
    await world.agreed([anna, ben])
    assert "Next round" in labels(anna.panel)


async def test_a_clock_that_is_minutes_fast_puts_no_panel_to_sleep(world: World) -> None:
    """Each panel stays as it is."""
    anna, _ = await world.live("anna", "ben")
    world.bot.clock.skew = 14 * 60.0
    await anna.press("Flip")
    await asyncio.sleep(20)
    assert "timed out" not in anna.panel.text


async def test_a_fast_clock_loses_no_panel_at_a_restart(world: World) -> None:
    """Stored tokens live for as long as Discord takes them: panels are drawn again."""
    anna, _ = await world.live("anna", "ben")
    await world.bot.stop()
    world.bot.clock.skew = HOUR
    await world.start()
    await asyncio.sleep(10)
    assert "Ready" in labels(anna.panel)


async def test_a_fast_clock_posts_no_table_anew(world: World) -> None:
    """It is posted anew when its message is 50 minutes old by Discord's own clock."""
    world.bot.clock.skew = HOUR
    await world.match("anna", "ben")
    public = world.public
    await asyncio.sleep(60)
    assert world.public is public


async def test_a_clock_put_forward_makes_no_round_longer(world: World) -> None:
    """The round is recorded with the 10 s and a little that it took."""
    people = await world.live("anna", "ben", rounds=1)
    world.bot.clock.skew = HOUR
    await asyncio.sleep(10)
    await world.agreed(people)
    assert 10_000 <= recorded(world) < 60_000


async def test_the_time_the_bot_was_down_makes_no_round_longer(world: World) -> None:
    """The round is recorded with the seconds in which it was live."""
    people = await world.live("anna", "ben", rounds=1)
    await world.bot.stop()
    await asyncio.sleep(HOUR)
    await world.start()
    for person in people:
        await person.press_public("Ready")
    await asyncio.sleep(10)
    await world.agreed(people)
    assert 0 < recorded(world) < 60_000


async def test_the_time_the_bot_was_down_closes_no_lobby(world: World) -> None:
    """A lobby of which the people had ten seconds is open for the rest of its 14 minutes."""
    await world.lobby("anna", "ben")
    await world.bot.stop()
    await asyncio.sleep(15 * 60)
    await world.start()
    await asyncio.sleep(10)
    assert "Nobody started the match in time" not in world.public.text


async def test_what_was_lived_before_a_restart_counts(world: World) -> None:
    """A lobby of which people had ten minutes is closed after four more."""
    await world.lobby("anna", "ben")
    await asyncio.sleep(10 * 60)
    await world.person("cem").press_public("Join")
    await asyncio.sleep(5)
    await world.bot.stop()
    await world.start()
    await asyncio.sleep(3 * 60)
    given("Closes <t:" in world.public.text, "it is still open")
    await asyncio.sleep(90)
    assert "Nobody started the match in time" in world.public.text


async def test_no_restart_counts_the_time_before_another_one(world: World) -> None:
    """Dates of entries on both sides of it are far apart, and nobody had that time."""
    await world.lobby("anna", "ben")
    for name in ("cem", "dora"):
        await world.bot.stop()
        await asyncio.sleep(15 * 60)
        await world.start()
        await world.person(name).press_public("Join")
        await asyncio.sleep(10)
    assert "Closes <t:" in world.public.text


async def test_a_clock_an_hour_fast_is_told_in_the_log(world: World) -> None:
    """The log says so once, when the clock is more than a minute off."""
    world.bot.clock.skew = HOUR
    await world.match("anna", "ben")
    await asyncio.sleep(60)
    assert [line for line in world.said() if "clock" in line]


async def test_a_clock_that_changes_again_is_told_again(world: World) -> None:
    """Not every few seconds: once for each time that it is put somewhere else."""
    anna, _ = await world.live("anna", "ben")
    for wrong in (HOUR, HOUR + 30, -HOUR, 0.0):
        world.bot.clock.skew = wrong
        for _ in range(4):
            await anna.press("Flip")
            await asyncio.sleep(15)
    ahead, behind = [line for line in world.said() if "machine's clock" in line]
    assert " s ahead of Discord's: turn on time synchronisation" in ahead
    assert " s behind Discord's" in behind


@pytest.mark.parametrize("wrong", [-HOUR, HOUR])
async def test_a_lobby_shows_its_end_by_discords_clock(world: World, wrong: float) -> None:
    """A player's Discord counts down to it by its own clock. It stays as it was shown."""
    world.bot.clock.skew = wrong
    await world.lobby("anna", "ben")
    (shown,) = re.findall("Closes <t:([0-9]+):R>", world.public.text)
    left = int(shown) - made(world.public.id)
    assert left == pytest.approx(14 * 60, abs=5)
    world.server.calls.clear()
    await asyncio.sleep(120)
    assert f"<t:{shown}:R>" in world.public.text
    assert [method for _, method, *_ in world.server.calls if method == "PATCH"] == []


async def test_after_a_restart_a_lobby_shows_a_later_end(world: World) -> None:
    await world.lobby("anna", "ben")
    (before,) = re.findall("Closes <t:([0-9]+):R>", world.public.text)
    await world.bot.stop()
    await asyncio.sleep(300)
    await world.start()
    await asyncio.sleep(10)
    (after,) = re.findall("Closes <t:([0-9]+):R>", world.public.text)
    assert 300 <= int(after) - int(before) < 330


async def test_a_machine_that_slept_closes_nothing(world: World) -> None:
    """Not every system's monotonic clock stands still meanwhile."""
    await world.lobby("anna", "ben")
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    loop.stand_still(HOUR)
    await asyncio.sleep(120)
    assert "Closes <t:" in world.public.text


async def test_a_machine_that_slept_ends_no_match(world: World) -> None:
    """Nobody could press for an hour, and nobody is away for it."""
    await world.live("anna", "ben")
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    loop.stand_still(HOUR)
    await asyncio.sleep(60)
    assert "End round" in labels(world.public)
    assert "away" not in world.public.text


async def test_a_round_is_no_longer_for_a_pause(world: World) -> None:
    """After a restart everybody gets ready first, for as long as they like."""
    people = await world.live("anna", "ben", rounds=1)
    await asyncio.sleep(20)
    await people[0].press("Flip")
    await world.bot.stop()
    await world.start()
    await people[0].press_public("Ready")
    await asyncio.sleep(150)
    await people[1].press_public("Ready")
    await asyncio.sleep(10)
    await world.agreed(people)
    assert 25_000 < recorded(world) < 45_000


async def test_a_slow_clock_lets_a_panel_say_that_it_is_asleep(world: World) -> None:
    """Its token is nearly dead by Discord's clock."""
    anna, ben = await world.live("anna", "ben")
    world.bot.clock.skew = -HOUR
    for _ in range(6):
        await asyncio.sleep(150)
        await ben.press("Flip")
    assert "timed out" in anna.panel.text


async def test_a_slow_clock_lets_an_old_table_be_posted_anew(world: World) -> None:
    """After 50 minutes by Discord's clock."""
    anna, ben = await world.live("anna", "ben")
    public, world.bot.clock.skew = world.public, -HOUR
    for _ in range(22):
        await asyncio.sleep(150)
        for person in (anna, ben):
            await person.press_public("My cards")
    assert world.public is not public


async def test_a_clock_a_year_fast_deletes_nothing(world: World) -> None:
    """What is kept of a server for 30 days is kept for 30 days of Discord's."""
    await world.bot.stop()
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    left = (5, world.server.app_id, int(loop.wall() * 1000))
    world.change("INSERT INTO guilds VALUES (?, ?, ?)", *left)
    world.bot.clock.skew = 365 * 24 * HOUR
    await world.start()
    await asyncio.sleep(60)
    assert world.rows("SELECT 1 FROM guilds WHERE guild = 5")


def made(snowflake: int) -> int:
    """When Discord made what has this id, in Unix seconds."""
    return ((snowflake >> 22) + EPOCH_MS) // 1000


def recorded(world: World) -> int:
    """How long the only round that is recorded lasted, in ms."""
    found = world.rows("SELECT lasted FROM rounds")
    given(len(found) == 1, "one round is recorded")
    return int(found[0][0])
