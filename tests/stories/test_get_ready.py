"""Between Start and the cards: everybody knows who is missing, and until when."""

import asyncio
import re

from discord.utils import snowflake_time

from tests.stories.world import World, labels

WAITED_FOR = 30
"""Seconds after the first Ready until the host may start without the others."""
_DATE = re.compile(r"<t:([0-9]+):R>")


async def test_everybody_knows_who_is_missing_and_until_when(world: World) -> None:
    """Discord counts down to the moment in which Start works; then the words say so."""
    await world.knows_its_channel()
    anna, ben = await world.match("anna", "ben")
    assert "⏳ **Anna, Ben**" in world.public.text
    assert "can start" not in world.public.text, "nobody waits yet"
    assert "direct messages" not in world.public.text, "panels are here"
    pressed = await anna.press("Ready")
    began = snowflake_time(pressed.id).timestamp()
    await asyncio.sleep(2)
    (date,) = set(_DATE.findall(world.public.text + ben.panel.text))
    assert abs(int(date) - began - WAITED_FOR) <= 2
    assert "✅ Anna" in world.public.text
    assert "⏳ **Ben**" in world.public.text
    assert f"Anna can start <t:{date}:R>" in ben.panel.text
    assert f"You can start <t:{date}:R>" in anna.panel.text
    assert "**Press Ready.**" in ben.panel.text

    await asyncio.sleep(WAITED_FOR + 8)
    assert "Anna can start now" in world.public.text
    start = next(one for one in world.public.controls if one.label == "Start")
    assert not start.disabled


async def test_a_panel_says_once_that_its_player_is_ready(world: World) -> None:
    """Not in a line, in the news and on the button as well."""
    anna, _ = await world.match("anna", "ben")
    _ = await anna.press("Ready")
    await asyncio.sleep(2)
    assert "**You’re ready** · ⏳ Ben" in anna.panel.text
    assert len(re.findall("ready", anna.panel.text, re.IGNORECASE)) == 1
    assert "Ready" in labels(anna.panel), "it stays where it is"
