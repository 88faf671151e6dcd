"""Somebody who is new is offered the lesson once, and has hints in a first match alone."""

import asyncio

from bot.fakediscord import Message
from tests.loopback.players import Player, all_ready, labels, seated
from tests.stories.test_learn import green, lesson, presses
from tests.stories.world import LONG, World, prepared

OFFER, HINTS = "Show me how", "Hints are on in your first match"


async def closed(person: Player) -> None:
    """Leave, so that the channel is free."""
    await person.leave()
    await asyncio.sleep(LONG)


def is_offered(panel: Message) -> bool:
    return OFFER in labels(panel) and "First time?" in panel.text


async def alone(world: World, person: Player, game: str = "ligretto") -> None:
    """A live match of one person and a robot."""
    await prepared(person.open(game))
    await prepared(person.press_public("Add robot"))
    await prepared(person.press_public("Start"))
    await asyncio.sleep(LONG)
    await prepared(all_ready([person]))
    await asyncio.sleep(LONG)


async def test_the_lesson_is_offered_at_a_first_table_and_at_no_other(world: World) -> None:
    anna, ben = await world.lobby("anna", "ben")
    assert is_offered(anna.panel)
    assert is_offered(ben.panel)
    panel = anna.panel
    await presses(anna, panel, OFFER)
    assert green(lesson(anna)) == ["R1"], "the lesson comes as a message of its own"
    world.server.dismiss(anna.user, lesson(anna))
    world.bot.kill()
    await world.start()
    await presses(ben, ben.panel, "Ready")
    assert is_offered(ben.panel), "it is still the first table"
    for person in (anna, ben):
        await closed(person)
    world.bot.kill()
    await world.start()
    people = await world.lobby("ben", "cleo")
    assert [is_offered(one.panel) for one in people] == [False, True]


async def test_dice_offer_no_lesson(world: World) -> None:
    anna = world.person("anna")
    await prepared(anna.open("dice"))
    assert OFFER not in labels(anna.panel)
    await closed(anna)
    await prepared(anna.open())
    await asyncio.sleep(LONG)
    assert is_offered(anna.panel), "cards are new all the same"


async def test_a_first_match_alone_has_hints_and_says_so(world: World) -> None:
    anna = world.person("anna")
    await alone(world, anna)
    assert HINTS in anna.panel.text
    assert "fits" in anna.panel.text
    assert OFFER not in labels(anna.panel)
    await closed(anna)
    await alone(world, anna)
    assert HINTS not in anna.panel.text
    assert "fits" not in anna.panel.text


async def test_a_first_match_alone_with_dice_has_hints_as_well(world: World) -> None:
    """Even if the cards are known by then: each is new once."""
    anna = world.person("anna")
    await alone(world, anna)
    await closed(anna)
    await alone(world, anna, "dice")
    assert HINTS in anna.panel.text
    assert "Fits:" in anna.panel.text or "Nothing fits" in anna.panel.text
    await closed(anna)
    await alone(world, anna, "dice")
    assert HINTS not in anna.panel.text


async def test_a_first_match_with_others_has_no_hints(world: World) -> None:
    anna, ben = await prepared(seated(world.server, world.channel, ["anna", "ben"], 1))
    await prepared(all_ready([anna, ben]))
    await asyncio.sleep(LONG)
    assert HINTS not in anna.panel.text
    await closed(anna)
    await alone(world, anna)
    assert HINTS in anna.panel.text, "that was no match alone"


async def test_forgotten_people_are_new_again(world: World) -> None:
    anna = world.person("anna")
    await prepared(anna.open())
    await closed(anna)
    assert world.rows("SELECT what FROM firsts") == [("table",)]
    await world.server.slash(anna.user, anna.channel, "privacy").wait()
    privacy = lesson(anna)
    assert "only once" in privacy.text
    for label in ("Delete my data", "Yes, delete it"):
        await presses(anna, privacy, label)
    assert not world.rows("SELECT what FROM firsts")
    await prepared(anna.open())
    await asyncio.sleep(LONG)
    assert is_offered(anna.panel)
