"""Panels whose tokens are about to die."""

import asyncio
from collections.abc import Sequence

import pytest

from bot.store.database.writer import BEHIND
from tests.loopback.correspondents import direct_lobby
from tests.stories.world import LONG, Player, World, given

HANGING = 7
"""Panels whose edits hang: Discord takes the request and says nothing."""
LIFE = 15 * 60.0
"""Seconds that a token lives."""


async def test_panels_that_hang_keep_no_other_from_its_last_word(world: World) -> None:
    """Each is told by its own writer, so that nobody waits for what hangs: who looks at their
    panel later reads how it is woken, and takes no old cards for those on the table.
    """
    names = [f"p{number}" for number in range(HANGING + 1)]
    people = await world.match(*names)
    *others, last = people
    for person in (*others, last):
        await person.press_public("My cards")
    born = asyncio.get_running_loop().time()
    await keep_awake(world, born + 13.5 * 60)
    for person in others:
        world.server.fault(f"PATCH .*/messages/{person.panel.id}", latency=1000.0)
    await keep_awake(world, born + LIFE + 30)
    assert "timed out" in last.panel.text


async def test_a_last_word_that_hangs_is_tried_again(world: World) -> None:
    _, ben = await world.match("anna", "ben")
    await ben.press_public("My cards")
    born = asyncio.get_running_loop().time()
    await keep_awake(world, born + 13.5 * 60, host="anna")
    hangs = world.server.fault(f"PATCH .*/messages/{ben.panel.id}", latency=1000.0, times=1)
    await keep_awake(world, born + LIFE + 30, host="anna")
    assert hangs.hits == 1
    assert "timed out" in ben.panel.text


@pytest.mark.parametrize("panels", ["here", "dm"])
async def test_panel_whose_note_a_kill_took_wakes_at_a_press(world: World, panels: str) -> None:
    """It was made in that moment, and where it is was not written down yet. Any button on it brings
    it back, and it goes on live.
    """
    anna, ben = await PEOPLE[panels](world)
    await anna.press_public("Start")
    await asyncio.sleep(LONG)
    await ben.press_public("My cards")
    await asyncio.sleep(LONG)
    world.bot.kill()
    world.change("DELETE FROM panels")
    world.change("DELETE FROM direct_panels")
    await world.start()
    await ben.press("Ready")
    await anna.press_public("My cards")
    await asyncio.sleep(LONG)
    await anna.press("Ready")
    await asyncio.sleep(5.0)
    assert ben.choose() is not None, ben.panel.text


@pytest.mark.parametrize("end", ["kill", "stop"])
async def test_newest_token_is_written_behind_and_at_the_stop(world: World, end: str) -> None:
    """A kill right after a press costs only its token: the one before it keeps the panel live, and
    the move is there.
    """
    _, ben = await world.live("anna", "ben")
    await ben.press("Flip")
    await asyncio.sleep(LONG + BEHIND)
    stored = kept(world, ben)
    moves = world.rows("SELECT count(*) FROM journal WHERE kind = 'Moved'")
    await ben.press("Flip")
    given(kept(world, ben) == stored, "the newest token is written later")
    if end == "stop":
        assert await world.bot.stop() is None
    else:
        world.bot.kill()
    assert (kept(world, ben) == stored) is (end == "kill")
    ((before,),), ((after,),) = moves, world.rows("SELECT count(*) FROM journal WHERE kind='Moved'")
    assert after == before + 1
    await world.start()
    await asyncio.sleep(LONG)
    assert "The bot restarted" in ben.panel.text, "it is pushed"


async def test_panel_with_no_living_token_after_a_kill_wakes_at_a_press(world: World) -> None:
    """Its last press but one was long before the kill, and the last one is not written yet."""
    _, ben = await world.live("anna", "ben")
    born = asyncio.get_running_loop().time()
    await ben.press("Flip")
    await asyncio.sleep(LONG + BEHIND)
    stored = kept(world, ben)
    await keep_awake(world, born + LIFE - 80, host="anna")
    await ben.press("Flip")
    world.bot.kill()
    given(kept(world, ben) == stored, "only the first token is known")
    await asyncio.sleep(90.0)
    await world.start()
    await asyncio.sleep(LONG)
    given(not world.rows("SELECT 1 FROM panels WHERE user = ?", ben.user.id), "it has died")
    await ben.press("Flip")
    assert "The bot restarted" in ben.panel.text
    await asyncio.sleep(BEHIND / 2)
    assert world.rows("SELECT 1 FROM panels WHERE user = ?", ben.user.id)


def kept(world: World, person: Player) -> str:
    """The token of the person's panel that a start would find."""
    ((token,),) = world.rows("SELECT token FROM panels WHERE user = ?", person.user.id)
    return str(token)


async def lobby_by_messages(world: World) -> Sequence[Player]:
    return await direct_lobby(world.server, "anna", "ben")


async def lobby_here(world: World) -> Sequence[Player]:
    return await world.lobby("anna", "ben")


PEOPLE = {"here": lobby_here, "dm": lobby_by_messages}
"""A lobby whose panels are there."""


async def keep_awake(world: World, until: float, host: str = "p0") -> None:
    """Somebody without a panel presses now and then, so that the match goes on."""
    loop = asyncio.get_running_loop()
    presses = world.person(host).user
    while loop.time() < until:
        await world.server.click(presses, world.public, label="Move down").wait()
        await asyncio.sleep(min(300.0, max(0.0, until - loop.time())))
