"""Somebody leaves a match that goes on: the table and the panels of the others say so."""

import asyncio

import pytest

from tests.loopback.players import labels, seated
from tests.stories.test_learn import lesson, presses
from tests.stories.world import LONG, World, prepared

NEXT = "Join next match"


@pytest.mark.parametrize("game", ["ligretto", "dice"])
async def test_a_leaver_is_told_of_and_plays_no_more(world: World, game: str) -> None:
    anna, ben, cem = await world.live("anna", "ben", "cem", game=game)
    await world.server.slash(cem.user, cem.channel, "plain").wait()
    await cem.press_public("My cards" if game == "ligretto" else "My dice")
    await ben.press_public("Leave")
    await asyncio.sleep(LONG)
    asked = lesson(ben)
    assert "The others play on, and you can’t rejoin." in asked.text
    await presses(ben, asked, "Yes, leave")
    assert "**Ben** left" in world.public.text
    await asyncio.sleep(5.0)
    assert "**Ben** left" in anna.panel.text
    assert "**Ben** left" in cem.panel.text, "also where a push is seconds late"
    await asyncio.sleep(10.0)
    assert "🏳️ Ben left · 0" in world.public.text
    own = next(m for m in world.server.panels(ben.user, ben.channel) if NEXT in labels(m))
    await presses(ben, own, NEXT)
    assert "Next match: Ben" in world.public.text


async def test_the_last_of_two_is_told_that_the_match_ends(world: World) -> None:
    anna, _ = await prepared(seated(world.server, world.channel, ["anna", "ben"], 1))
    await anna.press_public("Leave")
    await asyncio.sleep(LONG)
    assert "Too few players would be left, so it ends." in lesson(anna).text
