"""An arena in a story: people who join, play what fits, and ask for the next round."""

import asyncio

from bot.fakediscord import Channel, Interaction
from bot.tables.arena.pairing import PATIENCE
from tests.loopback.players import Player, labels
from tests.stories.world import LONG, World, given

NEXT = "Next round"
SOON = PATIENCE / 1000 + 10.0
"""Seconds after which a table of those who are free has begun, full or not."""
PACE = 1.5
"""Seconds between two presses of one person."""
YES = "Yes, leave"


async def opened(world: World, *names: str, **options: object) -> list[Player]:
    """An arena in the first channel. The first person opens it, and the others join."""
    people = [world.person(name) for name in names]
    host = people[0]
    answer = await world.server.slash(host.user, host.channel, "arena", options).wait()
    given(answer.ok, "the arena is there")
    for person in people[1:]:
        _ = await person.press_public("Join")
    await asyncio.sleep(LONG)
    return people


def is_dealt(person: Player) -> bool:
    """Whether their panel is that of a table."""
    return any((one.custom_id or "").startswith("lg1:") for one in person.panel.controls)


async def dealt(*people: Player) -> None:
    """Wait until these people have cards that they can play."""
    for person in people:
        await person.server.wait_for(person.choose, SOON)
        assert is_dealt(person)


async def played(*people: Player) -> None:
    """Everybody plays what fits until their round is over."""
    await asyncio.gather(*map(_played, people))
    await asyncio.sleep(LONG)


async def _played(person: Player) -> None:
    while is_dealt(person):
        answer = await person.act()
        assert answer is None or answer.ok, f"{answer} was not answered"
        await asyncio.sleep(PACE)


async def ready(*people: Player) -> None:
    """Everybody asks for the next round."""
    for person in people:
        answer = await person.press(NEXT)
        assert answer.ok


async def left_round(person: Player) -> None:
    """Leave the round, and mean it."""
    answer = await person.press("Leave round")
    given(answer.original is not None and YES in labels(answer.original), "they are asked")
    assert answer.original is not None
    _ = await person.server.click(person.user, answer.original, label=YES).wait()
    await asyncio.sleep(LONG)


async def answers(person: Player, asked: Interaction, label: str) -> None:
    """Press a button of a private question."""
    given(asked.original, "it was asked")
    assert asked.original is not None
    _ = await person.server.click(person.user, asked.original, label=label).wait()
    await asyncio.sleep(LONG)


def told(answer: Interaction) -> str:
    """The words of a private answer."""
    assert answer.original is not None, f"{answer} has no words"
    return answer.original.text


async def typed(
    world: World, person: Player, command: str, channel: Channel | None = None, **options: object
) -> str:
    """The words with which a command is answered."""
    where = channel or world.channel
    answer = await world.server.slash(person.user, where, command, options).wait()
    await asyncio.sleep(LONG)
    return told(answer)


def owner(world: World) -> Player:
    """The server's owner, who may do everything."""
    assert world.channel.guild is not None
    return Player(world.server, world.channel.guild.owner, world.channel)


async def forgotten(world: World, person: Player) -> str:
    """Have everything deleted that is stored about somebody. The words that answer it."""
    asked = await world.server.slash(person.user, world.channel, "privacy").wait()
    for label in ("Delete my data", "Yes, delete it"):
        await answers(person, asked, label)
    return told(asked)
