"""What people do to a table's channel, its messages and the bot's permissions there."""

import asyncio
from pathlib import Path

import pytest

from bot.fakediscord import Channel, Server
from tests.loopback.bots import PATIENCE, bot_process
from tests.loopback.players import Player, all_ready, labels, seated

REFUSED = (50001, 50013, 50083, 160005)


def refusals(server: Server) -> int:
    """How often the bot was told that it may not."""
    return sum(n for (_, code), n in server.codes.items() if code in REFUSED)


def tries(server: Server) -> list[float]:
    """When an edit of a table's message was refused."""
    edits = [call for call in server.calls if call[1] == "PATCH" and "/messages/" in call[2]]
    return [at for at, _, _, status, _ in edits if status >= 400]


async def same_centre(player: Player, within: float = 2 * PATIENCE) -> None:
    """The table's message shows what its player's panel shows."""
    await player.server.wait_for(
        lambda: player.panel.text.splitlines()[1:5] == player.public.text.splitlines()[1:5], within
    )


@pytest.mark.parametrize(
    "permission", ["view_channel", "send_messages", "attach_files", "read_message_history"]
)
async def test_a_permission_taken_in_play_stops_nobody(tmp_path: Path, permission: str) -> None:
    """Panels live on their players' tokens; the message is tried with pauses."""
    async with Server() as server, bot_process(server, tmp_path / "denied.db") as bot:
        channel = server.all_channels[0]
        anna, ben = await seated(server, channel, ["anna", "ben"], 3)
        await all_ready([anna, ben])
        server.deny(channel, permission)
        for _ in range(8):
            for player in (anna, ben):
                answer = await player.act()
                assert answer is not None
                assert answer.ok
            await asyncio.sleep(1)
        assert refusals(server) <= 3
        server.deny(channel)
        await same_centre(anna)
        assert "Traceback" not in bot.output


async def test_in_a_channel_made_read_only_the_message_stays_where_it_is(tmp_path: Path) -> None:
    async with Server() as server, bot_process(server, tmp_path / "readonly.db") as bot:
        channel = server.all_channels[0]
        anna, ben = await seated(server, channel, ["anna", "ben"], 3)
        await all_ready([anna, ben])
        public = anna.public
        server.deny(channel, "send_messages")
        _ = await anna.press_public("Move down")
        await server.wait_for(lambda: refusals(server), PATIENCE)
        await same_centre(anna)
        assert anna.public is public
        assert "Traceback" not in bot.output


async def test_a_live_table_in_a_strange_locked_thread_is_tried_with_growing_pauses(
    tmp_path: Path,
) -> None:
    async with Server() as server, bot_process(server, tmp_path / "strange.db") as bot:
        channel = server.all_channels[0]
        thread = Channel(server.world.ids(), "somebody's thread", channel.guild, 11, channel)
        server.world.keep(thread)
        anna, ben = await seated(server, thread, ["anna", "ben"], 3)
        await all_ready([anna, ben])
        thread.archived = thread.locked = True
        for _ in range(20):
            answer = await anna.act()
            assert answer is not None
            assert answer.ok
            await asyncio.sleep(1)
        first, second, third = tries(server)[:3]
        assert third - second > 1.5 * (second - first) > 6
        thread.archived = thread.locked = False
        await same_centre(anna)
        assert "Traceback" not in bot.output


async def test_a_deleted_panel_is_asked_for_anew(tmp_path: Path) -> None:
    async with Server() as server, bot_process(server, tmp_path / "panel.db") as bot:
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready([anna, ben])
        server.delete_message(ben.panel)
        for _ in range(3):
            _ = await anna.act()
        answer = await ben.press_public("My cards")
        assert answer.original is not None
        assert "Flip" in labels(answer.original)
        assert "Traceback" not in bot.output


async def test_a_panel_older_than_its_token_wakes_at_a_press(tmp_path: Path) -> None:
    async with Server() as server, bot_process(server, tmp_path / "old.db") as bot:
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready([anna, ben])
        server.age_tokens(16 * 60)
        _ = await anna.act()
        answer = await ben.press("Flip")
        assert answer.ok
        _ = await anna.act()
        await same_centre(ben)
        assert "Traceback" not in bot.output


async def test_a_press_while_the_last_word_travels_is_on_top_in_the_end(tmp_path: Path) -> None:
    """The panel's last edit before its token dies comes after the answer that gave it another."""
    async with Server() as server, bot_process(server, tmp_path / "last.db"):
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready([anna, ben])
        _ = await ben.press("Flip")
        for _ in range(14):
            await asyncio.sleep(59)
            _ = await anna.act()
        await asyncio.sleep(5)
        travels = asyncio.Event()
        word = server.fault(f"PATCH .*/messages/{ben.panel.id}", hold=travels, times=1)
        await asyncio.wait_for(word.reached.wait(), 60)
        answer = await ben.press("Flip")
        assert answer.ok
        travels.set()
        await server.wait_for(lambda: "timed out" in ben.panel.text, PATIENCE)
        await server.wait_for(lambda: "timed out" not in ben.panel.text, PATIENCE)


async def test_fifty_presses_a_second_of_one_person_hold_up_nobody(tmp_path: Path) -> None:
    async with Server() as server, bot_process(server, tmp_path / "fifty.db") as bot:
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready([anna, ben])
        flip = anna.panel.find(label="Flip").custom_id
        for _ in range(3):
            for _ in range(50):
                _ = server.click(anna.user, anna.panel, flip, stale=True)
            answer = await ben.act()
            assert answer is not None
            assert answer.ok
            assert answer.latency is not None
            assert answer.latency < 3
        answer = await anna.press("Flip")
        assert answer.ok
        await same_centre(ben)
        assert "Traceback" not in bot.output
