"""The bot itself, the same as in production, and its restarts."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot.app import App
from bot.clock import SystemClock
from bot.demo.backend.world import GUILD, DemoWorld
from bot.fakediscord import Channel
from bot.ids import ChannelId
from bot.store.database.file import Database, open_database
from bot.tables.state.session import Session
from bot.ui.connection.client import Client

log = logging.getLogger(__name__)

TOKEN = "demo.demo.demo"  # noqa: S105 the stand-in takes any
GRACE = 3.0
"""Seconds the bot may take to stop on its own."""
UNLIMITED = 120.0
"""Calls a minute that the stand-in takes for a channel's panels, and more."""
DOWN = 2.0
"""The shortest restart in seconds, long enough for people to see its effects."""


@asynccontextmanager
async def _opened(path: Path) -> AsyncIterator[Database]:
    """Open the database. Cancelling this waits for the opening, so nothing is left half open."""
    opening = asyncio.get_running_loop().create_task(open_database(path))
    try:
        yield await asyncio.shield(opening)
    finally:
        database = await opening
        await database.close()


async def _bot(app: App) -> None:
    async with Client(app) as client:
        await client.start(TOKEN)


async def _patiently(work: Coroutine[Any, Any, None]) -> None:
    """Run the work. When cancelled, cancel it twice, and wait up to GRACE seconds after each."""
    task = asyncio.get_running_loop().create_task(work)
    try:
        await asyncio.shield(task)
    finally:
        task.cancel()
        await asyncio.wait({task}, timeout=GRACE)
        task.cancel()
        await asyncio.wait({task}, timeout=GRACE)


class BotRunner:
    """The runner of the bot on one database. It restarts the bot on request."""

    def __init__(self, world: DemoWorld, path: Path) -> None:
        self._world = world
        self._path = path
        self._again = asyncio.Event()
        self._app: App | None = None

    def session(self, where: Channel) -> Session | None:
        """Return the state of the table in a place. None without one, and while the bot is down."""
        table = self._app.tables.index.at(ChannelId(where.id)) if self._app is not None else None
        return table.session if table is not None and table.session.closed is None else None

    def restart(self) -> None:
        self._again.set()

    async def prepare(self) -> None:
        """Delete what only an earlier stand-in knows: commands, emojis, and the tokens of panels.

        The stand-in limits no channel, and panels needn't find that out in their first minute.
        Raises the error that keeps the database from being used.
        """
        async with _opened(self._path) as database:
            for known in ("notes", "panels", "arena_panels"):
                await database.writing.execute(f"DELETE FROM {known}")  # noqa: S608 as listed
            await database.writing.execute(
                "INSERT OR REPLACE INTO paces (channel, guild, per_minute, is_limited)"
                " VALUES (?, ?, ?, 0)",
                (GUILD, GUILD, UNLIMITED),
            )

    async def run(self) -> None:
        while True:
            self._again.clear()
            async with asyncio.TaskGroup() as group:
                bot = group.create_task(self._live(), name="bot")
                await self._again.wait()
                bot.cancel()
            await asyncio.sleep(self._pause())

    async def _live(self) -> None:
        try:
            async with _opened(self._path) as database:
                self._app = App(database, SystemClock())
                await _patiently(_bot(self._app))
        except Exception:
            log.exception("demo bot stopped by an error; restart it from the page's menu")
        finally:
            self._app = None

    def _pause(self) -> float:
        """Return the seconds to wait: the gateway refuses connections less than 5 s apart."""
        gateway = self._world.server.gateway
        identified = max((at for at, _ in gateway.identifies), default=0.0)
        return max(DOWN, identified + gateway.identify_interval - time.perf_counter())
