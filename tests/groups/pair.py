"""Two groups of one bot, in one process: each with its shard, its database and its servers."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bot.fakediscord import Channel, Server
from bot.groups.group import Group
from bot.groups.layout import Layout, shard_of
from bot.groups.valkey import Commands, Valkey
from bot.ids import GuildId
from tests.groups.ends import Server as ValkeyServer
from tests.loopback.bots import Here, bot_here, clock_here
from tests.real import PATIENCE

FIRST, SECOND = 3, 5
"""The groups' numbers. The first has shard 0, to which direct messages come."""
SHARDS = 2


@dataclass(frozen=True)
class Pair:
    """One Discord with two servers, and a group for each.

    `lobby`: the second group's channel. `valkey`: the first group's link.
    `still`: the groups whose process stood still, so that they may have been started elsewhere.
    """

    discord: Server
    valkey: Valkey
    second_valkey: Valkey
    first: Here
    second: Here
    still: set[int]

    @property
    def lobby(self) -> Channel:
        return channel_of(self.discord, 1)

    async def holds(self, *groups: int) -> None:
        """Have these groups hold their leases, as running ones do."""
        for one in groups:
            await self.valkey.ask(partial(_set, self.valkey.key("lease", one)))

    async def is_gone(self, group: int) -> None:
        """Let a group's lease run out."""
        await self.valkey.ask(lambda db: db.delete(self.valkey.key("lease", group)))


def channel_of(discord: Server, shard: int) -> Channel:
    """Return the channel of the server that a shard has."""
    return next(
        one
        for one in discord.all_channels
        if one.guild is not None and shard_of(GuildId(one.guild.id), SHARDS) == shard
    )


@asynccontextmanager
async def group_of(
    discord: Server, server: ValkeyServer, folder: Path, own: int, shard: int, still: set[int]
) -> AsyncIterator[tuple[Here, Valkey]]:
    """One group with one shard."""
    link = Valkey(server.url, "1", clock_here())
    group = Group(Layout(SHARDS, (shard,)), own, link, is_sure=lambda: own not in still)
    async with bot_here(discord, folder / f"{own}.db", rtt=0.0, group=group) as here:
        async with asyncio.timeout(PATIENCE):
            await here.client.wait_until_ready()
        yield here, link
    await link.close()


@asynccontextmanager
async def pair(server: ValkeyServer, folder: Path) -> AsyncIterator[Pair]:
    """Both groups, running, with their leases."""
    still = set[int]()
    async with Server(guilds=SHARDS) as discord:
        discord.gateway.shards = SHARDS
        discord.gateway.enforce_identify = False
        async with (
            group_of(discord, server, folder, FIRST, 0, still) as (first, link),
            group_of(discord, server, folder, SECOND, 1, still) as (second, other),
        ):
            there = Pair(discord, link, other, first, second, still)
            await there.holds(FIRST, SECOND)
            yield there


async def _set(key: str, db: Commands) -> None:
    await db.set(key, "held")
