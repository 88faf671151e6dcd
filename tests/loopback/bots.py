"""The real bot against the loopback Discord: in this process, or as one of its own."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import discord
import yarl

from bot.app import App
from bot.demo.fakediscord import Server
from bot.store.database import opened
from bot.tables.clock import SystemClock
from bot.ui.client import Client

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 30.0
ROUND_TRIP = 0.1
"""Seconds from a request of the bot's to its answer, as it may be outside: half of it to Discord,
half back. People see and press what the bot has not heard of yet.
"""


class Here(NamedTuple):
    app: App
    client: Client


@asynccontextmanager
async def bot_here(
    server: Server, database: Path, *, faces: bool = False, rtt: float = ROUND_TRIP
) -> AsyncIterator[Here]:
    """The bot in this process, so that a test can look into its tables."""
    server.most_emojis, server.rtt = server.most_emojis if faces else 0, rtt
    route, gateway = discord.http.Route, discord.gateway.DiscordWebSocket
    real = route.BASE, gateway.DEFAULT_GATEWAY
    route.BASE, gateway.DEFAULT_GATEWAY = f"{server.url}/api/v10", yarl.URL(server.ws_url)
    db = await opened(database)
    app = App(db, SystemClock())
    try:
        async with Client(app) as client:
            running = asyncio.get_running_loop().create_task(client.start("a.b.c"))
            await server.wait_ready(PATIENCE, commands=True)
            yield Here(app, client)
            await client.close()
            with suppress(asyncio.CancelledError):
                await running
    finally:
        route.BASE, gateway.DEFAULT_GATEWAY = real
        await db.close()


class BotProcess:
    """`python -m bot`, unmodified, with a database that outlives it; or another `program`, or the
    bot of another checkout, whose `root` has the package `bot`.
    """

    def __init__(
        self,
        server: Server,
        database: Path,
        program: Sequence[str] = ("-m", "bot"),
        root: Path = ROOT,
        **env: str,
    ) -> None:
        self.server = server
        self.database = database
        self.program = program
        self.root = root
        self.env = env
        self.log = database.with_suffix(".log")
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        self.server.gateway.enforce_identify = False
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                *self.program,
                cwd=self.root,
                env={
                    **os.environ,
                    **self.server.env,
                    "DATABASE_PATH": str(self.database),
                    **self.env,
                },
                stdout=log,
                stderr=log,
            )
        await self.server.wait_ready(PATIENCE, commands=True)

    async def kill(self) -> None:
        """SIGKILL: no handler runs, nothing is flushed."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        await self._process.wait()
        await self.server.wait_for(lambda: not self.server.gateway.ready, PATIENCE)

    async def stop(self) -> int:
        """SIGTERM, and the exit code."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.terminate()
        return await self.ended()

    async def ended(self) -> int:
        """The exit code, when it has ended by itself."""
        assert self._process is not None
        return await self._process.wait()

    @property
    def memory(self) -> float:
        """MB that the process holds (its resident set)."""
        assert self._process is not None
        pages = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGESIZE") / 2**20

    async def says(self, words: str) -> None:
        """Wait for a line of the log."""
        async with asyncio.timeout(PATIENCE):
            while words not in self.output:  # noqa: ASYNC110 a file tells nobody
                await asyncio.sleep(0.1)

    @property
    def processor(self) -> float:
        """Seconds of processor time that all its threads have used."""
        assert self._process is not None
        threads = Path(f"/proc/{self._process.pid}/task").iterdir()
        return sum(int((one / "schedstat").read_text().split()[0]) for one in threads) / 1e9

    @property
    def output(self) -> str:
        return self.log.read_text()


@asynccontextmanager
async def bot_process(
    server: Server,
    database: Path,
    *,
    faces: bool = False,
    rtt: float = ROUND_TRIP,
    program: Sequence[str] = ("-m", "bot"),
    root: Path = ROOT,
    **env: str,
) -> AsyncIterator[BotProcess]:
    """`env`: the bot's settings beside its token and its database. Without `faces` there is no
    room for emojis, so what people see is words.
    """
    server.most_emojis, server.rtt = server.most_emojis if faces else 0, rtt
    bot = BotProcess(server, database, program, root, **env)
    await bot.start()
    try:
        yield bot
    finally:
        await bot.stop()
