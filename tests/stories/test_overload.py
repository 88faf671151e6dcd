"""Many people at once: who gets an answer, and who fills the channel."""

import asyncio
from pathlib import Path

from tests.stories.daily import alone
from tests.stories.world import World, given, running

STRANGERS = 200
"""People at once, more than the bot works for at a time."""
PUBLIC = 3
"""Public answers that one person gets in a minute."""


async def test_strangers_take_no_room_from_players(tmp_path: Path) -> None:
    """A part of the room is kept for those who sit at a table."""
    async with running(tmp_path, channels=2) as world:
        anna, _ = await world.live("anna", "ben")
        other = world.person("cem", world.server.all_channels[1])
        await other.open()
        await asyncio.sleep(2)
        world.server.settings.rtt = 1.0
        crowd = [
            world.server.click(world.server.user(f"s{number}"), other.public, label="Start")
            for number in range(STRANGERS)
        ]
        await asyncio.sleep(0.2)
        answer = await world.server.click(anna.user, anna.panel, label="Flip").wait()
        await asyncio.gather(*(press.wait() for press in crowd))
        given(any(press.ok for press in crowd), "the bot works")
        given(not all(press.ok for press in crowd), "they are too many")
        assert answer.ok


async def test_strangers_take_no_room_from_whoever_plays_the_daily(tmp_path: Path) -> None:
    async with running(tmp_path) as world:
        other = world.person("cem")
        await other.open()
        anna = alone(world, "anna")
        await anna.begin()
        world.server.settings.rtt = 1.0
        crowd = [
            world.server.click(world.server.user(f"s{number}"), other.public, label="Start")
            for number in range(STRANGERS)
        ]
        await asyncio.sleep(0.2)
        answer = await anna.flip()
        await asyncio.gather(*(press.wait() for press in crowd))
        given(not all(press.ok for press in crowd), "they are too many")
        assert answer.ok


async def test_one_person_fills_no_channel(world: World) -> None:
    """Beyond three leaderboards and records a minute they come in private, and say why."""
    anna = world.server.user("anna")
    for number in range(10):
        command = ("leaderboard", "records")[number % 2]
        answer = await world.server.slash(anna, world.channel, command).wait()
        given(answer.ok, "each is answered")
        await asyncio.sleep(1)
    public = world.server.public(world.channel)
    private = world.server.panels(anna, world.channel)
    assert (len(public), len(private)) == (PUBLIC, 10 - PUBLIC)
    why = "You get three public answers per minute at most, so only you can see this one."
    assert [why in one.text for one in (*public, *private)] == [False] * PUBLIC + [True] * 7
    await asyncio.sleep(60)
    _ = await world.server.slash(anna, world.channel, "leaderboard").wait()
    assert len(world.server.public(world.channel)) == PUBLIC + 1


async def test_one_person_opens_no_table_after_another(world: World) -> None:
    """Each leaves a message behind. Those beyond three a minute are refused in private, and
    leaderboards count with them.
    """
    anna, ben = world.server.user("anna"), world.person("ben")
    for number in range(12):
        answer = await world.server.slash(anna, world.channel, "ligretto").wait()
        given(answer.ok, "each is answered")
        await asyncio.sleep(1)
        if number < PUBLIC:
            given((await world.server.click(anna, world.public, label="Leave").wait()).ok, "leaves")
        await asyncio.sleep(1)
    assert len(world.server.public(world.channel)) == PUBLIC
    assert "several tables" in world.server.panels(anna, world.channel)[-1].text
    _ = await world.server.slash(anna, world.channel, "leaderboard").wait()
    assert len(world.server.public(world.channel)) == PUBLIC
    await ben.open()
    assert len(world.server.public(world.channel)) == PUBLIC + 1


async def test_a_table_that_is_refused_counts_for_nothing(tmp_path: Path) -> None:
    """A table is in this channel already, or its host sits at one in another channel."""
    async with running(tmp_path, channels=2) as world:
        (anna,) = await world.lobby("anna")
        other = world.server.all_channels[1]
        for number in range(6):
            channel = other if number % 2 else world.channel
            _ = await world.server.slash(anna.user, channel, "ligretto").wait()
            await asyncio.sleep(1)
        given((await world.server.click(anna.user, world.public, label="Leave").wait()).ok, "left")
        _ = await world.server.slash(anna.user, other, "dice").wait()
        assert len(world.server.public(other)) == 1
