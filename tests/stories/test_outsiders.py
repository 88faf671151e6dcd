"""People without a seat: they are told what they can do, and may have one in the next match."""

import asyncio

from bot.fakediscord import Interaction
from tests.stories.world import Player, World, labels

LATER = 5.0
HELD = 70.0
"""Seconds after which a seat that nobody takes is free."""


async def text_of(world: World, person: Player, label: str) -> str:
    """What a person is told who presses a button of the table message."""
    answer = await person.press_public(label)
    return told(answer)


def told(answer: Interaction) -> str:
    assert answer.original is not None
    return answer.original.text


async def wants_in(world: World, person: Player) -> Interaction:
    asked = await person.press_public("Ready")
    assert asked.original is not None
    button = next(
        item for item in asked.original.controls if "next match" in (item.label or "").lower()
    )
    first = world.server.click(person.user, asked.original, button.custom_id)
    second = world.server.click(person.user, asked.original, button.custom_id, stale=True)
    assert (await second.wait()).ok, "a double press is no mistake"
    return await first.wait()


async def test_an_open_lobby_asks_outsiders_to_join(world: World) -> None:
    await world.lobby("anna", "ben")
    assert await text_of(world, world.person("cem"), "Start") == "Press Join first"


async def test_a_seat_is_held_in_the_next_match_for_who_asks(world: World) -> None:
    """The seat outlives a restart, everybody sees it, and nobody is asked twice."""
    anna, ben = await world.match("anna", "ben", rounds=1)
    cem = world.person("cem")
    answer = await wants_in(world, cem)
    assert "You have a seat in the next match" in cem.server.panels(cem.user, cem.channel)[-1].text
    assert answer.ok
    await asyncio.sleep(2)
    assert "Next match: Cem\n" in f"{world.public.text}\n", "once"
    assert "You have a seat in the next match" in await text_of(world, cem, "Ready")
    world.bot.kill()
    await world.start()
    assert "Next match: Cem" in world.public.text
    for person in (anna, ben):
        _ = await person.press_public("Ready")
    await asyncio.sleep(LATER)
    await world.agreed([anna, ben])
    _ = await anna.press("Rematch")
    await asyncio.sleep(LATER)
    assert "Seat held for Cem" in world.public.text
    _ = await cem.press_public("Join")
    await asyncio.sleep(2)
    assert "Seat held for Cem" not in world.public.text
    assert "Ready" in labels(cem.panel)
    await asyncio.sleep(HELD)
    assert "Seat held for" not in world.public.text, "Ben did not come"
    assert "Cem" in world.public.text


async def test_a_full_table_says_that_no_seat_is_left(world: World) -> None:
    people = [f"p{number}" for number in range(4)]
    await world.match(*people, game="dice")
    answer = await wants_in(world, world.person("zoe"))
    assert answer.ok
    zoe = world.person("zoe")
    assert (
        "All seats in the next match are taken" in zoe.server.panels(zoe.user, zoe.channel)[-1].text
    )
