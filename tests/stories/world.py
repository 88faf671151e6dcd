"""What a story is played in: a Discord, one process of the bot, and people, in simulated time."""

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from bot.demo.discordpy import pointed_at
from bot.fakediscord import Channel, Interaction, Message, Server, Settings
from bot.ops.log.throttle import Throttle
from tests.loopback.players import Player, all_ready, labels, seated
from tests.simulate.process import Log, Process

__all__ = ["Channel", "Interaction", "Message", "Player", "Server", "World", "given", "labels"]

T = TypeVar("T")
ROUND_TRIP = 0.1
"""Seconds from a request of the bot's to its answer."""
STARTED = 30.0
"""Seconds within which a process is ready."""
LONG = 2.0
"""Seconds after which everything that a press leads to is on the screen."""


class NotPlayedError(Exception):
    """A story did not come to its point. That is never the failure that is expected of it."""


def given(fact: object, what: str) -> None:
    """What has to be true before a story's point can be looked at. Raises NotPlayedError."""
    if not fact:
        raise NotPlayedError(what)


async def prepared(work: Awaitable[T]) -> T:
    """Do what leads up to a story's point. Raises NotPlayedError for what goes wrong in it."""
    try:
        return await work
    except AssertionError as error:
        raise NotPlayedError(str(error)) from error


@dataclass(frozen=True)
class World:
    """A Discord and a process of the bot that plays there. `log`: what the process has said."""

    server: Server
    bot: Process
    log: Log

    @property
    def channel(self) -> Channel:
        """The first channel."""
        return self.server.all_channels[0]

    def person(self, name: str, channel: Channel | None = None) -> Player:
        return Player(self.server, self.server.user(name), channel or self.channel)

    async def start(self) -> None:
        """Start the process, and wait until it takes commands."""
        self.bot.start()
        await self.server.wait_ready(STARTED, commands=True)
        await asyncio.sleep(LONG)

    async def knows_its_channel(self) -> None:
        """Start the process again with a channel that is known to take whatever is sent."""
        assert self.channel.guild is not None
        _ = await self.bot.stop()
        self.change(
            "INSERT INTO paces (channel, guild, per_minute, is_limited) VALUES (?, ?, ?, 0)",
            self.channel.id,
            self.channel.guild.id,
            100.0,
        )
        await self.start()

    async def lobby(self, *names: str) -> list[Player]:
        """A lobby in the first channel. The first person is its host."""
        people = [self.person(name) for name in names]
        await prepared(people[0].open())
        for person in people[1:]:
            await prepared(person.press_public("Join"))
        await asyncio.sleep(LONG)
        return people

    async def match(self, *names: str, rounds: int = 3, game: str = "ligretto") -> list[Player]:
        """A match of these people in the first channel, before its first Ready."""
        people = await prepared(seated(self.server, self.channel, list(names), rounds, game))
        await asyncio.sleep(LONG)
        return people

    async def live(self, *names: str, rounds: int = 3, game: str = "ligretto") -> list[Player]:
        """A match of these people whose first round is live."""
        people = await self.match(*names, rounds=rounds, game=game)
        await prepared(all_ready(people))
        await asyncio.sleep(LONG)
        return people

    async def agreed(self, people: list[Player]) -> None:
        """End the round: everybody presses End round."""
        for person in people:
            await prepared(person.end_round())
        await asyncio.sleep(LONG)

    @property
    def public(self) -> Message:
        """The newest public message in the first channel: the table's."""
        return self.server.public(self.channel)[-1]

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """What the bot's database has."""
        with closing(sqlite3.connect(self.bot.database)) as db:
            return db.execute(sql, values).fetchall()

    def change(self, sql: str, *values: object) -> None:
        """Write into the bot's database from outside."""
        with closing(sqlite3.connect(self.bot.database)) as db, db:
            db.execute(sql, values)

    def said(self, level: int = logging.WARNING) -> list[str]:
        """The lines of the log at this level or above."""
        return [line.text for line in self.log.lines if line.level >= level]


@asynccontextmanager
async def at_rest(
    folder: Path,
    record: Path | None = None,
    *,
    channels: int = 1,
    seed: int = 1,
    **settings: object,
) -> AsyncIterator[World]:
    """A world whose bot has not been started, and makes daily backups only where a story asks for
    some: they cost as much as the start. `settings`: fields of `bot.settings.config.Config`.

    `record`: a file that gets every call to Discord, and every event.
    """
    log, root = Log(), logging.getLogger()
    log.addFilter(Throttle(asyncio.get_running_loop().time))
    root.addHandler(log)
    try:
        there = Server(channels=channels, settings=Settings(rtt=ROUND_TRIP), record=record)
        async with there as server:
            server.gateway.enforce_identify = False
            server.settings.most_emojis = 0
            with pointed_at(server.url, server.ws_url):
                bot = Process(folder, seed, **{"backups_kept": 0, **settings})
                world = World(server, bot, log)
                try:
                    yield world
                finally:
                    await _ended(world.bot)
    finally:
        root.removeHandler(log)


async def _ended(bot: Process) -> None:
    """Stop a process; one that does not listen is killed."""
    if bot.is_running:
        try:
            async with asyncio.timeout(STARTED):
                await bot.stop()
        except TimeoutError:
            bot.kill()


@asynccontextmanager
async def running(
    folder: Path, *, channels: int = 1, seed: int = 1, **settings: object
) -> AsyncIterator[World]:
    """A world in which the bot takes commands. Backups are made only where they are asked for."""
    chosen = {"backups_kept": 0} | settings
    async with at_rest(folder, None, channels=channels, seed=seed, **chosen) as world:
        await world.start()
        yield world
