"""A game that nothing in the bot knows of is played by adding it as the README says."""

import asyncio
import zlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.records.match_log import events as log_events
from bot.records.rated_rounds import of_log
from tests.games.numbers import installed
from tests.stories.world import LONG, Player, World, labels, running


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """A world whose bot has the third game."""
    (folder := tmp_path / "bot").mkdir()
    with installed(tmp_path / "locale"):
        async with running(folder) as one:
            yield one


async def live(world: World) -> list[Player]:
    people = await world.match("anna", "ben", game="numbers")
    await ready(people, "Ready")
    return people


async def ready(people: list[Player], label: str) -> None:
    for person in people:
        await person.press(label)
    await asyncio.sleep(3 * LONG)


async def wins(player: Player, *numbers: int) -> None:
    for number in numbers:
        await player.press(f"Number {number}")
    await asyncio.sleep(LONG)


async def test_added_game_is_raced_for_and_recorded(world: World) -> None:
    """Three rounds by its rules, with a lost race, a rating and a log that can be read again."""
    anna, ben = await live(world)
    assert {f"Number {n}" for n in range(5)} <= labels(ben.panel)
    seen = next(item for item in ben.panel.controls if item.label == "Number 0")
    await anna.press("Number 0")
    await world.server.click(ben.user, ben.panel, seen.custom_id, stale=True).wait()
    assert "Too late" in ben.panel.text
    await asyncio.sleep(LONG)
    assert "Open numbers: 4" in anna.public.text
    await wins(anna, 1, 2)
    assert "Anna has three numbers!" in anna.public.text
    for _ in range(2):
        await ready([anna, ben], "Next round")
        await wins(ben, 4, 2, 0)
    assert "Ben wins" in anna.public.text
    assert "+" in anna.public.text.partition("Rating")[2], "and the rating has changed"
    ((log,),) = world.rows("SELECT log FROM logs")
    events = log_events(zlib.decompress(log).decode())
    assert len(of_log(events)) == 3
    assert not world.said()


async def test_added_game_goes_on_after_a_restart(world: World) -> None:
    people = await live(world)
    await wins(people[0], 0, 3)
    await world.bot.stop()
    await world.start()
    await ready(people, "Ready")
    assert labels(people[1].panel) & {f"Number {n}" for n in range(5)} == {
        "Number 1",
        "Number 2",
        "Number 4",
    }
    assert not world.said()


async def test_computer_player_plays_an_added_game(world: World) -> None:
    anna = world.person("anna")
    await anna.open("numbers")
    for label in ("Add robot", "Start"):
        await anna.press_public(label)
    await asyncio.sleep(LONG)
    await ready([anna], "Ready")
    await asyncio.sleep(60)
    assert "has three numbers!" in anna.public.text


@pytest.mark.parametrize("command", ["rules", "leaderboard", "stats"])
async def test_added_game_can_be_named_in_commands(world: World, command: str) -> None:
    anna = world.person("anna")
    answer = await world.server.slash(anna.user, anna.channel, command, {"game": "numbers"}).wait()
    assert answer.original is not None
    assert "Numbers" in answer.original.text
