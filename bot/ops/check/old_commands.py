"""Commands that an earlier bot of the same application has left in servers.

This bot has the same commands everywhere. A server's own stay until somebody deletes them: then
people see `/ligretto` twice, or a command that nobody answers.
"""

import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

import discord
from discord import app_commands

from bot.ids import GuildId
from bot.ui.connection.client import Client
from bot.ui.limits.answers import reading

ENOUGH = 30.0
"""Seconds after which a check stops looking at servers."""


@dataclass(frozen=True, slots=True)
class Leftover:
    """A server and what it has, as people type or choose it."""

    guild: GuildId
    server: str
    commands: tuple[str, ...]

    def __str__(self) -> str:
        return f"{', '.join(self.commands)} in {self.server}"


@dataclass(frozen=True, slots=True)
class Found:
    """The findings of a check, and the number of servers it has not looked at."""

    leftovers: tuple[Leftover, ...]
    unseen: int = 0


async def looked_for(client: Client) -> Found:
    """Look at servers one by one, for a while: the running bot has the same limits."""
    began, found = time.monotonic(), list[Leftover]()
    guilds = await _servers(client)
    for seen, guild in enumerate(guilds):
        if time.monotonic() - began > ENOUGH:
            return Found((*found,), len(guilds) - seen)
        found += [one async for one in _in(client, guild)]
    return Found((*found,))


async def remove_leftovers(client: Client, tell: Callable[[Leftover], None]) -> int:
    """Remove them from every server, and report each. Return the number of servers with some.

    Raises `bot.ui.limits.errors.FAILURES`; those reported until then are gone.
    """
    count = 0
    for guild in await _servers(client):
        async for one in _in(client, guild):
            with reading():
                await client.tree.sync(guild=discord.Object(one.guild))
            tell(one)
            count += 1
    return count


async def _servers(client: Client) -> list[discord.Guild]:
    with reading():
        return [guild async for guild in client.fetch_guilds(limit=None, with_counts=False)]


async def _in(client: Client, guild: discord.Guild) -> AsyncIterator[Leftover]:
    """Yield the commands of one server, if it has some.

    A server that Discord won't talk about has none.
    """
    try:
        with reading():
            commands = await client.tree.fetch_commands(guild=guild)
    except (discord.Forbidden, discord.NotFound):
        return
    if commands:
        yield Leftover(GuildId(guild.id), guild.name, tuple(map(_typed, commands)))


def _typed(command: app_commands.AppCommand) -> str:
    slash = command.type is discord.AppCommandType.chat_input
    return f"/{command.name}" if slash else f'"{command.name}"'
