"""A Discord with many servers, a Valkey, and the groups of one bot as processes."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from bot.fakediscord import Channel, Server, Settings
from bot.groups.layout import Layout, in_short
from bot.ids import GuildId
from tests import valkey
from tests.groups.processes import GroupProcess, Groups
from tests.groups.proof.proxy import Proxy

REMEMBERED = 2_000_000
"""Presses and calls that are kept until the end."""


@dataclass(frozen=True, slots=True)
class Size:
    """`each`: shards of a group. `servers`: of all groups together."""

    groups: int
    each: int
    servers: int

    @property
    def shards(self) -> int:
        return self.groups * self.each


@dataclass(slots=True)
class Member:
    """A group: where it runs now, and its own way to Valkey."""

    layout: Layout
    process: GroupProcess
    proxy: Proxy

    def channels(self, server: Server, count: int) -> list[Channel]:
        """Channels of so many of its servers."""
        return [one for one in server.all_channels if self.owns(one)][:count]

    def owns(self, channel: Channel) -> bool:
        guild = channel.guild_id
        return guild is not None and self.layout.owns(GuildId(guild))


@dataclass(frozen=True, slots=True)
class Fleet:
    """Everything that runs. `started`: seconds until all groups were ready."""

    discord: Server
    valkey: valkey.Server
    members: list[Member]
    folder: Path
    started: float = 0.0

    def elsewhere(self, member: Member, name: str) -> GroupProcess:
        """The same group as a process that hasn't started, with a database in another folder."""
        return _process(self, member.layout, member.proxy, name)

    def owner(self, channel: Channel) -> Member:
        return next(one for one in self.members if one.owns(channel))


@asynccontextmanager
async def fleet(folder: Path, size: Size) -> AsyncIterator[Fleet]:
    """All groups of that size, ready."""
    settings = Settings(keep_interactions=REMEMBERED, keep_calls=REMEMBERED, most_emojis=0)
    server = valkey.Server(folder)
    await server.start()
    async with (
        Server(guilds=size.servers, settings=settings) as discord,
        AsyncExitStack() as stack,
    ):
        stack.callback(server.kill)
        discord.gateway.shards = size.shards
        discord.gateway.enforce_identify = False
        await Groups(discord, server, folder).have_run_before()
        there = Fleet(discord, server, [], folder)
        for number in range(size.groups):
            ids = tuple(range(number * size.each, (number + 1) * size.each))
            layout = Layout(size.shards, ids)
            proxy = await stack.enter_async_context(Proxy(server.port))
            process = _process(there, layout, proxy, f"group{number}")
            process.number = number + 1
            there.members.append(Member(layout, process, proxy))
        stack.push_async_callback(_end, there)
        began = time.perf_counter()
        await asyncio.gather(*(one.process.run() for one in there.members))
        yield replace(there, started=time.perf_counter() - began)
        assert not discord.unknown
        assert not discord.crashes


def _process(there: Fleet, layout: Layout, proxy: Proxy, name: str) -> GroupProcess:
    database = there.folder / name / "bot.db"
    database.parent.mkdir(exist_ok=True)
    ids, count = in_short(layout.ids), layout.count or 1
    return GroupProcess(there.discord, proxy.url, database, ids, count)


async def _end(there: Fleet) -> None:
    for one in there.members:
        if one.process.is_running:
            await one.process.kill()
