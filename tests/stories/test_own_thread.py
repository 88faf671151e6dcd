"""A panel that stays in the channel while its table has moved into a thread."""

import asyncio

from tests.stories.world import LONG, World, prepared


async def test_a_panel_left_in_the_channel_leads_to_the_thread(world: World) -> None:
    """Start is there now, and nothing else near the panel says so."""
    (anna,) = await world.lobby("anna")
    assert "<#" not in anna.panel.text
    await prepared(anna.set_option("place", "thread"))
    await asyncio.sleep(LONG)
    (thread,) = (one for one in world.server.channels.values() if one.thread)
    assert "Press Start" in anna.panel.text
    assert f"<#{thread.id}>" in anna.panel.text
