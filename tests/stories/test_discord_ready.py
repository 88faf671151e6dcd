"""Discord greets the bot late, or not with everything that it is owed."""

import asyncio
from pathlib import Path

import pytest

from bot.fakediscord.gateway.payloads import ready_payload
from bot.ops.login import AwayError
from bot.ui.connection.gateway.watchdog import AWAY_FOR
from tests.stories.discord_world import Player, World, becomes, world

READY = "bot.fakediscord.gateway.gateway.ready_payload"


async def with_lobby(here: World) -> Player:
    """Anna's lobby is open, and the bot has stopped."""
    anna = Player(here.server, here.server.user("anna"), here.server.all_channels[0])
    _ = await anna.open()
    assert await here.bot.stop() is None
    return anna


async def goes_on(here: World, anna: Player) -> None:
    """The lobby is there, and its buttons work."""
    assert here.bot.is_running
    answer = await anna.press_public("Add robot")
    assert answer.ok
    assert await becomes(here.server, lambda: "Robot 1" in anna.public.text, 10)
    assert not here.tracebacks


async def test_greeting_of_no_servers_ends_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord is asked about each server with a table before that is taken for left."""
    async with world(tmp_path) as here:
        anna = await with_lobby(here)
        monkeypatch.setattr(READY, lambda *given: ready_payload(*given) | {"guilds": []})
        (guild,) = here.server.guilds.values()
        guild.unavailable = True
        here.bot.start()
        assert await becomes(here.server, lambda: here.server.gateway.ready, 10)
        await asyncio.sleep(10)
        await goes_on(here, anna)


async def test_servers_that_stay_out_end_no_table(tmp_path: Path) -> None:
    """A server that is only announced plays: presses need nothing of it."""
    async with world(tmp_path) as here:
        anna = await with_lobby(here)
        (guild,) = here.server.guilds.values()
        guild.unavailable = True
        here.bot.start()
        assert await becomes(here.server, lambda: here.server.gateway.ready, 10)
        await asyncio.sleep(120)
        await goes_on(here, anna)


async def test_late_greeting_is_waited_for(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        anna = await with_lobby(here)
        here.bot.start()
        assert await becomes(here.server, lambda: here.server.gateway.conns, 10)
        here.server.gateway.faults.pause()
        await asyncio.sleep(60)
        here.server.gateway.faults.pause(on=False)
        await asyncio.sleep(10)
        await goes_on(here, anna)


async def test_greeting_that_never_comes_ends_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection alone is none: after an hour another start is better than more patience."""
    async with world(tmp_path) as here:
        await here.bot.stop()
        monkeypatch.setattr("bot.fakediscord.gateway.connection.Session.push", lambda *_: None)
        here.bot.start()
        async with asyncio.timeout(2 * AWAY_FOR):
            assert isinstance(await here.bot.ended(), AwayError)
