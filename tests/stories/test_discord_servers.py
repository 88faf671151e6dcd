"""Servers that have the bot's commands and not the bot."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.stories.discord_world import COMMAND, Guild, Interaction, World, becomes, send, world

INVITE = "/oauth2/authorize"


async def typed(here: World, guild: Guild) -> Interaction:
    """Anna types /ligretto in the server's channel."""
    (channel,) = guild.channels.values()
    command = next(one for one in here.server.commands.values() if one["name"] == "ligretto")
    data = {"id": command["id"], "name": "ligretto", "type": 1, "options": []}
    return await send(here.server, here.server.user("anna"), channel, COMMAND, data).wait()


async def without_bot(here: World, permissions: int = 0) -> Guild:
    """A server whose gateway has never named it to the bot."""
    guild = here.server.add_guild("slash only", bot_perms=permissions)
    guild.bot_in = False
    await here.bot.stop()
    here.bot.start()
    await here.server.wait_ready()
    return guild


@pytest.mark.parametrize("sees", [False, True], ids=["no permissions", "permissions"])
async def test_command_in_a_server_without_the_bot(tmp_path: Path, sees: bool) -> None:  # noqa: FBT001
    """The answer is the link with which it is invited, whatever permissions Discord names."""
    async with world(tmp_path) as here:
        guild = await without_bot(here, (1 << 31) - 1 if sees else 0)
        answer = await typed(here, guild)
        assert answer.original is not None
        assert answer.original.ephemeral
        assert INVITE in answer.original.text, "no link to invite the bot"
        assert f"client_id={here.server.app_id}" in answer.original.text
        (channel,) = guild.channels.values()
        assert not here.server.public(channel), "a lobby that nobody can play in"


@pytest.mark.parametrize("how", [{"latency": 60.0}, {"status": 503}, {"drop": True}])
async def test_question_for_the_bot_is_answered_in_time(
    tmp_path: Path, how: dict[str, Any]
) -> None:
    """Where Discord doesn't say whether the bot is in a server, the command is answered."""
    async with world(tmp_path) as here:
        guild = await without_bot(here, (1 << 31) - 1)
        _ = here.server.fault("GET .*/guilds/[0-9]+$", **how)
        answer = await typed(here, guild)
        assert answer.ok
        assert not here.tracebacks


async def test_server_that_the_gateway_has_not_named_plays(tmp_path: Path) -> None:
    """An event that was lost makes nobody invite a bot that is there."""
    async with world(tmp_path) as here:
        guild = await without_bot(here, (1 << 31) - 1)
        guild.bot_in = True
        answer = await typed(here, guild)
        assert answer.original is not None
        assert INVITE not in answer.original.text
        (channel,) = guild.channels.values()
        assert here.server.public(channel), "no lobby"


@pytest.mark.parametrize(
    "how",
    [{"status": 500}, {"latency": 60.0}, {"status": 429, "body": "<html>"}, {"status": 401}],
    ids=str,
)
@pytest.mark.parametrize("after", [0.0, 60.0])
async def test_lobby_where_the_bot_is_not_closes_with_the_invitation(
    tmp_path: Path,
    how: dict[str, Any],
    after: float,
) -> None:
    """Discord says only with the first edit that the bot isn't in the server."""
    async with world(tmp_path) as here:
        server = here.server
        guild = await without_bot(here, (1 << 31) - 1)
        (channel,) = guild.channels.values()
        _ = server.fault("GET .*/guilds/[0-9]+$", **how)
        anna = server.user("anna")
        await asyncio.sleep(after)
        assert (await typed(here, guild)).ok

        def told() -> list[str]:
            return [one.text for one in server.panels(anna, channel) if INVITE in one.text]

        assert await becomes(server, told, 60)
        await asyncio.sleep(120)
        assert len(told()) == 1
        (lobby,) = server.public(channel)
        assert "The bot itself isn’t on this server." in lobby.text
        assert not any(item.label == "Join" for item in lobby.controls)
        refused = [one for one in here.log.lines if "forbidden" in one.text]
        assert not refused
        assert not here.tracebacks
        server.faults.clear()
        again = await typed(here, guild)
        assert again.original is not None
        assert INVITE in again.original.text


async def test_lobby_of_an_unnamed_server_that_has_the_bot_stays(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        guild = await without_bot(here, (1 << 31) - 1)
        guild.bot_in = True
        _ = here.server.fault("GET .*/guilds/[0-9]+$", status=500)
        assert (await typed(here, guild)).ok
        await asyncio.sleep(120)
        (channel,) = guild.channels.values()
        (lobby,) = here.server.public(channel)
        assert any(item.label == "Join" for item in lobby.controls)
        assert not here.tracebacks
