"""The files of an installation that was left, and the bot on a Discord in simulated time."""

import gzip
import json
import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import asdict, dataclass
from pathlib import Path

from bot.demo.discordpy import pointed_at
from bot.fakediscord import Server
from tests.living.world import World
from tests.simulate.process import Log, Process

MADE, WORLD, DATABASE = "made.json", "world.json.gz", "database.sql.gz"
STARTED = 60.0
"""Seconds within which a process takes commands."""
ROUND_TRIP = 0.1
"""Seconds from a request of the bot to its answer."""


@dataclass(frozen=True, slots=True)
class Left:
    """A table as it was left. `channel`: the id of the one it was opened in."""

    channel: int
    game: str
    state: str
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Made:
    """By which bot an installation was left, and when by the world's clock (Unix seconds)."""

    commit: str
    date: str
    schema: int
    ended: float
    tables: tuple[Left, ...]


@dataclass(frozen=True, slots=True)
class Files:
    """An installation: `database` is SQL."""

    made: Made
    world: World
    database: str

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        told = json.dumps(asdict(self.made), indent=1, ensure_ascii=False)
        (folder / MADE).write_text(f"{told}\n", encoding="utf-8")
        world = json.dumps(self.world, ensure_ascii=False, separators=(",", ":"))
        for name, text in ((WORLD, world), (DATABASE, self.database)):
            (folder / name).write_bytes(gzip.compress(text.encode(), mtime=0))


def read(folder: Path) -> Files:
    """Raises KeyError or TypeError for what no recorder has written."""
    made = json.loads((folder / MADE).read_text(encoding="utf-8"))
    tables = tuple(Left(**one | {"people": tuple(one["people"])}) for one in made["tables"])
    world, database = (gzip.decompress((folder / name).read_bytes()) for name in (WORLD, DATABASE))
    return Files(Made(**made | {"tables": tables}), json.loads(world), database.decode())


def dumped(database: Path) -> tuple[int, str]:
    """The schema's version, and SQL that makes the same file."""
    with closing(sqlite3.connect(database)) as db:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        return version, "\n".join([*db.iterdump(), f"PRAGMA user_version = {version};\n"])


@dataclass(frozen=True, slots=True)
class Installation:
    """A Discord, the bot that plays there, and what it has logged."""

    server: Server
    bot: Process
    log: Log

    async def start(self) -> None:
        """Wait until the bot takes commands. Raises what its start ended with."""
        self.bot.start()
        try:
            await self.server.wait_ready(STARTED, commands=True)
        except TimeoutError:
            if not self.bot.is_running and (error := await self.bot.ended()) is not None:
                raise error from None
            raise

    @property
    def surprises(self) -> list[str]:
        """What the bot or the stand-in didn't expect."""
        bad = [one for one in self.log.lines if one.trace or one.level >= logging.ERROR]
        said = [f"{one.text} {one.trace}" for one in bad]
        return [*said, *self.server.crashes, *self.server.unknown]


@asynccontextmanager
async def installed(server: Server, folder: Path, sql: str = "") -> AsyncIterator[Installation]:
    """An installation whose bot has not been started. `sql`: what is in its database."""
    log, root = Log(), logging.getLogger()
    server.settings.rtt, server.settings.most_emojis = ROUND_TRIP, 0
    server.gateway.enforce_identify = False
    root.addHandler(log)
    try:
        async with server:
            with pointed_at(server.url, server.ws_url):
                bot = Process(folder)
                with closing(sqlite3.connect(bot.database)) as db:
                    db.executescript(sql)
                try:
                    yield Installation(server, bot, log)
                finally:
                    if bot.is_running:
                        bot.kill()
    finally:
        root.removeHandler(log)
