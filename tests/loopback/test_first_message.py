"""The message at Start, whose id makes the seed: however Discord and the machine behave."""

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.fakediscord import Server
from tests.loopback.bots import PATIENCE, BotProcess, bot_process
from tests.loopback.players import Player, all_ready, labels, seated, tables

POST = "POST .*/messages$"
LOST: dict[str, Any] = {"route": POST, "drop": True, "when": "before", "times": 100}
REFUSED: dict[str, Any] = {"route": POST, "status": 403, "code": 50013}


def noted(bot: BotProcess) -> list[tuple[int, int, int | None]]:
    """What the journal has of messages before the first deal: channel, message, lobby."""
    with closing(sqlite3.connect(bot.database)) as db:
        found = db.execute("SELECT body FROM journal WHERE kind = 'Published' ORDER BY seq")
        bodies = [json.loads(body) for (body,) in found]
    return [(body["channel"], body["message"], body["lobby"]) for body in bodies]


async def lobby(server: Server) -> list[Player]:
    people = [Player(server, server.user(name), server.all_channels[0]) for name in ("anna", "ben")]
    _ = await people[0].open()
    _ = await people[1].press_board("Join")
    await server.wait_for(lambda: "Ben" in people[0].board.text, PATIENCE)
    return people


async def test_ready_on_the_new_message_gives_a_panel_below_it(tmp_path: Path) -> None:
    async with Server() as server, bot_process(server, tmp_path / "below.db") as bot:
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        link, table = server.public(anna.channel)
        assert str(table.id) in link.text
        assert noted(bot) == [(anna.channel.id, table.id, link.id)]
        for player in (anna, ben):
            assert player.panel.id < table.id
            _ = await player.press_board("Ready")
            await server.wait_for(lambda player=player: player.panel.id > table.id, PATIENCE)  # type: ignore[misc]
        await server.wait_for(anna.choose, PATIENCE)


@pytest.mark.parametrize("trouble", [REFUSED, LOST], ids=["refused", "lost"])
async def test_the_lobby_serves_where_nothing_can_be_posted(
    tmp_path: Path, trouble: dict[str, Any]
) -> None:
    """The match is dealt, and the journal says by which message."""
    async with Server() as server, bot_process(server, tmp_path / "lobby.db") as bot:
        anna, ben = await lobby(server)
        first = anna.board
        server.fault(**trouble)
        _ = await anna.press_board("Start")
        for player in (anna, ben):
            _ = await player.press("Ready")
        await server.wait_for(anna.choose, 3 * PATIENCE)
        assert noted(bot)[0] == (anna.channel.id, first.id, first.id)
        assert not first.deleted
        server.faults.clear()
        await asyncio.sleep(20)
        assert len(tables(server, anna.channel)) == 1
        assert noted(bot)[0] == (anna.channel.id, first.id, first.id)


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_death_while_it_is_posted_makes_one_seed(tmp_path: Path, when: str) -> None:
    """Killed before or after Discord has it; everybody may have been ready."""
    async with Server() as server, bot_process(server, tmp_path / "death.db") as bot:
        anna, ben = await lobby(server)
        link = anna.board
        fault = server.fault(POST, hold=asyncio.Event(), when=when, times=1)
        _ = await anna.press_board("Start")
        await asyncio.wait_for(fault.reached.wait(), PATIENCE)
        for player in (anna, ben):
            _ = await player.press("Ready")
        await bot.kill()
        assert not noted(bot)
        server.faults.clear()
        await bot.start()
        await server.wait_for(anna.choose, PATIENCE)
        (table,) = tables(server, anna.channel)
        assert noted(bot) == [(anna.channel.id, table.id, link.id)]
        await server.wait_for(lambda: str(table.id) in link.text, PATIENCE)


async def test_a_death_before_the_lobby_is_a_link_leaves_it_no_lobby(tmp_path: Path) -> None:
    async with Server() as server, bot_process(server, tmp_path / "link.db") as bot:
        anna, _ = await lobby(server)
        link = anna.board
        fault = server.fault(f"PATCH .*/messages/{link.id}$", hold=asyncio.Event(), times=1)
        _ = await anna.press_board("Start")
        await asyncio.wait_for(fault.reached.wait(), PATIENCE)
        await bot.kill()
        server.faults.clear()
        assert "Join" in labels(link)
        await bot.start()
        await server.wait_for(lambda: "Join" not in labels(link), PATIENCE)
        assert str(anna.board.id) in link.text


async def test_moved_before_the_first_deal_is_noted_and_changes_no_seed(tmp_path: Path) -> None:
    async with Server() as server, bot_process(server, tmp_path / "moved.db") as bot:
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        link, first = server.public(anna.channel)
        _ = await anna.press_board("Move down")
        await server.wait_for(lambda: first.deleted, PATIENCE)
        second = anna.board
        await server.wait_for(lambda: str(second.id) in link.text, PATIENCE)
        await all_ready([anna, ben])
        _ = await anna.press_board("Move down")
        await server.wait_for(lambda: second.deleted, PATIENCE)
        channel = anna.channel.id
        assert noted(bot) == [(channel, first.id, link.id), (channel, second.id, link.id)]


async def test_a_rematch_promises_anew(tmp_path: Path) -> None:
    async with Server() as server, bot_process(server, tmp_path / "again.db") as bot:
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 1)
        await all_ready([anna, ben])
        for player in (anna, ben):
            _ = await player.press_board("End round")
        _ = await anna.press("Rematch")
        await server.wait_for(lambda: "Join" in labels(anna.board), PATIENCE)
        with closing(sqlite3.connect(bot.database)) as db:
            found = db.execute("SELECT body FROM journal WHERE kind = 'Promised'").fetchall()
        assert len(set(found)) == 2


async def test_a_message_from_before_start_makes_no_seed(tmp_path: Path) -> None:
    """A lobby that was deleted is posted again, and nobody hears of it before Start."""
    async with Server() as server, bot_process(server, tmp_path / "before.db") as bot:
        anna, _ = await lobby(server)
        press = anna.board.find(label="Start").custom_id
        server.delete_message(anna.board)
        fault = server.fault(POST, hold=asyncio.Event(), when="after", times=1)
        _ = await server.click(anna.user, anna.panel, "lg1:1:0:add", stale=True).wait()
        await asyncio.wait_for(fault.reached.wait(), PATIENCE)
        early = anna.board
        _ = await server.click(anna.user, anna.panel, press, stale=True).wait()
        await server.wait_for(lambda: anna.board is not early, 3 * PATIENCE)
        await asyncio.sleep(3)
        assert noted(bot) == [(anna.channel.id, anna.board.id, early.id)]
        assert "Join" not in labels(early)
