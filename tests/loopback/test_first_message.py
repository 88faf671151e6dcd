"""The message at Start, whose id makes the seed: however Discord and the machine behave."""

import asyncio
import json
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.fakediscord import Server
from bot.verify.referee import Referee
from tests.loopback.bots import PATIENCE, BotProcess, bot_process
from tests.loopback.players import Player, all_ready, labels, seated, tables

POST = "POST .*/messages$"
LOST: dict[str, Any] = {"route": POST, "drop": True, "when": "before", "times": 100}
REFUSED: dict[str, Any] = {"route": POST, "status": 403, "code": 50013}
FORGOTTEN = 6 * 60
"""Seconds after which Discord knows a nonce no more."""


def noted(bot: BotProcess) -> list[tuple[int, int, int | None]]:
    """What the journal has of messages before the first deal: channel, message, lobby."""
    with closing(sqlite3.connect(bot.database)) as db:
        found = db.execute("SELECT body FROM journal WHERE kind = 'Published' ORDER BY seq")
        bodies = [json.loads(body) for (body,) in found]
    return [(body["channel"], body["message"], body["lobby"]) for body in bodies]


def written(bot: BotProcess, kind: str) -> int:
    """How many entries of this kind the journal has."""
    with closing(sqlite3.connect(bot.database)) as db:
        (count,) = db.execute("SELECT count(*) FROM journal WHERE kind = ?", (kind,)).fetchone()
    return int(count)


async def start_line(bot: BotProcess, people: list[Player]) -> dict[str, Any]:
    """The first line of the log of a match of one round, which everybody agrees to end."""
    for player in people:
        _ = await player.press_public("End round")
    await people[0].sees("Rematch")
    with closing(sqlite3.connect(bot.database)) as db:
        (packed,) = db.execute("SELECT log FROM logs").fetchone()
    start: dict[str, Any] = Referee(zlib.decompress(packed).decode()).check().start
    return start


async def lobby(server: Server) -> list[Player]:
    people = [Player(server, server.user(name), server.all_channels[0]) for name in ("anna", "ben")]
    _ = await people[0].open()
    _ = await people[1].press_public("Join")
    await server.wait_for(lambda: "Ben" in people[0].public.text, PATIENCE)
    return people


async def test_ready_on_the_new_message_gives_a_panel_below_it(tmp_path: Path) -> None:
    async with Server() as server, bot_process(server, tmp_path / "below.db") as bot:
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        link, table = server.public(anna.channel)
        assert str(table.id) in link.text
        assert noted(bot) == [(anna.channel.id, table.id, link.id)]
        assert ben.panel.id < table.id < anna.panel.id, "whoever presses Start has theirs below"
        for player in (anna, ben):
            _ = await player.press_public("Ready")
            await server.wait_for(lambda player=player: player.panel.id > table.id, PATIENCE)  # type: ignore[misc]
        await server.wait_for(anna.choose, PATIENCE)


@pytest.mark.parametrize("trouble", [REFUSED, LOST], ids=["refused", "lost"])
async def test_the_lobby_serves_where_nothing_can_be_posted(
    tmp_path: Path, trouble: dict[str, Any]
) -> None:
    """The match is dealt, and the journal says by which message."""
    async with Server() as server, bot_process(server, tmp_path / "lobby.db") as bot:
        anna, ben = await lobby(server)
        first = anna.public
        server.fault(**trouble)
        _ = await anna.press_public("Start")
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
        link = anna.public
        fault = server.fault(POST, hold=asyncio.Event(), when=when, times=1)
        _ = await anna.press_public("Start")
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
        link = anna.public
        fault = server.fault(f"PATCH .*/messages/{link.id}$", hold=asyncio.Event(), times=1)
        _ = await anna.press_public("Start")
        await asyncio.wait_for(fault.reached.wait(), PATIENCE)
        await bot.kill()
        server.faults.clear()
        assert "Join" in labels(link)
        await bot.start()
        await server.wait_for(lambda: "Join" not in labels(link), PATIENCE)
        assert str(anna.public.id) in link.text


async def test_the_table_cannot_be_moved_before_the_first_deal(tmp_path: Path) -> None:
    """The id of its message is in the seed. A second one would make honest people look like cheats:
    whoever runs the bot could have looked at the deal, and wanted another.
    """
    async with Server() as server, bot_process(server, tmp_path / "stays.db") as bot:
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 1)
        first = anna.public
        answer = await ben.press_public("Move down")
        assert answer.original is not None
        assert "before the first deal" in answer.original.text
        await asyncio.sleep(5)
        assert anna.public is first
        assert written(bot, "PostingBegun") == 1
        await all_ready([anna, ben])
        _ = await ben.press_public("Move down")
        await server.wait_for(lambda: first.deleted, PATIENCE)
        start = await start_line(bot, [anna, ben])
        assert start["public"] == f"{anna.channel.id}/{first.id}"
        assert (start["postings"], start.get("reposted")) == (1, None)


async def test_deleted_before_the_first_deal_is_noted_and_changes_no_seed(tmp_path: Path) -> None:
    async with Server() as server, bot_process(server, tmp_path / "moved.db") as bot:
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        link, first = server.public(anna.channel)
        server.delete_message(first)
        _ = await anna.press("Ready")
        await server.wait_for(lambda: anna.public not in (first, link), PATIENCE)
        second = anna.public
        await server.wait_for(lambda: str(second.id) in link.text, PATIENCE)
        await all_ready([ben])
        _ = await anna.press_public("Move down")
        await server.wait_for(lambda: second.deleted, PATIENCE)
        channel = anna.channel.id
        assert noted(bot) == [(channel, first.id, link.id), (channel, second.id, link.id)]


async def test_a_posting_that_was_lost_in_a_death_is_in_the_log(tmp_path: Path) -> None:
    """Everybody saw a message, the bot did not hear of it, and Discord has forgotten its nonce."""
    async with Server() as server, bot_process(server, tmp_path / "lost.db") as bot:
        anna, ben = await lobby(server)
        await anna.set_option("rounds", "1")
        fault = server.fault(POST, hold=asyncio.Event(), when="after", times=1)
        _ = await anna.press_public("Start")
        await asyncio.wait_for(fault.reached.wait(), PATIENCE)
        seen = anna.public
        await bot.kill()
        server.faults.clear()
        await asyncio.sleep(FORGOTTEN)
        await bot.start()
        await server.wait_for(lambda: anna.public.id != seen.id, PATIENCE)
        await all_ready([anna, ben])
        start = await start_line(bot, [anna, ben])
        assert start["public"] == f"{anna.channel.id}/{anna.public.id}"
        assert (start["postings"], start.get("reposted")) == (2, None), "one was never heard of"


async def test_an_answer_after_the_deal_is_in_the_log(tmp_path: Path) -> None:
    """A second message can be seen while the bot still waits to hear of it."""
    async with Server() as server, bot_process(server, tmp_path / "late.db") as bot:
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 1)
        link, first = server.public(anna.channel)
        fault = server.fault(POST, hold=(answer := asyncio.Event()), when="after", times=1)
        server.delete_message(first)
        _ = await anna.press("Ready")
        await asyncio.wait_for(fault.reached.wait(), PATIENCE)
        second = anna.public
        assert second.id != first.id
        await all_ready([ben])
        assert (written(bot, "Dealt"), len(noted(bot))) == (1, 1)
        answer.set()
        await server.wait_for(lambda: len(noted(bot)) > 1, PATIENCE)
        channel = anna.channel.id
        assert noted(bot) == [(channel, first.id, link.id), (channel, second.id, link.id)]
        _ = await anna.press_public("Move down")
        await server.wait_for(lambda: second.deleted, PATIENCE)
        start = await start_line(bot, [anna, ben])
        assert start["public"] == f"{channel}/{first.id}"
        assert (start["postings"], start["reposted"]) == (2, [f"{channel}/{second.id}"])


async def test_one_posting_that_was_answered_is_one_in_the_log(tmp_path: Path) -> None:
    async with Server() as server, bot_process(server, tmp_path / "one.db") as bot:
        people = await seated(server, server.all_channels[0], ["anna", "ben"], 1)
        await all_ready(people)
        start = await start_line(bot, people)
        assert (start["postings"], start.get("reposted")) == (1, None)


async def test_a_repeat_within_one_posting_makes_no_other_message(tmp_path: Path) -> None:
    """discord.py sends again what a gateway's error page answered: the nonce is the same."""
    async with Server() as server, bot_process(server, tmp_path / "page.db") as bot:
        people = await lobby(server)
        await people[0].set_option("rounds", "1")
        server.fault(POST, status=502, when="after", times=2)
        _ = await people[0].press_public("Start")
        await all_ready(people)
        start = await start_line(bot, people)
        assert (start["postings"], start.get("reposted")) == (1, None)
        sent = server.public(people[0].channel)
        assert len(sent) == 2, "the lobby and the table"
        assert start["public"] == f"{people[0].channel.id}/{sent[1].id}"


async def test_a_posting_that_is_refused_for_good_is_not_begun_again(tmp_path: Path) -> None:
    """That it is noted is no reason to draw the table once more."""
    async with Server() as server, bot_process(server, tmp_path / "refused.db") as bot:
        anna, _ = await seated(server, server.all_channels[0], ["anna", "ben"], 1)
        server.delete_message(anna.public)
        server.fault(POST, status=400, code=50035)
        _ = await anna.press("Ready")
        await asyncio.sleep(60)
        begun = written(bot, "PostingBegun")
        assert begun > 1, "it was tried"
        await asyncio.sleep(60)
        assert written(bot, "PostingBegun") == begun


async def test_a_rematch_promises_anew(tmp_path: Path) -> None:
    async with Server() as server, bot_process(server, tmp_path / "again.db") as bot:
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 1)
        await all_ready([anna, ben])
        for player in (anna, ben):
            _ = await player.press_public("End round")
        _ = await anna.press("Rematch")
        await server.wait_for(lambda: "Join" in labels(anna.public), PATIENCE)
        with closing(sqlite3.connect(bot.database)) as db:
            found = db.execute("SELECT body FROM journal WHERE kind = 'Promised'").fetchall()
        assert len(set(found)) == 2


async def test_a_message_from_before_start_makes_no_seed(tmp_path: Path) -> None:
    """A lobby that was deleted is posted again, and nobody hears of it before Start."""
    async with Server() as server, bot_process(server, tmp_path / "before.db") as bot:
        anna, _ = await lobby(server)
        press = anna.public.find(label="Start").custom_id
        server.delete_message(anna.public)
        fault = server.fault(POST, hold=asyncio.Event(), when="after", times=1)
        _ = await server.click(anna.user, anna.panel, "lg1:1:0:add", stale=True).wait()
        await asyncio.wait_for(fault.reached.wait(), PATIENCE)
        early = anna.public
        _ = await server.click(anna.user, anna.panel, press, stale=True).wait()
        await server.wait_for(lambda: anna.public is not early, 3 * PATIENCE)
        await asyncio.sleep(3)
        assert noted(bot) == [(anna.channel.id, anna.public.id, early.id)]
        assert "Join" not in labels(early)
