"""Servers that have the bot's commands and not the bot."""

from pathlib import Path
from typing import Any

import pytest

from tests.stories.discord_world import COMMAND, Guild, Interaction, World, send, world

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
