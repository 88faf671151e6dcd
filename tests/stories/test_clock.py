"""The machine's clock is wrong, or is put right in play: no duration comes from it."""

import asyncio

from tests.stories.world import World, given, labels

HOUR = 3600.0
AWAY = 200.0
"""Seconds without a press after which the others may release somebody."""


async def test_a_clock_put_forward_closes_no_lobby(world: World) -> None:
    """It stays open for its 14 minutes."""
    await world.lobby("anna", "ben")
    world.bot.clock.skew = HOUR
    await asyncio.sleep(10)
    assert "Nobody started it in time" not in world.board.text


async def test_a_clock_put_back_holds_up_no_start(world: World) -> None:
    """Start works 30 s after the first Ready."""
    anna, ben, _ = await world.match("anna", "ben", "cem")
    for person in (anna, ben):
        await person.press("Ready")
    await asyncio.sleep(5)
    given(world.board.find(label="Start").disabled, "too early to start without Cem")
    world.bot.clock.skew = -HOUR
    await asyncio.sleep(40)
    assert not world.board.find(label="Start").disabled


async def test_a_clock_put_back_holds_up_no_release(world: World) -> None:
    """Cem is away after three minutes without a press, and the others may release him."""
    anna, ben, _ = await world.live("anna", "ben", "cem")
    world.bot.clock.skew = -HOUR
    await asyncio.sleep(AWAY)
    for person in (anna, ben):
        await person.press("Flip")
    await asyncio.sleep(10)
    assert "Release Cem" in labels(world.board)


async def test_a_clock_put_back_hides_no_round_that_hangs(world: World) -> None:
    """The end of the round is suggested after a minute without a card."""
    await world.live("anna", "ben")
    world.bot.clock.skew = -HOUR
    await asyncio.sleep(80)
    assert "Nothing has been laid for a minute" in world.board.text


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
    assert "asleep" not in anna.panel.text


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
    board = world.board
    await asyncio.sleep(60)
    assert world.board is board


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
        await person.press_board("Ready")
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
    assert "Nobody started it in time" not in world.board.text


async def test_a_clock_an_hour_fast_is_told_in_the_log(world: World) -> None:
    """The log says so once, when the clock is more than a minute off."""
    world.bot.clock.skew = HOUR
    await world.match("anna", "ben")
    await asyncio.sleep(60)
    assert [line for line in world.said() if "clock" in line]


def recorded(world: World) -> int:
    """How long the only round that is recorded lasted, in ms."""
    found = world.rows("SELECT lasted FROM rounds")
    given(len(found) == 1, "one round is recorded")
    return int(found[0][0])
