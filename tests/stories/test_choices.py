"""Matches are chosen by date and names, a wrong number is told in words, a person has a menu."""

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.fakediscord import Interaction
from tests.loopback.players import Player
from tests.stories.calendar import beats, manages, played, woken
from tests.stories.moderating import confirmed
from tests.stories.world import World, at_rest, given


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """A server with three matches: the first two of Anna and Ben, the last of Anna and Cleo."""
    async with at_rest(tmp_path) as one:
        await one.start()
        _ = await one.bot.stop()
        anna, ben, cleo = (one.person(name) for name in ("anna", "ben", "cleo"))
        manages(one, anna)
        _ = await played(
            one,
            [
                beats(one, anna, ben, "2026-11-10 20:00"),
                beats(one, ben, anna, "2026-11-28 23:59", "UTC", game="ligretto"),
                beats(one, cleo, anna, "2026-11-30 20:00"),
            ],
        )
        await woken(one, "2026-12-01 09:00")
        yield one


async def offered(
    world: World, person: Player, command: str, typed: str, option: str = "match"
) -> list[str]:
    """What is offered while somebody types."""
    asked = world.server.autocomplete(
        person.user, world.channel, command, {option: typed}, focused=option
    )
    answer = await asked.wait()
    return [choice["name"] for choice in _choices(answer)]


def _choices(answer: Interaction) -> list[dict[str, Any]]:
    assert answer.choices is not None
    return answer.choices


async def told(world: World, person: Player, command: str, match: str) -> str:
    answer = await world.server.slash(person.user, world.channel, command, {"match": match}).wait()
    await asyncio.sleep(2)
    given(answer.original is not None, "the command is answered")
    assert answer.original is not None
    return answer.original.text


async def test_matches_are_offered_by_number_date_game_and_names(world: World) -> None:
    anna = world.person("anna")
    assert await offered(world, anna, "history", "") == [
        "#3 · Nov 30, 2026 · Ligretto Dice · Cleo, Anna",
        "#2 · Nov 28, 2026 · Ligretto · Ben, Anna",
        "#1 · Nov 10, 2026 · Ligretto Dice · Anna, Ben",
    ]
    for typed, numbers in (
        ("ben", ["#2", "#1"]),
        ("nov 28", ["#2"]),
        ("11/28", ["#2"]),
        ("11/28/26", ["#2"]),
        ("11/28/2026", ["#2"]),
        ("2026-11-28", ["#2"]),
        ("#3", ["#3"]),
        ("DICE anna ben", ["#1"]),
        ("nobody", []),
    ):
        found = await offered(world, anna, "history", typed)
        assert [one.split()[0] for one in found] == numbers, typed


async def test_only_what_a_command_can_take_is_offered(world: World) -> None:
    """No log was kept of these, and a void match can't be voided again."""
    anna, ben = world.person("anna"), world.person("ben")
    assert await offered(world, anna, "replay", "") == []
    assert len(await offered(world, anna, "moderate void", "")) == 3
    _ = await confirmed(world, anna.user, "moderate void", match="2")
    assert "was already void" in await told(world, anna, "moderate void", "2")
    found = await offered(world, anna, "moderate void", "")
    assert [one.split()[0] for one in found] == ["#3", "#1"]
    assert await offered(world, ben, "moderate void", "") == [], "Ben is no moderator"


@pytest.mark.parametrize("command", ["history", "replay", "moderate void"])
async def test_a_wrong_number_is_told_in_words(world: World, command: str) -> None:
    anna = world.person("anna")
    for typed in ("abc", "0x1", "-3", "1" * 19, "¹"):
        said = await told(world, anna, command, typed)
        assert "There’s no match" in said, typed
        assert "see /history" in said, typed
    assert "no match #77 here" in await told(world, anna, command, " #77 ")
    assert not [line for line in world.log.lines if line.trace]


async def test_a_chosen_match_is_shown(world: World) -> None:
    said = await told(world, world.person("anna"), "history", "#2")
    assert "Match #2" in said


async def test_a_persons_menu_has_their_statistics(world: World) -> None:
    """For whoever chose it alone, also of somebody who never played."""
    ben, cleo, dora = (world.person(name) for name in ("ben", "cleo", "dora"))
    for person, words in ((cleo, "Cleo"), (dora, "No leaderboard match yet")):
        assert world.channel.guild is not None
        world.channel.guild.join(person.user)
        world.channel.guild.join(ben.user)
        chosen = world.server.context(ben.user, world.channel, "Ligretto statistics", person.user)
        answer = await chosen.wait()
        await asyncio.sleep(2)
        assert answer.original is not None
        assert words in answer.original.text
        assert answer.original.ephemeral_for is ben.user
    assert not world.said(logging.WARNING), "the commands are known from the first start"
