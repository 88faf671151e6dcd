"""Any of the compared bots as a process, on a loopback Discord of its own."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.bench.compared import Bot
from tests.bench.crowd import BenchError
from tests.bench.standin import Server, Settings
from tests.forks import python
from tests.loopback.bots import BotProcess
from tests.real import PATIENCE

log = logging.getLogger(__name__)
IN_A_SERVER = 25


class Process(BotProcess):
    """A process of any of them."""

    async def start(self) -> None:
        """Return when it is connected and its commands are known. Raises BenchError with the end of
        its log when it has ended instead.
        """
        self.server.gateway.enforce_identify = False
        await self.begin()
        loop = asyncio.get_running_loop()
        ready = loop.create_task(self.server.wait_ready(PATIENCE, commands=True))
        ended = loop.create_task(self.ended())
        done, waiting = await asyncio.wait((ready, ended), return_when=asyncio.FIRST_COMPLETED)
        for one in waiting:
            one.cancel()
        if ready not in done:
            raise BenchError(f"{' '.join(self.program)} ended at its start: {self.output[-500:]}")
        await ready

    async def begin(self) -> None:
        """Start, and wait for nothing. What a process trusts is read when aiohttp is imported."""
        trusted = {"NODE_EXTRA_CA_CERTS": self.server.cert} if self.server.cert else {}
        place = {"DATABASE_PATH": str(self.database)}
        env = os.environ | self.server.env | trusted | place | self.env
        with self.log.open("ab") as log:
            if self.program[0] == "node":
                self._process = await asyncio.create_subprocess_exec(
                    *self.program, env=env, stdout=log, stderr=log
                )
            else:
                fresh = self.server.cert is not None
                self._process = await python(
                    *self.program, cwd=self.root, env=env, stdout=log, stderr=log, fresh=fresh
                )


@asynccontextmanager
async def running(
    bot: Bot, server: Server, database: Path, *, faces: bool = True, **env: str
) -> AsyncIterator[BotProcess]:
    """A bot that is connected. It trusts the server's certificate, where that has one. Calls to
    Discord take no time on the way. Without `faces` there is no room for emojis. Raises BenchError.
    """
    server.settings.rtt = 0.0
    if not faces:
        server.settings.most_emojis = 0
    process = Process(server, database, bot.command, bot.root, **bot.env, **env)
    await process.start()
    log.info("%s has started", bot.name)
    try:
        yield process
    finally:
        _ = await process.stop()


def discord(tables: int, *, tls: bool = False) -> Server:
    """A loopback Discord with a channel for each table."""
    settings = Settings(tls=tls, keep_interactions=20_000)
    return Server(guilds=-(-tables // IN_A_SERVER), channels=IN_A_SERVER, settings=settings)
