"""Matches that were once recorded otherwise than they happened, or not at all."""

import asyncio

import pytest

from tests.stories.world import Player, World, given, labels


async def solo(world: World) -> Player:
    """Anna plays a match of one round against two computer players."""
    (anna,) = await world.lobby("anna")
    await anna.set_option("rounds", "1")
    for label in ("Add robot", "Add robot", "Start"):
        await anna.press_public(label)
    await anna.press("Ready")
    await asyncio.sleep(20)
    await world.agreed([anna])
    await asyncio.sleep(10)
    given("Rematch" in labels(world.public), "the match is over")
    return anna


@pytest.mark.parametrize(
    ("command", "untrue"),
    [
        ("history", "No match has been finished here yet"),
        ("replay", "No match has been finished here yet"),
    ],
)
async def test_a_match_against_computers_is_in_the_history(
    world: World, command: str, untrue: str
) -> None:
    """It is there, as the practice of its player, and `/replay` hands it out."""
    anna = await solo(world)
    told = await answered(world, anna, command)
    assert untrue not in told


async def test_a_match_against_computers_is_in_the_statistics(world: World) -> None:
    """They count it as practice."""
    anna = await solo(world)
    told = await answered(world, anna, "stats")
    assert "ractice" in told


PRACTICE = "practice: no rating, no leaderboard"


async def over(world: World, anna: Player) -> str:
    """Anna ends the rounds that are left, each as soon as it is live. What the end says."""
    for _ in range(3):
        if "Rematch" not in labels(world.public):
            await world.agreed([anna])
        if "Next round" in labels(world.public):
            await anna.press("Next round")
            await asyncio.sleep(20)
    await asyncio.sleep(10)
    given("Rematch" in labels(world.public), "the match is over")
    return world.public.text


async def test_an_opponent_who_left_in_the_count_is_none(world: World) -> None:
    """Anna plays on against a computer. She had three wins on the leaderboard for it."""
    anna, ben = await world.lobby("anna", "ben")
    for label in ("Add robot", "Start"):
        await anna.press_public(label)
    await asyncio.sleep(5)
    for person in (anna, ben):
        await person.press("Ready")
    await ben.leave()
    await asyncio.sleep(20)
    reason = f"No round had two people in it, so it’s {PRACTICE}."
    assert reason in await over(world, anna)
    assert reason in await answered(world, anna, "history")
    assert "No leaderboard match yet" in await answered(world, anna, "stats")


async def test_uneven_dice_are_practice_from_the_lobby_on(world: World) -> None:
    anna, ben = world.person("anna"), world.person("ben")
    await anna.open("dice")
    await ben.press_public("Join")
    await anna.set_option("dice.1", "22")
    await asyncio.sleep(5)
    reason = f"Uneven dice, so it’s {PRACTICE}."
    assert reason in world.public.text
    await anna.set_option("dice.1", "even")
    await asyncio.sleep(5)
    assert reason not in world.public.text


async def test_two_people_are_told_that_two_rounds_are_practice(world: World) -> None:
    anna, _ = await world.lobby("anna", "ben")
    await anna.set_option("rounds", "2")
    await asyncio.sleep(5)
    assert f"Fewer than three rounds, so it’s {PRACTICE}." in world.public.text


async def test_who_leaves_behind_has_lost(world: World) -> None:
    """The match ended "too short", without a loss for anybody."""
    anna, ben = await world.live("anna", "ben")
    given(await anna.act(), "somebody has pressed while both are in")
    await world.agreed([anna, ben])
    await ben.leave()
    await asyncio.sleep(10)
    given("Rematch" in labels(world.public), "the match is over")
    told = await answered(world, ben, "history")
    for screen in (world.public.text, told):
        assert "Too short" not in screen
        assert PRACTICE not in screen
    assert "Anna wins" in world.public.text, "who stayed is first"
    assert world.rows("SELECT standing FROM matches") == [("rated",)]


async def answered(world: World, person: Player, command: str) -> str:
    """Everything that the answer to a command says."""
    answer = await world.server.slash(person.user, world.channel, command).wait()
    await asyncio.sleep(5)
    given(answer.original is not None, "the command is answered")
    assert answer.original is not None
    return answer.original.text
