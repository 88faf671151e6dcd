"""What an owner reads in the log after an evening: a page, without anybody's name."""

import asyncio
import logging
from pathlib import Path

import pytest

from bot.ui.toolkit.invitation import invite
from tests.stories.world import World, at_rest

NEW_SESSION = 4009
"""Discord's code for a session that has timed out: the next greeting is no new start."""
LISTED = 10.0
"""Seconds after a start in which Discord lists all servers."""


@pytest.fixture(autouse=True)
def _at_info(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "bot")


def own(world: World) -> list[str]:
    """Return the lines that are about tables, servers, the start and the end."""
    about = ("ready", "table", "arena", "server", "stopping", "database")
    return [line.text for line in world.log.lines if line.text.startswith(about)]


async def begun(world: World) -> None:
    """Start the bot, and wait until discord.py counts all servers as listed."""
    await world.start()
    await asyncio.sleep(LISTED)


async def test_evening_is_a_page_without_names(tmp_path: Path) -> None:
    async with at_rest(tmp_path) as world:
        await begun(world)
        people = await world.live("anna", "ben", rounds=1)
        await world.agreed(people)
        await world.server.gateway.faults.close(NEW_SESSION)
        await asyncio.sleep(60)
        guild = world.server.add_guild("The \u202eRed\nLions")
        await asyncio.sleep(1)
        world.server.kick_bot(guild)
        await asyncio.sleep(1)
        _ = await world.bot.stop()
        ready, ended, joined, left, stopping = own(world)
        channel = world.channel.id
        assert ready.startswith("ready: ligretto-bot "), ready
        assert "in 1 server, with 0 open tables; invite: " in ready
        assert ready.endswith(invite(world.server.app_id))
        assert ended.startswith(
            f"table 1 in channel {channel}: ligretto over after 1 round, 2 players, "
        )
        assert joined == f"server {guild.id} (The RedLions): the bot was added, now in 2 servers"
        assert left == f"server {guild.id}: the bot was removed, now in 1 server"
        assert stopping == "stopping (SIGTERM): 0 open tables to resume after the next start"
        assert not world.said(logging.WARNING)
        assert not [line for line in world.log.lines if "anna" in line.text or "ben " in line.text]


async def test_tables_that_go_on_are_counted_and_told_once(tmp_path: Path) -> None:
    """A match that had ended before a restart is not logged again, nor one of an older session."""
    async with at_rest(tmp_path, channels=2) as world:
        await begun(world)
        people = await world.live("anna", "ben", rounds=1)
        await world.agreed(people)
        other = [world.person(name, world.server.all_channels[1]) for name in ("cleo", "dan")]
        await other[0].open()
        _ = await world.bot.stop()
        assert own(world)[-1].startswith("stopping (SIGTERM): 1 open table to")
        world.log.lines.clear()
        await begun(world)
        assert "1 open table;" in own(world)[0]
        (guild,) = world.server.guilds.values()
        world.server.kick_bot(guild)  # closes both tables
        await asyncio.sleep(10)
        assert [line for line in own(world)[1:] if not line.startswith("server")] == []
