"""A table's message: lost answers, late edits, refusals for good, and what people are told."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from tests.stories.discord_world import (
    COMPONENT,
    Fault,
    Message,
    OldEdits,
    Player,
    Server,
    all_ready,
    becomes,
    labels,
    seated,
    send,
    world,
)

EDIT = "PATCH .*/channels/[0-9]+/messages/"
POST = "POST .*/channels/[0-9]+/messages$"
POSTED = "POST /channels/#/messages"
UNLISTED = 50024
"""A refusal that the bot has no plan for: something cannot be done in this kind of channel."""
SOON = 70.0
"""Seconds within which a panel is pushed, where a channel's calls are kept for the next cards."""
WHY = re.compile("Ask a moderator. Panels still work|refuses")
"""Words of a line that says why a table's message is not as it should be."""


async def lobby(server: Server) -> Player:
    anna = Player(server, server.user("anna"), server.all_channels[0])
    _ = await anna.open()
    return anna


async def presses(player: Player, public: Message, word: str, round_: int = 0) -> None:
    """A press on the table's message, wherever it is by now."""
    data = {"custom_id": f"lg1:1:{round_}:{word}", "component_type": 2, "id": 1}
    _ = await send(player.server, player.user, public, COMPONENT, data).wait()


async def test_lost_posting_is_deleted_when_it_is_pressed(tmp_path: Path) -> None:
    """After a longer outage Discord knows the nonce no more, so the message is posted a second
    time. A press on the first one names it.
    """
    async with world(tmp_path) as here:
        server = here.server
        anna = await lobby(server)
        _ = server.fault(POST, drop=True, when="after", times=2)  # and when it is sent again
        old = anna.public
        server.delete_message(old)
        await presses(anna, old, "add")
        await server.wait_for(lambda: server.public(anna.channel))
        first = anna.public
        outage = server.fault(POST, status=503)
        await asyncio.sleep(600)
        server.faults.remove(outage)
        await server.wait_for(lambda: len(server.public(anna.channel)) == 2, 60)
        await presses(Player(server, server.user("carl"), anna.channel), first, "join")
        assert await becomes(server, lambda: first.deleted, 10), "two messages of one table"


async def test_message_pressed_before_its_posting_is_heard_of_stays(tmp_path: Path) -> None:
    """Discord shows it before it answers (PLATFORM 3)."""
    async with world(tmp_path) as here:
        server = here.server
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 2)
        await all_ready([anna, ben])
        old = anna.public
        slow = server.fault(POST, latency=8.0, when="after")
        _ = await anna.press_public("Move down")
        await server.wait_for(lambda: anna.public is not old, 10)
        new = anna.public
        await presses(anna, new, "end", 1)
        assert not old.deleted, "its posting was heard of before"
        await asyncio.sleep(20)
        assert slow.hits == 1
        assert new in server.public(anna.channel)
        assert old not in server.public(anna.channel)
        assert "wants to end the round" in new.text


async def test_old_message_that_could_not_be_deleted_is_when_it_is_pressed(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        server = here.server
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 2)
        await all_ready([anna, ben])
        old = anna.public
        fault = server.fault("DELETE .*/channels/[0-9]+/messages/", status=503)
        _ = await anna.press_public("Move down")
        await server.wait_for(lambda: fault.hits and anna.public is not old, 20)
        await asyncio.sleep(30)
        server.faults.clear()
        assert not old.deleted
        await presses(anna, old, "end", 1)
        assert await becomes(server, lambda: old.deleted, 10)
        assert await becomes(server, lambda: "wants to end the round" in anna.public.text, 10)


async def test_planted_press_deletes_no_message(tmp_path: Path) -> None:
    """A button's id from a message that hasn't that button, and the lobby that is a link now."""
    async with world(tmp_path) as here:
        server = here.server
        anna = await lobby(server)
        lobbys = anna.public
        server.faults.append(Fault(f"{EDIT}{lobbys.id}$", status=403, code=UNLISTED))
        _ = await anna.press_public("Add robot")
        _ = await server.slash(anna.user, anna.channel, "leaderboard").wait()
        public = server.public(anna.channel)[-1]
        await presses(anna, public, "add")
        _ = await anna.press_public("Start")
        await server.wait_for(lambda: len(server.public(anna.channel)) == 3, 20)
        await asyncio.sleep(5)
        await presses(anna, lobbys, "join")
        await asyncio.sleep(20)
        assert not public.deleted
        assert not lobbys.deleted, "the log of the match names it"


async def test_message_too_old_to_be_edited_is_posted_anew(tmp_path: Path) -> None:
    """A message that takes no edits for a while (30046) is posted anew, and the old one deleted."""
    async with world(tmp_path) as here:
        server = here.server
        anna = await lobby(server)
        server.faults.append(OldEdits(f"{EDIT}{anna.public.id}$", retry_after=600))
        _ = await anna.press_public("Add robot")
        assert await becomes(server, lambda: "Robot 1" in anna.public.text, 30), (
            "the robot is not shown"
        )
        assert await becomes(server, lambda: len(server.public(anna.channel)) == 1, 10), (
            "the old message stays"
        )


async def test_message_too_old_to_be_edited_is_edited_no_more(tmp_path: Path) -> None:
    """One refusal says enough."""
    async with world(tmp_path) as here:
        server = here.server
        anna = await lobby(server)
        refused = OldEdits(f"{EDIT}{anna.public.id}$", retry_after=1)
        server.faults.append(refused)
        _ = await anna.press_public("Add robot")
        await server.wait_for(lambda: "Robot 1" in anna.public.text, 30)
        assert refused.hits == 1, "the old message was edited again"


@pytest.mark.parametrize(
    ("status", "code", "said"),
    [(400, 160006, "as many as Discord allows"), (403, UNLISTED, "Discord refused it")],
    ids=["too many", "unlisted"],
)
async def test_thread_that_cannot_be_had_is_told(
    tmp_path: Path, status: int, code: int, said: str
) -> None:
    """The table stays where it is, and its message says why until the match starts."""
    async with world(tmp_path) as here:
        server = here.server
        anna = await lobby(server)
        refused = server.fault("POST .*/threads$", status=status, code=code)
        await anna.set_option("place", "thread")
        assert await becomes(server, lambda: said in anna.public.text, 20)
        await asyncio.sleep(60)
        assert refused.hits == 1, "the thread is asked for again"
        assert anna.public.text.count("No thread") == 1
        _ = await anna.press_public("Add robot")
        _ = await anna.press_public("Start")
        assert await becomes(server, lambda: "No thread" not in anna.public.text, 10)


async def test_match_whose_thread_hangs_stays_and_says_so(tmp_path: Path) -> None:
    """Start waits for no thread. What is said is over with the first cards."""
    async with world(tmp_path) as here:
        server = here.server
        anna = await lobby(server)
        held = asyncio.Event()
        hanging = server.fault("POST .*/threads$", hold=held)
        await anna.set_option("place", "thread")
        _ = await anna.press_public("Add robot")
        await server.wait_for(lambda: hanging.hits, 20)
        _ = await anna.press_public("Start")
        assert await becomes(server, lambda: "Discord didn’t answer" in anna.public.text, 30)
        held.set()
        server.faults.clear()
        _ = await anna.press("Ready")
        assert await becomes(server, lambda: "Flip" in labels(anna.panel), 20)
        assert await becomes(server, lambda: "No thread" not in anna.public.text, 20)
        assert anna.public in server.public(anna.channel)


@pytest.mark.parametrize("code", [50013, UNLISTED], ids=["no permission", "unlisted"])
async def test_message_that_cannot_be_changed_is_told(tmp_path: Path, code: int) -> None:
    """Panels say why the table's message stands still, for as long as it does."""
    async with world(tmp_path) as here:
        server = here.server
        anna, ben = players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready(players)
        refused = server.fault(EDIT, status=403, code=code)
        for _ in range(4):
            _ = await ben.act()
        await server.wait_for(lambda: refused.hits >= 1, 20)
        assert await becomes(server, lambda: all(map(says_why, players)), 10)
        _ = await anna.act()
        assert says_why(anna), "a press takes it away"
        server.faults.clear()
        assert await becomes(server, lambda: not any(map(says_why, players)), 30)
        assert not here.tracebacks


async def test_unknown_refusal_is_not_repeated_for_ever(tmp_path: Path) -> None:
    """It is tried ever more seldom, and then no more: until the next phase."""
    async with world(tmp_path) as here:
        server = here.server
        anna = await lobby(server)
        refused = server.fault(EDIT, status=403, code=UNLISTED)
        _ = await anna.press_public("Add robot")
        await asyncio.sleep(600)
        assert refused.hits <= 6, "the same edit was tried again and again"
        server.faults.clear()
        _ = await anna.press_public("Start")
        assert await becomes(server, lambda: "Ready" in labels(anna.public), 10)
        assert await becomes(server, lambda: not says_why(anna), SOON)


async def test_refused_message_is_tried_again_when_somebody_asks(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        server = here.server
        anna = await lobby(server)
        refused = server.fault(EDIT, status=403, code=UNLISTED)
        _ = await anna.press_public("Add robot")
        await asyncio.sleep(300)
        tried = refused.hits
        _ = await server.slash(anna.user, anna.channel, "ligretto").wait()
        await asyncio.sleep(60)
        assert refused.hits == tried + 1
        server.faults.clear()
        _ = await server.slash(anna.user, anna.channel, "ligretto").wait()
        assert await becomes(server, lambda: "Robot 1" in anna.public.text, 10)


def says_why(player: Player) -> bool:
    return WHY.search(player.panel.text) is not None


async def all_deleted(server: Server, anna: Player, times: int = 12) -> int:
    """Another bot deletes each message of a lobby at once. Return how many were posted then."""
    old, before = anna.public, server.statuses[POSTED, 200]
    for number in range(times):
        for message in server.public(anna.channel):
            server.delete_message(message)
        await presses(anna, old, "remove" if number % 2 else "add")
        await becomes(server, lambda: server.public(anna.channel), 10)
    return server.statuses[POSTED, 200] - before


async def test_message_that_is_always_deleted_is_posted_no_more(tmp_path: Path) -> None:
    """After a few the panels say so instead."""
    async with world(tmp_path) as here:
        server = here.server
        anna = await lobby(server)
        assert await all_deleted(server, anna) <= 3, "messages were posted to be deleted"
        assert "deleting this table’s messages" in anna.panel.text
        assert not here.tracebacks


async def test_deleted_message_comes_back_when_somebody_asks(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        server = here.server
        anna = await lobby(server)
        _ = await all_deleted(server, anna)
        assert not server.public(anna.channel)
        _ = await server.slash(anna.user, anna.channel, "ligretto").wait()
        await server.wait_for(lambda: server.public(anna.channel), 10)
        assert await becomes(server, lambda: "keeps deleting" not in anna.panel.text, SOON)
        assert await all_deleted(server, anna) == 0, "one more try, and no more than that"
        assert await becomes(server, lambda: "keeps deleting" in anna.panel.text, 10)


async def test_match_starts_although_its_messages_are_deleted(tmp_path: Path) -> None:
    """Its seed needs the id of one message."""
    async with world(tmp_path) as here:
        server = here.server
        anna = await lobby(server)
        old = anna.public
        _ = await all_deleted(server, anna, 11)
        await presses(anna, old, "start")
        assert await becomes(server, lambda: "Ready" in labels(anna.panel), 10)
        _ = await anna.press("Ready")
        assert await becomes(server, lambda: "Flip" in labels(anna.panel), 10)


async def test_message_that_a_person_deletes_now_and_then_comes_back(tmp_path: Path) -> None:
    """In between there is one that stays until it is moved."""
    async with world(tmp_path) as here:
        server = here.server
        anna = await lobby(server)
        for number in range(8):
            await asyncio.sleep(70)
            old = anna.public
            server.delete_message(old)
            await presses(anna, old, "remove" if number % 2 else "add")
            assert await becomes(server, lambda: server.public(anna.channel), 10)
            await asyncio.sleep(10)
            await presses(anna, anna.public, "down")


@pytest.mark.parametrize(("lives", "step"), [(70.0, 35.0), (600.0, 60.0), (2_400.0, 120.0)])
async def test_slow_bot_that_deletes_each_message_is_told(
    tmp_path: Path, lives: float, step: float
) -> None:
    """Each message lives long enough to be edited. After a few nothing is posted, and the panels
    say why.
    """
    async with world(tmp_path) as here:
        server = here.server
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready([anna, ben])
        await asyncio.sleep(5)
        old, before = anna.public, server.statuses[POSTED, 200]
        seen: dict[int, float] = {}
        for _ in range(int(5 * lives / step)):
            await asyncio.sleep(step)
            for message in server.public(anna.channel):
                seen[message.id] = seen.get(message.id, 0.0) + step
                if seen[message.id] >= lives:
                    server.delete_message(message)
            await presses(anna, old, "end", 1)  # and takes it back the next time
            await presses(ben, old, "panel", 1)
        assert server.statuses[POSTED, 200] - before == 2, "messages were posted to be deleted"
        assert not server.public(anna.channel)
        assert "deleting this table’s messages" in ben.panel.text
        assert not here.tracebacks


@pytest.mark.parametrize("deletes", [True, False], ids=["old ones go", "old ones stay"])
async def test_messages_that_take_no_edit_are_told(tmp_path: Path, *, deletes: bool) -> None:
    """Where each new message takes no edits either, no others are posted after a few. Panels say
    so, edits go on slowly, and the first one that is taken ends it.
    """
    async with world(tmp_path) as here:
        server = here.server
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready([anna, ben])
        await asyncio.sleep(5)
        before = server.statuses[POSTED, 200]
        refused = OldEdits(EDIT)
        server.faults.append(refused)
        if not deletes:
            _ = server.fault("DELETE .*/channels/[0-9]+/messages/", status=500)
        for _ in range(120):
            for player in (anna, ben):
                _ = await player.act()
            await asyncio.sleep(2)
        assert server.statuses[POSTED, 200] - before <= 3
        assert refused.hits <= 12
        assert "Discord isn’t updating the table" in anna.panel.text
        server.faults.clear()
        _ = await anna.act()
        await asyncio.sleep(65)
        _ = await anna.act()
        assert await becomes(
            server, lambda: "isn’t updating the table" not in anna.panel.text, SOON
        )
        assert not here.tracebacks


async def test_old_messages_in_one_evening_are_all_replaced(tmp_path: Path) -> None:
    """Only those that take no edit at all, one after the other, count."""
    async with world(tmp_path) as here:
        server = here.server
        anna = await lobby(server)
        known: list[int] = []
        for _ in range(4):
            known.append(anna.public.id)
            server.faults.append(OldEdits(EDIT, times=1))
            _ = await anna.press_public("Add robot")
            assert await becomes(server, lambda: anna.public.id not in known, 10)
            _ = await anna.press_public("Remove robot")
            await asyncio.sleep(5)
        assert len(server.public(anna.channel)) == 1


@pytest.mark.parametrize("how", [{"status": 503}, {"latency": 1000.0}], ids=["503", "hanging"])
async def test_message_that_is_late_is_tried_once_a_minute(
    tmp_path: Path, how: dict[str, Any]
) -> None:
    """An outage of hours costs few calls."""
    async with world(tmp_path) as here:
        server = here.server
        anna = await lobby(server)
        late = server.fault(POST, **how)
        old = anna.public
        server.delete_message(old)
        await presses(anna, old, "add")
        await asyncio.sleep(3600)
        minutes = 3600 / 60
        assert late.hits <= 1.4 * minutes
        server.faults.clear()
        assert await becomes(server, lambda: len(server.public(anna.channel)) == 1, 75)
        assert not here.tracebacks


async def test_message_is_right_again_soon_after_a_minute_of_trouble(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        server = here.server
        anna = await lobby(server)
        server.fault(EDIT, status=503)
        _ = await anna.press_public("Add robot")
        await asyncio.sleep(50)
        server.faults.clear()
        assert await becomes(server, lambda: "Robot 1" in anna.public.text, 7)


async def test_start_cuts_the_pause_short(tmp_path: Path) -> None:
    """The lobby's message couldn't be edited for long. The match doesn't wait for its next try."""
    async with world(tmp_path) as here:
        server = here.server
        anna = await lobby(server)
        late = server.fault(EDIT, status=503)
        _ = await anna.press_public("Add robot")
        await asyncio.sleep(600)
        hits = late.hits
        await server.wait_for(lambda: late.hits > hits, 65)
        await asyncio.sleep(10)
        server.faults.clear()
        _ = await anna.press_public("Start")
        assert await becomes(server, lambda: len(server.public(anna.channel)) == 2, 15)
