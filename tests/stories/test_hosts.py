"""A host who is away, votes that were not meant, and a match that never was."""

import asyncio

from tests.stories.daily import alone
from tests.stories.world import World, given, labels

AWAY = 3 * 60.0 + 5
"""Seconds without a press after which somebody is away."""


async def test_guests_start_without_a_host_who_is_away(world: World) -> None:
    """Start is the host's, until the host hasn't pressed for three minutes."""
    _, ben = await world.lobby("anna", "ben")
    await asyncio.sleep(AWAY)
    await ben.press_public("Start")
    await asyncio.sleep(2)
    assert "Ready" in labels(world.public)


async def test_guests_add_a_computer_player_for_a_host_who_is_away(world: World) -> None:
    """Add and Options are the host's, until the host hasn't pressed for three minutes."""
    _, ben = await world.lobby("anna", "ben")
    await asyncio.sleep(AWAY)
    await ben.press_public("Add robot")
    await asyncio.sleep(2)
    assert "Robot 1" in world.public.text


async def test_a_forgotten_lobby_makes_room_for_the_next(world: World) -> None:
    """When nobody seated has pressed for three minutes, another person's command closes that lobby
    in words and opens the next.
    """
    await world.lobby("anna", "ben")
    await asyncio.sleep(AWAY)
    await world.person("cem").open("dice")
    await asyncio.sleep(2)
    assert "Cem" in world.public.text


async def test_a_vote_to_end_the_round_is_taken_back_by_a_second_press(world: World) -> None:
    """The round goes on, since only the other wants it ended."""
    anna, ben = await world.live("anna", "ben")
    for person in (anna, anna, ben):
        await person.press_public("End round")
        await asyncio.sleep(2)
    assert "Next round" not in labels(world.public)


async def test_a_vote_to_release_is_taken_back_by_a_second_press(world: World) -> None:
    """Ben's vote is then the first of two, and Dora keeps their seat."""
    anna, ben, cem, _ = await world.live("anna", "ben", "cem", "dora")
    await asyncio.sleep(AWAY)
    for person in (anna, ben, cem):
        await person.press("Flip")
    await asyncio.sleep(10)
    for person, label in ((anna, "Remove Dora"), (anna, "Remove Dora (1)")):
        await person.press_public(label)
        await asyncio.sleep(2)
    offered = next(one for one in labels(world.public) if one.startswith("Remove Dora"))
    await ben.press_public(offered)
    await asyncio.sleep(2)
    assert any(one.startswith("Remove Dora") for one in labels(world.public))


async def test_a_match_left_in_the_count_is_won_by_nobody(world: World) -> None:
    """A match of which no round was ever live closes in words, and is recorded nowhere."""
    anna, ben = await world.match("anna", "ben")
    for person in (anna, ben):
        await person.press("Ready")
    await asyncio.sleep(1)
    kinds = {kind for (kind,) in world.rows("SELECT kind FROM journal")}
    given("Dealt" in kinds and "WentLive" not in kinds, "the count goes on")
    await ben.leave()
    await asyncio.sleep(10)
    assert not world.rows("SELECT id FROM matches")
    assert "wins" not in world.public.text


async def test_a_host_who_reads_the_rules_is_here(world: World) -> None:
    """Every press beside a table is one: guests don't start for somebody who reads."""
    anna, ben = await world.lobby("anna", "ben")
    for label in ("Rules", "Fair deal?"):
        await asyncio.sleep(AWAY)
        await anna.press_public(label)
        await asyncio.sleep(2)
        await ben.press_public("Start")
        await asyncio.sleep(2)
        assert "Ready" not in labels(world.public), label


async def test_a_host_who_plays_the_daily_beside_the_table_is_here(world: World) -> None:
    _, ben = await world.lobby("anna", "ben")
    anna = alone(world, "anna")
    await anna.begin()
    await asyncio.sleep(AWAY)
    _ = await anna.flip()
    await asyncio.sleep(2)
    await ben.press_public("Start")
    await asyncio.sleep(2)
    assert "Ready" not in labels(world.public)


async def test_a_host_who_asks_for_a_table_at_their_own_is_here(world: World) -> None:
    anna, ben = await world.lobby("anna", "ben")
    await asyncio.sleep(AWAY)
    await anna.open()
    await asyncio.sleep(2)
    await ben.press_public("Start")
    await asyncio.sleep(2)
    assert "Ready" not in labels(world.public)
