"""What the loser of a race is told, and what is kept of it."""

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.fakediscord import Interaction
from bot.ui.connection.lean_http.client import LeanClient
from bot.ui.connection.token_life import LAST_EDIT_AFTER
from tests.loopback.players import Player, all_ready, seated
from tests.simulate.loop import VirtualLoop
from tests.stories.faulty import instead, refusing
from tests.stories.world import LONG, World, given, labels, prepared, running

TOP = re.compile(r"([RYGB])([0-9]+)")
NO_FIT = re.compile("needs .* first")
MOST = 200
"""Presses after which two people want the same place."""


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """Nothing holds back the pictures of what others play: the channel is known."""
    async with running(tmp_path) as one:
        await one.knows_its_channel()
        yield one


@dataclass(frozen=True)
class Race:
    """A card that two people have and that fits in one place. The first is about to press."""

    first: Player
    second: Player
    card: str

    async def won(self) -> None:
        """The first person lays the card."""
        answer = await self.first.press(self.card)
        given(answer.ok, "the first press is answered")

    async def lost(self) -> str:
        """The second person presses the same card. What their panel says of it."""
        panel, card = self.second.panel, self.second.panel.find(label=self.card)
        answer = await self.second.server.click(self.second.user, panel, card.custom_id).wait()
        given(answer.ok, "the second press is answered")
        return self.second.panel.text

    def old_flip(self) -> Interaction:
        """The second person presses a Flip of before. Its answer shows the newest table."""
        panel = self.second.panel
        turn, _, _ = (panel.find(label="Flip").custom_id or "").rpartition(":")
        return self.second.server.click(self.second.user, panel, f"{turn}:999", stale=True)

    def sees_it(self) -> bool:
        """Whether the second person's panel shows that the place is taken."""
        return self.card not in _wanted(self.second)


async def about_to_race(world: World, people: list[Player]) -> Race:
    """Play until two people could lay the same card in the only place there is for it."""
    for _ in range(MOST):
        for first in people:
            for second in people:
                common = _wanted(first) & _wanted(second)
                if first is not second and common:
                    await asyncio.sleep(2)
                    return Race(first, second, min(common))
            await first.act()
            await asyncio.sleep(1)
    raise AssertionError("nobody ever wants the same card")


def _wanted(player: Player) -> set[str]:
    """The cards on this panel that fit on the only pile of their colour that is one lower."""
    fits = player._fits()
    cards = {item.label or "" for item in player.panel.controls if not item.disabled} & fits
    return {card for card in cards if (m := TOP.fullmatch(card)) and int(m[2]) > 1}


async def test_a_race_is_told_until_the_new_picture_can_have_been_read(world: World) -> None:
    """A press 0.2 s after the picture of the taken place arrived names the winner: nobody reads as
    fast.
    """
    people = await world.live("anna", "ben", "cem", "dora")
    race = await about_to_race(world, people)
    await race.won()
    await world.server.wait_for(race.sees_it)
    await asyncio.sleep(0.2)
    assert "Too late" in await race.lost()


async def test_a_race_is_told_for_as_long_as_the_old_picture_is_shown(world: World) -> None:
    """A press is told who took the place for as long as its panel shows it free."""
    people = await world.live("anna", "ben", "cem", "dora")
    race = await about_to_race(world, people)
    world.server.fault(f"PATCH .*/messages/{race.second.panel.id}", latency=9.0)
    await race.won()
    await asyncio.sleep(4)
    given(not race.sees_it(), "the old picture is still shown")
    assert "Too late" in await race.lost()


async def test_a_duel_is_in_the_open_until_the_next_change_after_three_seconds(
    world: World,
) -> None:
    """Winner, loser and table hear of it. Nothing is sent only to take it away again."""
    people = await world.live("anna", "ben")
    race = await about_to_race(world, people)
    await race.won()
    lost = await race.lost()
    given("Too late" in lost, "the loser is told that somebody was first")
    assert "beat you by" in lost
    await asyncio.sleep(LONG)
    shown = [race.first.panel.text, race.second.panel.text, world.public.text]
    assert "You beat" in shown[0]
    assert re.search(r"⚡ .* beat .* by \d+\sms", shown[2])
    await asyncio.sleep(4)
    assert [race.first.panel.text, race.second.panel.text, world.public.text] == shown
    for person in people:
        await person.press("Flip")
        assert "beat" not in person.panel.text


async def test_a_press_two_seconds_behind_is_no_duel(world: World) -> None:
    """The loser is told, and nobody else: a slow channel makes no heroes."""
    people = await world.live("anna", "ben", "cem", "dora", rounds=1)
    race = await about_to_race(world, people)
    world.server.fault(f"PATCH .*/messages/{race.second.panel.id}", latency=9.0)
    await race.won()
    await asyncio.sleep(2)
    given("Too late" in await race.lost(), "the loser is told who was there first")
    await world.agreed(people)
    await asyncio.sleep(10)
    ((duels,),) = world.rows("SELECT duels FROM rounds")
    assert duels == "[]"


async def test_a_lost_race_is_told_by_a_bot_that_cannot_note_it(world: World) -> None:
    """Nobody waits for a note: the disk is full, the loser is told, and the log lacks it."""
    people = await world.live("anna", "ben", "cem", "dora")
    race = await about_to_race(world, people)
    world.server.fault(f"PATCH .*/messages/{race.second.panel.id}", latency=9.0)
    await race.won()
    with instead(refusing):
        assert "Too late" in await race.lost()
        await asyncio.sleep(1)
    assert world.rows("SELECT * FROM journal WHERE kind = 'Rejected'") == []


async def test_an_answer_that_is_under_way_has_shown_nothing_yet(world: World) -> None:
    """The second person presses an old Flip right after the first person's card. Its answer shows
    that the place is taken, and takes its time; until it is there, nobody can have read it.
    """
    people = await world.live("anna", "ben", "cem", "dora")
    race = await about_to_race(world, people)
    server = world.server
    first = server.click(race.first.user, race.first.panel, label=race.card)
    flip = race.old_flip()
    server.fault(f"/interactions/{flip.id}/", latency=2.0)
    given((await first.wait()).ok, "the first press is answered")
    await asyncio.sleep(1)
    given(not race.sees_it(), "the old picture is still shown")
    assert "Too late" in await race.lost()


@pytest.mark.parametrize(
    ("heard", "after"),
    [(True, 0.5), (False, 0.5), (True, 0.0)],
    ids=["heard of", "not heard of", "not heard of yet"],
)
async def test_an_older_push_on_top_of_a_newer_answer_makes_it_a_race_again(
    world: World, after: float, *, heard: bool
) -> None:
    """A push is 3 s under way when an answer shows that the place is taken, and lands on top of it.
    `heard`: whether the bot hears that Discord has carried it out; `after`: seconds in which the
    older picture lies on top.
    """
    people = await world.live("anna", "ben", "cem", "dora")
    race = await about_to_race(world, people)
    server, push = world.server, f"PATCH .*/messages/{race.second.panel.id}"
    server.fault(push, latency=3.0, times=1)
    server.fault(push, latency=3.0, skip=1)
    if not heard:
        server.fault(push, drop=True, times=1, when="after")
    await somebody_else_lays(race, people)
    await asyncio.sleep(0.6)
    await race.won()
    given((await race.old_flip().wait()).ok, "the old Flip is answered")
    given(race.sees_it(), "the answer shows that the place is taken")
    await asyncio.sleep(1)
    given(race.sees_it(), "it has been shown for a second")
    await server.wait_for(lambda: not race.sees_it())
    await asyncio.sleep(after)
    given(not race.sees_it(), "the old picture is on top")
    assert "Too late" in await race.lost()


async def test_the_last_word_of_a_panel_shows_what_is_taken(world: World) -> None:
    """A push hangs; the last edit of the token, on how to wake the panel, is the first picture of
    the taken place. A minute later nobody can say that they did not see it.
    """
    people = await world.live("anna", "ben", "cem", "dora")
    race = await about_to_race(world, people)
    second, loop = race.second, asyncio.get_running_loop()
    ((born,),) = world.rows("SELECT born FROM panels WHERE user = ?", second.user.id)
    assert isinstance(loop, VirtualLoop)
    last_word = loop.time() + born + LAST_EDIT_AFTER - loop.wall()  # or a little earlier
    while loop.time() < last_word - 8:
        await asyncio.sleep(min(100.0, last_word - 8 - loop.time()))
        await race.first.press_public("My cards")
    world.server.fault(f"PATCH .*/messages/{second.panel.id}", hold=asyncio.Event(), times=1)
    await race.won()
    await world.server.wait_for(race.sees_it, 30.0)
    given("timed out" in second.panel.text, "the last word shows that the place is taken")
    await asyncio.sleep(60)
    assert NO_FIT.search(await race.lost())


@pytest.mark.parametrize(
    ("route", "how"),
    [
        ("PATCH .*/messages/", {"status": 400}),
        ("PATCH .*/messages/", {"drop": True}),
        ("/callback", {"drop": True}),
        ("/callback", {"drop": True, "when": "after"}),
    ],
    ids=["a push is refused", "a push is lost", "an answer is lost", "an answer is not heard of"],
)
async def test_what_never_arrived_hides_no_later_picture(
    world: World, route: str, how: dict[str, Any]
) -> None:
    """Something of the second person's is lost. What they are shown after it has been shown."""
    people = await world.live("anna", "ben", "cem", "dora")
    race = await about_to_race(world, people)
    id_ = race.second.panel.id
    fault = world.server.fault(f"{route}{id_ if 'PATCH' in route else ''}", times=1, **how)
    if "PATCH" in route:
        await somebody_else_lays(race, people)
    else:
        await race.old_flip().wait()
    await asyncio.sleep(5)
    given(fault.hits, "it is lost")
    await race.won()
    await world.server.wait_for(race.sees_it)
    await asyncio.sleep(1)
    assert NO_FIT.search(await race.lost())


async def test_a_push_to_the_message_of_before_hides_nothing_of_a_new_panel(world: World) -> None:
    """It lands on the old message, or nowhere, and never on the new one."""
    people = await world.live("anna", "ben", "cem", "dora")
    race = await about_to_race(world, people)
    before = race.second.panel.id
    await an_older_push_hangs(world, race, people)
    await race.won()
    await race.second.press_public("My cards")
    await asyncio.sleep(1.2)
    given(race.second.panel.id != before, "they have a new panel")
    given(race.sees_it(), "it has shown for a second that the place is taken")
    assert NO_FIT.search(await race.lost())


async def test_a_press_that_failed_says_nothing_of_a_push_under_way(world: World) -> None:
    """The second person's press cannot be written. What was sent before it may still lie on top of
    what is sent after it.
    """
    people = await world.live("anna", "ben", "cem", "dora")
    race = await about_to_race(world, people)
    await an_older_push_hangs(world, race, people)
    await race.won()
    with instead(refusing):
        failed = await world.server.click(race.second.user, race.second.panel, label="Flip").wait()
    given(failed.original is not None and "wrong" in failed.original.text, "the press failed")
    await asyncio.sleep(0.3)
    given((await race.old_flip().wait()).ok, "the old Flip is answered")
    await asyncio.sleep(1.2)
    given(race.sees_it(), "the answer has shown for a second that the place is taken")
    assert "Too late" in await race.lost()


async def test_an_answer_that_failed_before_it_was_sent_hides_no_later_picture(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer to one press of the second person's finds the connections closed."""
    people = await world.live("anna", "ben", "cem", "dora")
    race = await about_to_race(world, people)

    with monkeypatch.context() as patched:

        def fails_once(*_: object, **__: object) -> None:
            patched.undo()
            raise RuntimeError

        patched.setattr(LeanClient, "request", fails_once)
        failed = await race.old_flip().wait()
    given(failed.original is not None and "wrong" in failed.original.text, "the answer failed")
    await asyncio.sleep(1)
    await race.won()
    await world.server.wait_for(race.sees_it)
    await asyncio.sleep(1)
    assert NO_FIT.search(await race.lost())


async def test_a_direct_message_that_was_refused_hides_no_later_picture(world: World) -> None:
    """The second person takes no direct messages: their panel is in the channel instead."""
    names = ["anna", "ben", "cem", "dora"]
    people = await prepared(seated(world.server, world.channel, names, 3, panels="dm"))
    await asyncio.sleep(LONG)
    for person in people:
        person.user.dm_closed = True
        await person.press_public("My cards")
        await asyncio.sleep(LONG)
        given("direct messages" in person.panel.text, "it is told why the panel is here")
    await prepared(all_ready(people))
    await asyncio.sleep(LONG)
    race = await about_to_race(world, people)
    await race.won()
    await world.server.wait_for(race.sees_it)
    await asyncio.sleep(1)
    assert NO_FIT.search(await race.lost())


async def an_older_push_hangs(world: World, race: Race, people: list[Player]) -> None:
    """A picture from before the race is under way to the second person's panel for 9 s."""
    fault = world.server.fault(f"PATCH .*/messages/{race.second.panel.id}", latency=9.0, times=1)
    await somebody_else_lays(race, people)
    await asyncio.sleep(0.9)
    given(fault.hits, "it is under way")


async def somebody_else_lays(race: Race, people: list[Player]) -> None:
    """Somebody who has no part in the race lays a card of another colour."""
    for person in people:
        enabled = {item.label or "" for item in person.panel.controls if not item.disabled}
        cards = {card for card in enabled & person._fits() if card[0] != race.card[0]}
        if person not in (race.first, race.second) and cards:
            given((await person.press(min(cards))).ok, "a card is laid")
            return
    given(False, "somebody else has a card that fits")  # noqa: FBT003 as everywhere


async def test_what_was_seen_before_a_restart_is_no_race_after_it(world: World) -> None:
    """The second person has seen for 20 s that the place is taken."""
    people = await world.live("anna", "ben", "cem", "dora")
    race = await about_to_race(world, people)
    await race.won()
    await world.server.wait_for(race.sees_it)
    await asyncio.sleep(20)
    given(NO_FIT.search(await race.lost()), "they are told that it fits nowhere")
    world.bot.kill()
    await world.start()
    for person in people:
        await (person.press if "Ready" in labels(person.panel) else person.press_public)("Ready")
    await race.second.sees(race.card)
    assert NO_FIT.search(await race.lost())
