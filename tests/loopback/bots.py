"""The real bot against the loopback Discord: as one of a test's own, or as a process.

In a test in simulated time a process is a simulated one (`tests.simulate`), otherwise a real one.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from bot.app import App
from bot.clock import Clock, SystemClock
from bot.composition.root import Running
from bot.demo.discordpy import pointed_at
from bot.fakediscord import Server
from bot.groups.group import ALONE, Group
from bot.store.database.file import open_database
from bot.ui.connection.client import Client
from tests.forks import ROOT
from tests.loopback.processes import BotProcess
from tests.loopback.simulated import simulated
from tests.simulate.loop import VirtualLoop
from tests.simulate.process import VirtualClock

__all__ = [
    "PATIENCE",
    "ROOT",
    "ROUND_TRIP",
    "BotProcess",
    "Here",
    "bot_here",
    "bot_not_started",
    "bot_process",
    "clock_here",
]
ROUND_TRIP = 0.1
"""Seconds from a request of the bot's to its answer, as it may be outside: half of it to Discord,
half back. People see and press what the bot has not heard of yet.
"""
PYTHON_M_BOT = ("-m", "bot")
PATIENCE = 120.0
"""Simulated seconds that anything may take. Where it is real, `tests.real` says how long."""


class Here(NamedTuple):
    app: App
    client: Client

    @property
    def running(self) -> Running:
        """What the bot has while it runs."""
        assert self.app.running is not None
        return self.app.running


@asynccontextmanager
async def bot_here(
    server: Server,
    database: Path,
    *,
    faces: bool = False,
    rtt: float = ROUND_TRIP,
    is_lean: bool = True,
    group: Group = ALONE,
) -> AsyncIterator[Here]:
    """The bot, or one group of it, as a part of the test, which can look into its tables."""
    server.settings.most_emojis, server.settings.rtt = (
        server.settings.most_emojis if faces else 0,
        rtt,
    )
    db = await open_database(database)
    app = App(db, clock_here(), group=group)
    try:
        with pointed_at(server.url, server.ws_url):
            async with Client(app, group.layout, is_lean=is_lean) as client:
                running = asyncio.get_running_loop().create_task(client.start("a.b.c"))
                await server.wait_ready(PATIENCE, commands=True)
                yield Here(app, client)
                await client.close()
                with suppress(asyncio.CancelledError):
                    await running
    finally:
        await db.close()


def clock_here() -> Clock:
    """The clock of the running loop."""
    loop = asyncio.get_running_loop()
    return VirtualClock(loop) if isinstance(loop, VirtualLoop) else SystemClock()


@asynccontextmanager
async def bot_process(
    server: Server,
    database: Path,
    *,
    faces: bool = False,
    rtt: float = ROUND_TRIP,
    program: Sequence[str] = PYTHON_M_BOT,
    root: Path = ROOT,
    **env: str,
) -> AsyncIterator[BotProcess]:
    """`env`: the bot's settings beside its token and its database. Without `faces` there is no
    room for emojis, so what people see is words.
    """
    server.settings.most_emojis, server.settings.rtt = (
        server.settings.most_emojis if faces else 0,
        rtt,
    )
    with bot_not_started(server, database, program, root, **env) as bot:
        await bot.start()
        try:
            yield bot
        finally:
            await bot.stop()


@contextmanager
def bot_not_started(
    server: Server,
    database: Path,
    program: Sequence[str] = PYTHON_M_BOT,
    root: Path = ROOT,
    **env: str,
) -> Iterator[BotProcess]:
    if not isinstance(asyncio.get_running_loop(), VirtualLoop):
        yield BotProcess(server, database, program, root, **env)
        return
    assert program == PYTHON_M_BOT, "another program is a real process: mark the test so"
    with simulated(server, database, **env) as bot:
        yield bot
