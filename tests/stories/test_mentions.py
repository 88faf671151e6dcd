"""Mentions of whoever is missing: off at first; on, one message that only they are mentioned in."""

import asyncio

from tests.stories.world import Message, World, given

WAITED = 20.0


def mentions(world: World) -> list[Message]:
    """The messages of the channel that mention somebody."""
    return [one for one in world.server.public(world.channel) if "<@" in one.text]


async def turn_on(world: World) -> None:
    guild = world.channel.guild
    assert guild is not None
    _ = await world.bot.stop()
    world.change("INSERT INTO settings (guild, ping) VALUES (?, 1)", guild.id)
    await world.start()


async def test_nobody_is_mentioned_unless_a_server_wants_it(world: World) -> None:
    anna, _ = await world.match("anna", "ben")
    _ = await anna.press("Ready")
    await asyncio.sleep(WAITED)
    assert mentions(world) == []


async def test_who_is_missing_is_mentioned_alone_until_they_are_ready(world: World) -> None:
    await turn_on(world)
    anna, ben = await world.match("anna", "ben")
    table = world.public
    await asyncio.sleep(WAITED)
    given(mentions(world) == [], "nobody is mentioned before somebody waits")
    _ = await anna.press("Ready")
    await asyncio.sleep(WAITED)
    (mention,) = mentions(world)
    assert f"<@{ben.user.id}>" in mention.text
    assert f"<@{anna.user.id}>" not in mention.text
    assert mention.pings == {f"user:{ben.user.id}"}
    everything = world.server.public(world.channel)
    assert not any(one.pings for one in everything if one is not mention)
    _ = await world.server.click(ben.user, table, label="Ready").wait()
    await asyncio.sleep(3)
    assert mentions(world) == []
