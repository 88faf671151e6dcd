"""The order of the messages: the table stands first, the hand below it, and no note is left."""

import asyncio

from tests.loopback.correspondents import direct_lobby
from tests.stories.world import Message, Player, World, given, labels

LATER = 5.0
TIDY = 60.0
"""Seconds after the cards within which what is no longer needed is gone: cards come first."""


def notes(person: Player) -> list[Message]:
    """The private messages of a person that are no panels."""
    private = person.server.panels(person.user, person.channel)
    return [one for one in private if one not in person.panels]


async def test_hand_is_below_the_table_after_start(world: World) -> None:
    """It comes with Ready, and the panel of the lobby goes once the cards are out."""
    anna, ben = await world.match("anna", "ben")
    assert anna.panel.id > world.public.id, "whoever presses Start has it at once"
    assert ben.panel.id < world.public.id, "it was made in the lobby"
    for person in (anna, ben):
        _ = await person.press("Ready")
        await asyncio.sleep(1)
        assert person.panel.id > world.public.id
    await asyncio.sleep(LATER)
    for person in (anna, ben):
        assert len(person.panels) == 1


async def test_ready_on_the_table_brings_the_hand_below_it(world: World) -> None:
    """For whoever has their panel above the table."""
    _, ben, _ = await world.match("anna", "ben", "cem")
    given(ben.panel.id < world.public.id, "it was made in the lobby")
    _ = await ben.press_public("Ready")
    hand = ben.panel
    assert hand.id > world.public.id
    _ = await ben.press_public("Ready")
    assert ben.panel is hand, "once"


async def test_hand_is_below_the_table_after_a_rematch(world: World) -> None:
    anna, ben = await world.live("anna", "ben", rounds=1)
    await world.agreed([anna, ben])
    over = world.public
    _ = await anna.press("Rematch")
    await asyncio.sleep(LATER)
    assert world.public is not over
    assert anna.panel.id > world.public.id
    _ = await ben.press_public("Join")
    assert ben.panel.id > world.public.id


async def test_hand_follows_a_table_that_moves_down(world: World) -> None:
    """The presser's comes at once. Cards of others in play stay where they are."""
    anna, ben = await world.live("anna", "ben")
    before, bens = world.public, ben.panel
    _ = await anna.press_public("Move down")
    await asyncio.sleep(LATER)
    assert world.public is not before
    assert anna.panel.id > world.public.id
    assert "Flip" in labels(anna.panel)
    assert len(anna.panels) == 1
    await ben.press("Flip")
    assert ben.panel is bens
    await world.agreed([anna, ben])
    await ben.press("Next round")
    assert ben.panel.id > world.public.id


async def test_a_person_has_one_note_which_the_next_replaces(world: World) -> None:
    _, ben = await world.lobby("anna", "ben")
    for _ in range(3):
        _ = await ben.press_public("Start")
    await asyncio.sleep(LATER)
    assert "Anna" in notes(ben)[-1].text
    _ = await world.person("anna").press_public("Start")
    await asyncio.sleep(LATER)
    for name in ("anna", "ben"):
        _ = await world.person(name).press("Ready")
    await asyncio.sleep(TIDY)
    assert notes(ben) == []


async def test_everybody_hears_at_start_where_direct_panels_are(world: World) -> None:
    """On the table itself, with a link. Whoever presses Start is told where their own is."""
    anna, ben = await direct_lobby(world.server, "anna", "ben")
    announced = "Panels come as direct messages: https://discord.com/channels/@me"
    assert announced not in world.public.text
    _ = await anna.press_public("Start")
    await asyncio.sleep(LATER)
    assert announced in world.public.text
    told = world.server.panels(anna.user, world.channel)[-1].text
    assert "Your panel is in your direct messages: https://discord.com/channels/@me/" in told
    for person in (anna, ben):
        _ = await person.press("Ready")
    await asyncio.sleep(LATER)
    assert announced not in world.public.text, "in play every line counts"


async def test_a_second_start_is_silent(world: World) -> None:
    anna, _ = await world.lobby("anna", "ben")
    start = next(item for item in world.public.controls if item.label == "Start")
    lobby = world.public
    _ = await anna.press_public("Start")
    hand = anna.panel
    again = await world.server.click(anna.user, lobby, start.custom_id, stale=True).wait()
    await asyncio.sleep(LATER)
    assert again.ok
    assert anna.panel is hand
    assert notes(anna) == []
    assert "Ready" in labels(world.public)


async def test_lists_of_options_close_with_the_lobby(world: World) -> None:
    anna, ben = await world.lobby("anna", "ben")
    options = next(item for item in world.public.controls if item.label == "Options")
    sent = (options.custom_id or "").rpartition(":")[0] + ":options"
    _ = await world.server.click(anna.user, world.public, sent, stale=True).wait()
    assert len(notes(anna)) == 1
    _ = await anna.press_public("Start")
    await asyncio.sleep(2)
    for person in (anna, ben):
        _ = await person.press("Ready")
    await asyncio.sleep(TIDY)
    assert notes(anna) == []
