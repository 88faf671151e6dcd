"""Matches that were once recorded otherwise than they happened, or not at all."""

import asyncio

import pytest

from tests.stories.world import Player, World, given, labels


async def solo(world: World) -> Player:
    """Anna plays a match of one round against two computer players."""
    (anna,) = await world.lobby("anna")
    await anna.set_option("rounds", "1")
    for label in ("Add", "Add", "Start"):
        await anna.press_board(label)
    await anna.press("Ready")
    await asyncio.sleep(20)
    await world.agreed([anna])
    await asyncio.sleep(10)
    given("Rematch" in labels(world.board), "the match is over")
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


async def answered(world: World, person: Player, command: str) -> str:
    """Everything that the answer to a command says."""
    answer = await world.server.slash(person.user, world.channel, command).wait()
    await asyncio.sleep(5)
    given(answer.original is not None, "the command is answered")
    assert answer.original is not None
    return answer.original.text
