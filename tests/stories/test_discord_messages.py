"""A table's message: lost answers, late edits, refusals for good, and what people are told."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.stories.discord_world import (
    COMPONENT,
    Item,
    Message,
    OldEdits,
    Player,
    Server,
    all_ready,
    becomes,
    seated,
    send,
    world,
)

EDIT = "PATCH .*/channels/[0-9]+/messages/"
POST = "POST .*/channels/[0-9]+/messages$"
POSTED = "POST /channels/#/messages"
UNLISTED = 50024
"""A refusal that the bot has no plan for: something cannot be done in this kind of channel."""
WHY = re.compile("permission|refuse|Discord|timed out", re.IGNORECASE)
"""Words of a line that says why a table's message is not as it should be."""
IN_OPTIONS = "a thread of its own"


async def lobby(server: Server) -> Player:
    anna = Player(server, server.user("anna"), server.all_channels[0])
    _ = await anna.open()
    return anna


async def presses(player: Player, board: Message, word: str) -> None:
    """A press on the table's message, wherever it is by now."""
    data = {"custom_id": f"lg1:1:0:{word}", "component_type": 2, "id": 1}
    _ = await send(player.server, player.user, board, COMPONENT, data).wait()


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="a message that was posted without the bot hearing of it stays for ever",
)
async def test_lost_posting_is_deleted_when_it_is_pressed(tmp_path: Path) -> None:
    """Today: after a longer outage Discord knows the nonce no more, so the message is posted a
    second time, and the first one stays with buttons that work. A press on it names it: it should
    be deleted.
    """
    async with world(tmp_path) as here:
        server = here.server
        anna = await lobby(server)
        _ = server.fault(POST, drop=True, when="after", times=1)
        old = anna.board
        server.delete_message(old)
        await presses(anna, old, "add")
        await server.wait_for(lambda: server.public(anna.channel))
        first = anna.board
        outage = server.fault(POST, status=503)
        await asyncio.sleep(600)
        server.faults.remove(outage)
        await server.wait_for(lambda: len(server.public(anna.channel)) == 2, 60)
        await presses(Player(server, server.user("carl"), anna.channel), first, "join")
        assert await becomes(server, lambda: first.deleted, 10), "two messages of one table"


async def test_message_too_old_to_be_edited_is_posted_anew(tmp_path: Path) -> None:
    """A message that takes no edits for a while (30046) is posted anew, and the old one deleted."""
    async with world(tmp_path) as here:
        server = here.server
        anna = await lobby(server)
        server.faults.append(OldEdits(f"{EDIT}{anna.board.id}$", retry_after=600))
        _ = await anna.press_board("Add")
        assert await becomes(server, lambda: "Robot 1" in anna.board.text, 30), (
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
        refused = OldEdits(f"{EDIT}{anna.board.id}$", retry_after=1)
        server.faults.append(refused)
        _ = await anna.press_board("Add")
        await server.wait_for(lambda: "Robot 1" in anna.board.text, 30)
        assert refused.hits == 1, "the old message was edited again"


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="nobody is told why a table did not get the thread that its host chose",
)
async def test_thread_that_cannot_be_had_is_told(tmp_path: Path) -> None:
    """Today: where a channel has its most threads, the table stays, and the option is taken back
    without a word. The people at the table should read why.
    """
    async with world(tmp_path) as here:
        server = here.server
        anna = await lobby(server)
        refused = server.fault("POST .*/threads$", status=400, code=160006)
        await anna.set_option("place", "thread")
        await server.wait_for(lambda: refused.hits, 20)
        assert await becomes(server, lambda: "thread" in seen(anna), 20), (
            "nothing that the host sees speaks of the thread"
        )


@pytest.mark.parametrize("code", [50013, UNLISTED], ids=["no permission", "unlisted"])
@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="people whose table's message cannot be changed are not told why it stands still",
)
async def test_message_that_cannot_be_changed_is_told(tmp_path: Path, code: int) -> None:
    """Today: the table's message stands still, for example while the bot is timed out, and the
    panels that still work say nothing. They should say why, once.
    """
    async with world(tmp_path) as here:
        server = here.server
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready([anna, ben])
        refused = server.fault(EDIT, status=403, code=code)
        for _ in range(4):
            _ = await ben.act()
        await server.wait_for(lambda: refused.hits >= 1, 20)
        await asyncio.sleep(5)
        _ = await anna.act()
        said = [part for player in (anna, ben) for panel in player.panels for part in ever(panel)]
        assert any(map(WHY.search, said)), "no panel says anything of it"


def ever(message: Message) -> list[str]:
    """What a message has shown so far."""
    return [str(data["components"]) for data in (*message.history, message.data)]


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="a refusal that the bot does not know is tried again every five seconds for ever",
)
async def test_unknown_refusal_is_not_repeated_for_ever(tmp_path: Path) -> None:
    """Today: a 4xx that is not listed is taken for passing. It should be tried ever more seldom,
    and then no more.
    """
    async with world(tmp_path) as here:
        server = here.server
        anna = await lobby(server)
        refused = server.fault(EDIT, status=403, code=UNLISTED)
        _ = await anna.press_board("Add")
        await asyncio.sleep(600)
        assert refused.hits <= 20, "the same edit was tried again and again"


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="a table whose messages another bot deletes is posted again without end",
)
async def test_message_that_is_always_deleted_is_posted_no_more(tmp_path: Path) -> None:
    """Today: each change posts a message that is deleted at once. After a few the panels should
    say so instead.
    """
    async with world(tmp_path) as here:
        server = here.server
        anna = await lobby(server)
        old, before = anna.board, server.statuses[POSTED, 200]
        for number in range(12):
            for message in server.public(anna.channel):
                server.delete_message(message)
            await presses(anna, old, "remove" if number % 2 else "add")
            await becomes(server, lambda: server.public(anna.channel), 10)
        posted = server.statuses[POSTED, 200] - before
        assert posted <= 5, "messages were posted for another bot to delete"


def seen(player: Player) -> str:
    """Everything that somebody can read in the channel, lists of options aside."""
    is_list: Callable[[Item], bool] = lambda item: "set." in (item.custom_id or "")  # noqa: E731
    there = player.server.view(player.user, player.channel)
    texts = [one.text for one in there if not any(map(is_list, one.controls))]
    return "\n".join(texts).lower().replace(IN_OPTIONS, "")
