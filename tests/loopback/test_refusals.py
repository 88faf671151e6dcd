"""Discord refuses, is slow, or loses answers: the table's message ends up right, and only once."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.fakediscord import Channel, Server
from bot.ids import ChannelId
from bot.ui.connection import fast_path
from tests.loopback.bots import PATIENCE, bot_here, bot_process
from tests.loopback.players import Player, all_ready, labels, seated, tables

EDIT = "PATCH .*/channels/[0-9]+/messages/"
POST = "POST .*/channels/[0-9]+/messages$"


async def alone(server: Server, channel: Channel, name: str) -> Player:
    """Somebody in a lobby of his own."""
    player = Player(server, server.user(name), channel)
    _ = await player.open()
    return player


async def shows(player: Player, words: str) -> None:
    await player.server.wait_for(lambda: words in player.public.text, 2 * PATIENCE)


@pytest.mark.parametrize(
    "trouble",
    [
        {"retry_after": 0.5},
        {"retry_after": 0.5, "scope": "shared"},
        {"retry_after": 12.0},
        {"retry_after": 12.0, "scope": "global"},
        {"status": 500},
        {"status": 502},
        {"status": 503},
        {"status": 504},
        {"drop": True},
        {"drop": True, "when": "after"},
        {"latency": 12.0},
    ],
    ids=lambda one: " ".join(str(value) for value in one.values()),
)
async def test_an_edit_that_is_refused_is_made_in_the_end(
    tmp_path: Path, trouble: dict[str, Any]
) -> None:
    """Meanwhile the people's own panels are answered as ever, and another channel is drawn."""
    async with Server(channels=2) as server, bot_process(server, tmp_path / "edit.db") as bot:
        channel, other = server.all_channels
        anna, ben = await seated(server, channel, ["anna", "ben"], 3)
        carl = await alone(server, other, "carl")
        await all_ready([anna, ben])
        server.fault(f"{EDIT}{anna.public.id}", times=1, **trouble)
        for _ in range(6):
            answer = await anna.act()
            assert answer is not None
            assert answer.ok
        if trouble.get("scope") != "global":
            _ = await carl.press_public("Add robot")
            await shows(carl, "Robot 1")
        await server.wait_for(
            lambda: anna.panel.text.splitlines()[1:5] == anna.public.text.splitlines()[1:5],
            2 * PATIENCE,
        )
        assert len(tables(server, channel)) == 1
        assert "Traceback" not in bot.output


@pytest.mark.parametrize(("scope", "everybody"), [("user", 1.0), ("global", 0.5)])
async def test_a_channels_rate_limit_slows_down_no_other(
    tmp_path: Path, scope: str, everybody: float
) -> None:
    async with Server() as server, bot_here(server, tmp_path / "scope.db") as here:
        channel = server.all_channels[0]
        anna = await alone(server, channel, "anna")
        fault = server.fault(EDIT, retry_after=0.2, scope=scope, times=1)
        _ = await anna.press_public("Add robot")
        await server.wait_for(lambda: fault.hits, PATIENCE)
        await shows(anna, "Robot 1")
        budget, now = here.running.messages.budget, here.client.loop.time()
        assert vars(budget._own)["_rate"].slowdown.factor(now) == everybody
        assert (budget._held_up(ChannelId(channel.id)) > 0) == (scope == "user"), (
            "this channel's edits wait"
        )
        assert not budget._paces, "panels learn from their own calls"


async def test_after_a_long_global_limit_everything_is_drawn_again(tmp_path: Path) -> None:
    """An edit that is given up while discord.py waits must not keep all others waiting."""
    async with Server() as server, bot_process(server, tmp_path / "global.db"):
        anna = await alone(server, server.all_channels[0], "anna")
        fault = server.fault(EDIT, retry_after=12.0, scope="global", times=1)
        _ = await anna.press_public("Add robot")
        await server.wait_for(lambda: fault.hits, PATIENCE)
        await shows(anna, "Robot 1")


async def test_a_message_whose_posting_was_not_heard_of_is_not_posted_twice(
    tmp_path: Path,
) -> None:
    async with Server() as server, bot_process(server, tmp_path / "lost.db") as bot:
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready([anna, ben])
        first = anna.public
        server.fault(POST, drop=True, when="after", times=1)
        _ = await anna.press_public("Move down")
        await server.wait_for(lambda: first.deleted, PATIENCE)
        assert len(tables(server, anna.channel)) == 1
        await server.wait_for(lambda: "End round" in labels(anna.public), PATIENCE)
        assert "Traceback" not in bot.output


async def test_a_posting_that_was_not_heard_of_shows_who_joined_meanwhile(tmp_path: Path) -> None:
    """Posting again finds the first message, and Discord leaves it as it was."""
    async with Server() as server, bot_process(server, tmp_path / "meanwhile.db"):
        anna = await alone(server, server.all_channels[0], "anna")
        lost = server.fault(POST, drop=True, when="after", times=1)
        server.delete_message(anna.public)
        _ = await server.click(anna.user, anna.panel, "lg1:1:0:add", stale=True).wait()
        await server.wait_for(lambda: lost.hits and server.public(anna.channel), PATIENCE)
        carl = Player(server, server.user("carl"), anna.channel)
        _ = await carl.press_public("Join")
        await shows(carl, "Carl")


async def test_an_edit_that_was_not_heard_of_is_made_undone(tmp_path: Path) -> None:
    """The table looks again as it did before, and Discord shows what it was not heard to show."""
    async with Server() as server, bot_process(server, tmp_path / "undone.db"):
        anna = await alone(server, server.all_channels[0], "anna")
        lost = server.fault(EDIT, drop=True, when="after", times=1)
        _ = await anna.press_public("Add robot")
        await server.wait_for(lambda: lost.hits and "Robot 1" in anna.public.text, PATIENCE)
        _ = await anna.press_public("Remove robot")
        await server.wait_for(lambda: "Robot 1" not in anna.public.text, 2 * PATIENCE)


async def test_a_deleted_message_is_posted_again_once(
    tmp_path: Path,
) -> None:
    async with Server() as server, bot_process(server, tmp_path / "again.db"):
        anna = await alone(server, server.all_channels[0], "anna")
        server.fault(POST, drop=True, when="after", times=1)
        server.delete_message(anna.public)
        _ = await server.click(anna.user, anna.panel, "lg1:1:0:add", stale=True).wait()
        await server.wait_for(lambda: len(tables(server, anna.channel)) >= 1, PATIENCE)
        await asyncio.sleep(8)
        assert len(tables(server, anna.channel)) == 1


async def test_a_push_that_fails_in_an_unforeseen_way_is_made_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was not sent is never taken for what a player sees."""
    push = fast_path.push
    failures: list[tuple[Any, ...]] = []

    async def fails_once(*args: Any) -> None:
        if not failures:
            failures.append(args)
            raise RuntimeError("nobody has thought of this")
        await push(*args)

    async with Server() as server, bot_here(server, tmp_path / "unforeseen.db"):
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready([anna, ben])
        await asyncio.sleep(5)
        monkeypatch.setattr(fast_path, "push", fails_once)
        while not failures:
            _ = await anna.act()
            await asyncio.sleep(1)
        await server.wait_for(
            lambda: ben.panel.text.splitlines()[1:5] == anna.panel.text.splitlines()[1:5],
            8,
        )
