"""Mentions of whoever is missing: off at first; on, one message that only they are mentioned in."""

import asyncio

import pytest

from tests.stories.world import Message, World, given

WAITED = 20.0
POST = r"POST /api/v10/channels/\d+/messages$"


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


async def test_a_mention_of_before_a_crash_is_deleted_at_ready(world: World) -> None:
    """Also one that couldn't be deleted before the crash."""
    await turn_on(world)
    anna, ben, cem = await world.match("anna", "ben", "cem")
    table = world.public
    _ = await anna.press("Ready")
    await asyncio.sleep(WAITED)
    given(len(mentions(world)) == 2, "both who are missing are mentioned")
    before = {one.id for one in mentions(world)}
    world.bot.kill()
    await world.start()
    await asyncio.sleep(WAITED)
    assert {one.id for one in mentions(world)} == before, "nobody is mentioned twice"
    world.server.fault("DELETE .*/messages/.*", status=503, times=1)
    _ = await world.server.click(ben.user, table, label="Ready").wait()
    await asyncio.sleep(3)
    given(len(mentions(world)) == 2, "Ben's could not be deleted")
    world.bot.kill()
    await world.start()
    (left,) = mentions(world)
    assert f"<@{cem.user.id}>" in left.text
    _ = await world.server.click(cem.user, table, label="Ready").wait()
    await asyncio.sleep(3)
    assert mentions(world) == []
    assert world.rows("SELECT * FROM mentions") == []


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_mention_whose_posting_was_not_answered_is_deleted_at_ready(
    world: World, when: str
) -> None:
    """Whether it was posted isn't known, so it is looked for by its nonce, which pings nobody."""
    await turn_on(world)
    anna, ben = await world.match("anna", "ben")
    table = world.public
    _ = await anna.press("Ready")
    lost = world.server.fault(POST, hold=asyncio.Event(), when=when, times=1)
    await asyncio.sleep(WAITED)
    given(lost.hits == 1, "the answer is lost")
    _ = await world.server.click(ben.user, table, label="Ready").wait()
    await asyncio.sleep(2 * WAITED)
    assert mentions(world) == []
