"""What the machine does to a running bot: it stops it, blocks it, or locks its database."""

import asyncio
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from bot.fakediscord import Server
from tests import real
from tests.loopback.bots import PATIENCE, bot_not_started, bot_process
from tests.loopback.players import Player, all_ready, labels, seated
from tests.loopback.test_crashes import journalled
from tests.simulate.disk import Disk
from tests.simulate.sqlite import mounted


def is_back(player: Player, shown: str) -> bool:
    public = player.public
    return "is restarting" not in public.text and shown in labels(public)


def is_new(player: Player, before: str) -> bool:
    return player.panel.text != before


async def test_sigterm_tells_open_tables_and_they_go_on_after_it(tmp_path: Path) -> None:
    async with Server(channels=2) as server, bot_process(server, tmp_path / "term.db") as bot:
        channel, other = server.all_channels
        anna, ben = await seated(server, channel, ["anna", "ben"], 3)
        carl = Player(server, server.user("carl"), other)
        _ = await carl.open()
        await all_ready([anna, ben])
        assert await bot.stop() == 0
        for player in (anna, carl):
            assert "is restarting. Your table continues" in player.public.text
        server.gateway.enforce_identify = False
        await bot.start()
        for player, shown in ((anna, "Ready"), (carl, "Join")):
            await server.wait_for(partial(is_back, player, shown), PATIENCE)
        await all_ready([anna, ben])
        assert "Traceback" not in bot.output


async def test_sigterm_lets_an_answer_in_progress_go_out(tmp_path: Path) -> None:
    async with Server() as server, bot_process(server, tmp_path / "answer.db") as bot:
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready([anna, ben])
        fault = server.fault("/callback", hold=asyncio.Event(), times=1)
        press = server.click(anna.user, anna.panel, label="Flip")
        await asyncio.wait_for(fault.reached.wait(), PATIENCE)
        async with asyncio.TaskGroup() as group:
            stopping = group.create_task(bot.stop())
            await server.wait_for(lambda: "is restarting" in anna.public.text, PATIENCE)
            assert fault.hold is not None
            fault.hold.set()
        assert stopping.result() == 0
        assert press.ok


async def test_sigterm_waits_for_nothing_that_takes_too_long(tmp_path: Path) -> None:
    async with Server() as server, bot_process(server, tmp_path / "hung.db") as bot:
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready([anna, ben])
        fault = server.fault("/callback|PATCH", hold=asyncio.Event())
        press = server.click(anna.user, anna.panel, label="Flip")
        await asyncio.wait_for(fault.reached.wait(), PATIENCE)
        assert await asyncio.wait_for(bot.stop(), PATIENCE) == 0
        assert press.id in journalled(bot.database), "what was pressed is kept"
        assert "Traceback" not in bot.output


TOLD_WHILE_CONNECTING = """
import os, signal, sys
from discord.gateway import DiscordWebSocket
from bot.cli.main import main

identify = DiscordWebSocket.identify

async def told(self):
    await identify(self)
    os.kill(os.getpid(), signal.SIGTERM)

DiscordWebSocket.identify = told
sys.exit(main())
"""


@pytest.mark.real("a signal that a process sends itself")
async def test_sigterm_in_the_very_moment_of_connecting_is_not_lost(tmp_path: Path) -> None:
    """Python 3.11's `wait_for`, in which discord.py connects, can swallow a cancellation."""
    program = ("-c", TOLD_WHILE_CONNECTING)
    async with Server() as server:
        with bot_not_started(server, tmp_path / "x.db", program) as bot:
            await bot.begin()
            async with asyncio.timeout(real.PATIENCE):
                assert await bot.ended() == 0
        assert len(server.gateway.identifies) == 1, "it was connecting"
        assert "Traceback" not in bot.output


async def test_presses_while_the_bot_stops_neither_fail_nor_end_their_table(
    tmp_path: Path,
) -> None:
    async with Server() as server, bot_process(server, tmp_path / "late.db") as bot:
        players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready(players)
        server.fault("/callback", latency=7.0)
        async with asyncio.TaskGroup() as group:
            stopping = group.create_task(bot.stop())
            while not stopping.done():
                for player in players:
                    server.click(player.user, player.panel, label="Flip")
                await asyncio.sleep(0.2)
        assert stopping.result() == 0
        assert "Traceback" not in bot.output
        server.faults.clear()
        server.gateway.enforce_identify = False
        await bot.start()
        for player in players:
            await server.wait_for(partial(is_back, player, "Ready"), PATIENCE)
        assert "Traceback" not in bot.output


async def test_a_process_that_stands_still_for_two_seconds_loses_no_press(
    tmp_path: Path,
) -> None:
    async with Server() as server, bot_process(server, tmp_path / "still.db") as bot:
        players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready(players)
        presses = [server.click(player.user, player.panel, label="Flip") for player in players]
        await bot.stand_still(2)
        for press in presses:
            answer = await press.wait()
            assert answer.ok
            assert press.id in journalled(bot.database)


@pytest.mark.real("another program that locks the file")
async def test_a_database_that_another_program_locks_for_six_seconds_loses_no_move(
    tmp_path: Path,
) -> None:
    """What is being written counts, though its answer is too late for Discord, and its panel shows
    it. What waited behind it could not be answered any more, and changes nothing.
    """
    async with Server() as server, bot_process(server, tmp_path / "locked.db") as bot:
        players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready(players)
        first, second = players
        shown = first.panel.text
        with closing(sqlite3.connect(bot.database, isolation_level=None)) as db:
            db.execute("BEGIN IMMEDIATE")
            written = server.click(first.user, first.panel, label="Flip")
            await asyncio.sleep(0.5)
            behind = server.click(second.user, second.panel, label="Flip")
            await asyncio.sleep(6)
            db.execute("ROLLBACK")
        await server.wait_for(partial(is_new, first, shown), real.PATIENCE)
        kept = journalled(bot.database)
        assert written.id in kept
        assert behind.id not in kept
        for player in players:
            answer = await player.press("Flip")
            assert answer.ok
        assert "Traceback" not in bot.output


async def test_stop_on_a_locked_database_takes_sixteen_seconds_at_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Service managers kill after 30 s. What was being written waits for the lock until then."""
    async with Server() as server, bot_process(server, tmp_path / "locked.db") as bot:
        loop, disk = asyncio.get_running_loop(), Disk()
        monkeypatch.setattr(mounted, "disk", disk)
        players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready(players)
        disk.locked_until = loop.time() + 60.0
        for player in players:
            _ = server.click(player.user, player.panel, label="Flip")
            await asyncio.sleep(0.2)
        began = loop.time()
        assert await bot.stop() == 0
        took = loop.time() - began
        assert 5.0 < took < 16.0, took
        assert "Traceback" not in bot.output


@pytest.mark.real("another program that locks the file")
async def test_stop_ends_on_a_database_that_stays_locked(tmp_path: Path) -> None:
    """It ends although the lock is never given back."""
    async with Server() as server, bot_process(server, tmp_path / "locked.db") as bot:
        players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready(players)
        with closing(sqlite3.connect(bot.database, isolation_level=None)) as db:
            db.execute("BEGIN IMMEDIATE")
            for player in players:
                _ = server.click(player.user, player.panel, label="Flip")
                await asyncio.sleep(0.2)
            assert await asyncio.wait_for(bot.stop(), real.PATIENCE) == 0
        assert "Traceback" not in bot.output
