"""Servers that have the bot's commands and not the bot."""

from pathlib import Path

import pytest

from tests.stories.discord_world import COMMAND, send, world

INVITE = "/oauth2/authorize"


@pytest.mark.parametrize("sees", [False, True], ids=["no permissions", "permissions"])
@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="in a server without the bot user, nobody is told how to invite it",
)
async def test_command_in_a_server_without_the_bot(tmp_path: Path, sees: bool) -> None:  # noqa: FBT001
    """Today: it asks for permissions that nobody can give to it, or, where Discord names enough of
    them, opens a lobby that is dead at once. It should give the link with which it is invited.
    """
    async with world(tmp_path) as here:
        server = here.server
        guild = server.add_guild("slash only", bot_perms=(1 << 31) - 1 if sees else 0)
        guild.bot_in = False
        await here.bot.stop()
        here.bot.start()
        await server.wait_ready()
        (channel,) = guild.channels.values()
        data = {"id": next(iter(server.commands)), "name": "ligretto", "type": 1, "options": []}
        answer = await send(server, server.user("anna"), channel, COMMAND, data).wait()
        assert answer.original is not None
        assert INVITE in answer.original.text, "no link to invite the bot"
        assert not server.public(channel), "a lobby that nobody can play in"
