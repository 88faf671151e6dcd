"""A bot of two groups on one Discord and one Valkey, each with a file of its own."""

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.app import App
from bot.composition.leased import Leased
from bot.demo.discordpy import pointed_at
from bot.fakediscord import Channel, Server, User
from bot.groups.away import ValkeyAwayError
from bot.groups.layout import Layout, shard_of
from bot.groups.valkey import Valkey
from bot.ids import GuildId, UserId
from bot.store.database.file import open_database
from bot.ui.connection.client import Client
from tests.groups.ends import Server as ValkeyServer
from tests.loopback.bots import ROUND_TRIP, clock_here
from tests.real import PATIENCE

COUNT = 2
"""Shards of the bot: one for each group."""


@dataclass
class Running:
    """A group that runs."""

    app: App
    client: Client
    valkey: Valkey


class TwoGroups:
    """The bot. Group 1 has shard 0, and direct messages with it; group 2 has shard 1."""

    def __init__(self, discord: Server, server: ValkeyServer, folder: Path) -> None:
        self.discord = discord
        self.server = server
        self._folder = folder
        self._dies = False
        self._moved: dict[int, str] = {}
        self._stacks: dict[int, AsyncExitStack] = {}
        self.running: dict[int, Running] = {}
        self.channels = {number: self._channel(number - 1) for number in (1, 2)}

    def _channel(self, shard: int) -> Channel:
        """A channel of a server on this shard."""
        while True:
            guild = self.discord.add_guild("home")
            if shard_of(GuildId(guild.id), COUNT) == shard:
                return next(iter(guild.channels.values()))

    async def start(self, *numbers: int) -> None:
        for number in numbers or (1, 2):
            await self._start(number)

    async def _start(self, number: int) -> None:
        stack = self._stacks[number] = AsyncExitStack()
        layout, clock = Layout(COUNT, (number - 1,)), clock_here()
        way = Valkey(self.server.url, "1", clock)
        stack.push_async_callback(way.close)
        path = self._folder / f"{number}{self._moved.get(number, '')}.sqlite3"
        # An empty database stands for one that knows what groups it comes from.
        leased = Leased(way, layout, path, clock, takes_over=number in self._moved)
        db = await open_database(path)
        group = await leased.join(db)
        if number not in self._moved:
            assert group.number == number, "the first start was the first group's"
        app = App(db, clock, dict, group=group)
        client = await stack.enter_async_context(Client(app, layout))
        running = asyncio.get_running_loop().create_task(client.start("a.b.c"))

        async def ended() -> None:
            await client.close()
            with suppress(asyncio.CancelledError):
                await running
            if not self._dies:
                await leased.leave()
            await db.close()
            await (leased._tasks.stop() if self._dies else leased.release())

        stack.push_async_callback(ended)
        await client.wait_until_ready()
        leased.begun(app.writer)
        self.running[number] = Running(app, client, way)

    async def stop(self, number: int) -> None:
        del self.running[number]
        await self._stacks.pop(number).aclose()

    def move(self, number: int) -> None:
        """Give a group's shards to a new database, which has a new number."""
        self._moved[number] = "-new"

    def regroup(self, number: int) -> None:
        """Give a group's shards to a new file with its data, as a split or a merge does."""
        old = self._folder / f"{number}.sqlite3"
        self.move(number)
        new = old.with_name(f"{number}{self._moved[number]}.sqlite3")
        shutil.copy2(old, new)
        with closing(sqlite3.connect(new)) as db, db:
            db.execute("DELETE FROM own_group")

    def keep_copy(self, number: int) -> None:
        """Copy a group's file as it is now, for a start after a `move`."""
        source = self._folder / f"{number}.sqlite3"
        with (
            closing(sqlite3.connect(source)) as old,
            closing(sqlite3.connect(source.with_name(f"{number}-new.sqlite3"))) as new,
        ):
            old.backup(new)

    async def dies(self, number: int) -> None:
        """End a group so that the others take it for running, until its lease runs out."""
        self._dies = True
        try:
            await self.stop(number)
        finally:
            self._dies = False

    async def stop_all(self) -> None:
        for number in list(self.running):
            await self.stop(number)

    def app(self, number: int) -> App:
        return self.running[number].app

    def user(self, name: str) -> User:
        return self.discord.user(name)

    async def rows(self, number: int, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """What a group's file has."""
        reading = self.app(number).database.reading
        return [tuple(row) for row in await reading.execute_fetchall(sql, values)]

    async def until(self, fact: Callable[[], Awaitable[bool]]) -> None:
        """Wait for something that another group does in its time."""
        async with asyncio.timeout(PATIENCE):
            while not await fact():  # noqa: ASYNC110 another group tells nobody
                await asyncio.sleep(0.02)

    async def recorded(self, number: int) -> None:
        """Wait until a Valkey that was emptied knows a group again."""
        way = self.running[number].valkey

        async def is_known() -> bool:
            try:
                return bool(await way.ask(lambda db: db.exists(way.key("lease", number))))
            except ValkeyAwayError:
                return False

        await self.until(is_known)

    def is_plain(self, number: int, user: UserId) -> bool:
        running = self.app(number).running
        assert running is not None
        return user in running.context.plain


@asynccontextmanager
async def two_groups(server: ValkeyServer, folder: Path) -> AsyncIterator[TwoGroups]:
    """The bot, not started."""
    async with Server(channels=1) as discord:
        discord.gateway.enforce_identify = False
        discord.settings.most_emojis, discord.settings.rtt = 0, ROUND_TRIP
        with pointed_at(discord.url, discord.ws_url):
            bot = TwoGroups(discord, server, folder)
            try:
                yield bot
            finally:
                await bot.stop_all()
