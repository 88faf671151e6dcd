"""Two groups of one bot, in one process: each with its shard, its database and its servers."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.fakediscord import Channel, Server
from bot.groups.away import ValkeyAwayError
from bot.groups.group import Group
from bot.groups.layout import Layout, shard_of
from bot.groups.valkey import Valkey
from bot.ids import GuildId
from tests.groups.ends import Server as ValkeyServer
from tests.groups.ends import held
from tests.loopback.bots import Here, bot_here, clock_here
from tests.real import PATIENCE

FIRST, SECOND, THIRD = 3, 5, 9
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
        for one in (self.first.app.group, self.second.app.group):
            if one.number in groups:
                await held(replace(one, valkey=self.valkey))

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
async def discord_of() -> AsyncIterator[Server]:
    """A Discord with a server for each shard."""
    async with Server(guilds=SHARDS) as discord:
        discord.gateway.shards = SHARDS
        discord.gateway.enforce_identify = False
        yield discord


@dataclass(frozen=True)
class Place:
    """What all groups have in common. `still`: as in `Pair`."""

    discord: Server
    server: ValkeyServer
    folder: Path
    still: set[int] = field(default_factory=set)

    @asynccontextmanager
    async def group(
        self, own: int, *shards: int, file: int | None = None
    ) -> AsyncIterator[tuple[Here, Valkey]]:
        """Run a group, which holds its lease. `file`: the group whose database it has."""
        link = Valkey(self.server.url, "1", clock_here())
        group = Group(Layout(SHARDS, shards), own, link, is_sure=lambda: own not in self.still)
        path = self.folder / f"{file or own}.db"
        async with bot_here(self.discord, path, rtt=0.0, group=group) as here:
            async with asyncio.timeout(PATIENCE):
                await here.client.wait_until_ready()
            await held(group)
            yield here, link
        with suppress(ValkeyAwayError):
            await link.ask(lambda db: db.delete(link.key("lease", own)))
        await link.close()


@asynccontextmanager
async def pair(server: ValkeyServer, folder: Path) -> AsyncIterator[Pair]:
    """Both groups, running, with their leases."""
    async with discord_of() as discord:
        place = Place(discord, server, folder)
        async with (
            place.group(FIRST, 0) as (first, link),
            place.group(SECOND, 1) as (second, other),
        ):
            yield Pair(discord, link, other, first, second, place.still)
