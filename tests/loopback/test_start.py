"""Starting and stopping the process: what ends it, and with which code."""

from pathlib import Path
from typing import Any

import pytest

from bot.fakediscord import Server, Settings
from tests.loopback.bots import PATIENCE, bot_here, bot_not_started, bot_process
from tests.loopback.players import Player, seated


async def test_a_token_that_discord_does_not_take(tmp_path: Path) -> None:
    async with Server(settings=Settings(token="the.right.one")) as server:
        wrong: dict[str, Any] = {"DISCORD_TOKEN": "the.wrong.one"}
        with bot_not_started(server, tmp_path / "start.db", **wrong) as bot:
            await bot.begin()
            assert await bot.ended() == 2
        assert "DISCORD_TOKEN: Discord rejected this token" in bot.output
        assert "the.wrong.one" not in bot.output


async def test_a_second_process_on_one_database_is_refused(tmp_path: Path) -> None:
    async with Server() as server, bot_process(server, tmp_path / "one.db") as bot:
        same: dict[str, Any] = {"DATABASE_PATH": str(bot.database)}
        with bot_not_started(server, tmp_path / "two.db", **same) as second:
            await second.begin()
            assert await second.ended() == 2
        assert "another process is already using" in second.output
        assert len(server.gateway.identifies) == 1


async def test_a_stop_leaves_tables_that_go_on(tmp_path: Path) -> None:
    """SIGTERM ends with code 0; commands are told to Discord once, not at each start."""
    async with Server() as server, bot_process(server, tmp_path / "stop.db") as bot:
        players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        assert await bot.stop() == 0
        await server.wait_for(lambda: not server.gateway.ready, PATIENCE)
        await bot.start()
        for player in players:
            _ = await player.press("Ready")
        await players[1].sees("Flip")
        assert server.statuses["PUT /applications/#/commands", 200] == 1
        assert "the.fake" not in bot.output
        assert "MTIz" not in bot.output, "the token is never logged"


@pytest.mark.real("the heap of a process of its own, and an exit code that the system gives")
async def test_what_a_start_has_built_is_looked_through_no_more(tmp_path: Path) -> None:
    database = tmp_path / "built.db"
    async with Server() as server, bot_process(server, database, LOG_LEVEL="DEBUG") as bot:
        await bot.says("objects exempt")
        assert await bot.stop() == 0


async def test_the_client_keeps_connections_warm_and_little_else(tmp_path: Path) -> None:
    async with Server() as server, bot_here(server, tmp_path / "warm.db") as here:
        connector = here.client.http.connector
        assert connector.limit == 0
        assert connector._keepalive_timeout == 120
        assert here.client.intents.value == 1, "guilds, and no privileged intent"
        assert here.client._connection._messages is None
        anna = Player(server, server.user("anna"), server.all_channels[0])
        _ = await anna.open()
        for _ in range(3):
            _ = await anna.press_public("Join")
        store = here.client._connection._view_store
        assert not store._views, "discord.py keeps nothing of a view"
        assert not store._synced_message_views
