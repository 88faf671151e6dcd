"""The bot as a process of a simulation, with everything that a real one can be asked."""

import asyncio
import gc
import logging
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import _lru_cache_wrapper
from pathlib import Path
from typing import Any

from bot.art.faces import faces
from bot.cli.online import ending
from bot.demo.discordpy import pointed_at
from bot.fakediscord import Server
from bot.ops.log.setup import FOREIGN, TEXT, TextFormatter
from tests.garbage import collect_rarely
from tests.loopback.processes import BotProcess
from tests.simulate.loop import VirtualLoop
from tests.simulate.owner import NOBODY, PROCESS
from tests.simulate.process import Process
from tests.soak import audit


class SimulatedBot(BotProcess):
    """One at a time: discord.py looks for Discord in one place."""

    def __init__(self, server: Server, database: Path, **env: str) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        self._loop = loop
        self.server = server
        folder = database.with_suffix("")
        folder.mkdir()
        given = {"DISCORD_TOKEN": server.env["DISCORD_TOKEN"], "BACKUPS_KEPT": "0", **env}
        settings: dict[str, Any] = {name.lower(): value for name, value in given.items()}
        self.process = Process(folder, **settings)
        self.process.drawings = faces
        if database.exists():
            shutil.copy(database, self.process.database)
        self.said = Output(loop)

    @property
    def database(self) -> Path:  # type: ignore[override] # the dead one holds the file it had
        """Where it is now: after a kill, in another place."""
        return self.process.database

    async def begin(self) -> None:
        self.process.start()

    async def kill(self) -> None:
        self.process.kill()
        await self._is_gone()

    async def stop(self) -> int:
        if self.process.is_running:
            await self.process.stop()
        return await self.ended()

    async def ended(self) -> int:
        error = await self.process.ended()
        if error is None:
            return 0
        problem, code = ending(error)
        self.said.lines.append(problem)
        return code

    async def stand_still(self, seconds: float) -> None:
        """The world stands still as well: what it has sent waits, and grows old."""
        self._loop.stand_still(seconds)

    @property
    def memory(self) -> float:
        """MB of the objects of the bot's own classes, without what they refer to, and without what
        caches keep: they fill slowly, and have an end.
        """
        gc.unfreeze()  # what is frozen is not among the objects
        for one in gc.get_objects():
            if isinstance(one, _lru_cache_wrapper) and _is_the_bots(one):
                one.cache_clear()
        gc.collect()
        weight = sum(sys.getsizeof(one) for one in gc.get_objects() if _is_the_bots(one))
        collect_rarely()
        return weight / 2**20

    def held(self, since: int = 0) -> list[audit.Held]:
        """Its tasks are counted here: the world's are in the same loop."""
        tasks = len(self._loop.tasks(self.process.number))
        return [(tables, tasks, presses) for tables, _, presses in super().held(since)]

    @property
    def output(self) -> str:
        return "".join(f"{line}\n" for line in self.said.lines)


def _is_the_bots(one: object) -> bool:
    """Not a library's, and not the stand-in's, which remembers every press."""
    kind = one if isinstance(one, _lru_cache_wrapper) else type(one)
    module = str(kind.__module__)
    return module.startswith("bot.") and not module.startswith("bot.fakediscord")


class Output(logging.Handler):
    """What simulated processes write, and what a loop says of tasks that belong to nobody."""

    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self.setFormatter(Stamped(loop))
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if PROCESS.get() != NOBODY or record.name == "asyncio":
            self.lines.append(self.format(record))


class Stamped(TextFormatter):
    """A line as `python -m bot` writes it, with simulated time."""

    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__(TEXT)
        self._loop = loop

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802 logging's own name
        record.created = self._loop.wall()
        return super().formatTime(record, datefmt)


@contextmanager
def simulated(server: Server, database: Path, **env: str) -> Iterator[SimulatedBot]:
    """A bot that is not started yet: within this its log is kept, and it finds this server."""
    bot, level = SimulatedBot(server, database, **env), env.get("LOG_LEVEL", "INFO")
    loggers = {logging.getLogger(name): logging.INFO for name in FOREIGN}
    loggers[logging.getLogger()] = logging.getLevelName(level)
    before = {one: one.level for one in loggers}
    for one, lowest in loggers.items():
        one.setLevel(lowest)
    logging.getLogger().addHandler(bot.said)
    try:
        with pointed_at(server.url, server.ws_url):
            yield bot
    finally:
        logging.getLogger().removeHandler(bot.said)
        for one, was in before.items():
            one.setLevel(was)
