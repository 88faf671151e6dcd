"""One person among robots: ending a round, going on, and staying away, as told on each screen."""

import asyncio

import pytest

from bot.tables.decisions.timeouts import IDLE_FOR
from tests.loopback.players import END, Player, all_ready, labels
from tests.stories.test_learn import finishes, lesson, presses
from tests.stories.world import LONG, World, given, prepared

COUNT = 5.0
"""Seconds after which a count that has begun is over."""


async def alone(world: World, game: str = "ligretto", *, plain: bool = False) -> Player:
    """A live match of one person and two robots."""
    anna = world.person("anna")
    if plain:
        await world.server.slash(anna.user, anna.channel, "plain").wait()
    await prepared(anna.open(game))
    for label in ("Add robot", "Add robot", "Start"):
        await prepared(anna.press_public(label))
    await asyncio.sleep(LONG)
    await prepared(all_ready([anna]))
    await asyncio.sleep(LONG)
    return anna


async def away(seconds: float = IDLE_FOR) -> None:
    await asyncio.sleep(seconds + 30.0)


async def test_a_round_is_ended_alone_after_a_confirmation(world: World) -> None:
    anna = await alone(world)
    await anna.press_public("End round")
    await asyncio.sleep(LONG)
    asked = lesson(anna)
    assert "End this round? It counts as it stands: −" in asked.text
    await presses(anna, asked, "No, play on")
    assert "The round goes on" in asked.text
    assert "End round" in labels(world.public)
    await anna.press_public("End round")
    await asyncio.sleep(LONG)
    await presses(anna, lesson(anna), END)
    await asyncio.sleep(LONG)
    assert "✋ Anna ended the round" in world.public.text
    assert "✋ You ended the round" in anna.panel.text
    assert "agreed" not in world.public.text


async def test_dice_that_one_person_stops_say_who_did(world: World) -> None:
    anna = await alone(world, "dice", plain=True)
    await anna.end_round()
    await asyncio.sleep(LONG)
    assert "Anna ended the round. It doesn’t count and is dealt again." in world.public.text
    assert "You ended the round. It doesn’t count and is dealt again." in anna.panel.text


@pytest.mark.parametrize("game", ["ligretto", "dice"])
async def test_a_rematch_goes_straight_on(world: World, game: str) -> None:
    """There is nobody to wait for: one press from the end of a match to its count."""
    anna = await alone(world, game)
    await anna.leave()
    await asyncio.sleep(LONG)
    given("Rematch" in labels(world.public), "the match is over")
    await asyncio.gather(anna.press_public("Rematch"), anna.press("Rematch"))
    await asyncio.sleep(COUNT + LONG)
    assert {"Flip", "Roll 8"} & labels(anna.panel), anna.panel.text
    assert "Start" not in labels(world.public)
    assert "Robot 2" in world.public.text


async def test_a_rematch_waits_for_whoever_asked_for_a_seat(world: World) -> None:
    anna, ben = await alone(world), world.person("ben")
    answer = await ben.press_public("Join next match")
    assert answer.original is not None
    assert "You have a seat in the next match" in answer.original.text
    await asyncio.sleep(LONG)
    assert "Next match: Ben" in world.public.text
    await anna.leave()
    await asyncio.sleep(LONG)
    await anna.press_public("Rematch")
    await asyncio.sleep(LONG)
    assert "Seat held for Ben" in world.public.text


async def test_nobody_wins_a_match_whose_only_person_was_away(world: World) -> None:
    anna = await alone(world)
    await anna.end_round()
    await away()
    assert "Anna was away: match closed" in world.public.text
    for untrue in ("win", "came back", "share first"):
        assert untrue not in world.public.text
    assert "You were away, so the match was closed." in anna.panel.text
    assert "−20 points" in anna.panel.text
    await anna.press("Rematch")
    await asyncio.sleep(COUNT + LONG)
    assert "Flip" in labels(anna.panel)


async def test_a_lobby_with_one_person_has_no_others_to_start_it(world: World) -> None:
    anna = world.person("anna")
    await prepared(anna.open())
    await away(3 * 60.0)
    assert "anyone" not in world.public.text
    await anna.press("Start")
    assert "at least 2 players" in anna.panel.text, "the host's panel has Start, not yet Ready"
    await anna.press_public("Add robot")
    await anna.press("Start")
    await asyncio.sleep(LONG)
    assert "Ready" in labels(anna.panel)


async def test_the_lesson_leads_to_a_table_that_can_start(world: World) -> None:
    anna = world.person("anna")
    await presses(anna, await finishes(anna), "Play for real")
    await asyncio.sleep(LONG)
    assert "Robot 2" in world.public.text
    assert "First time?" not in anna.panel.text
    await anna.press("Start")
    await asyncio.sleep(LONG)
    await all_ready([anna])


async def test_a_panel_left_in_the_channel_leads_to_the_thread(world: World) -> None:
    anna = world.person("anna")
    await prepared(anna.open())
    await anna.set_option("place", "thread")
    await asyncio.sleep(LONG)
    thread = next(one for one in world.server.channels.values() if one.parent is anna.channel)
    assert f"The table has its own thread: <#{thread.id}>" in anna.panel.text
