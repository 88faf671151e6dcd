"""Groups of one bot as real processes, on one Discord and one Valkey."""

import asyncio
import shutil
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from redis.asyncio import Redis

from bot.fakediscord import Server as Discord
from bot.groups.lease.holder import holder_of
from bot.groups.lease.own_group import OwnGroup
from bot.store.database.file import open_database
from bot.store.groups.group_file import SqliteGroupFile
from tests import valkey
from tests.loopback.processes import BotProcess
from tests.real import PATIENCE

PREFIX = "ligretto:MTIz:"
TOKEN = "MTIz.fake.token"  # noqa: S105 nobody's
READY = ": ready as group "


class GroupProcess(BotProcess):
    """`python -m bot` with some of the bot's shards, and perhaps further words.

    `number`: that of its group if it has been given one, as at the start of a new Valkey.
    """

    def __init__(
        self,
        discord: Discord,
        url: str,
        database: Path,
        ids: str,
        count: int = 1,
        number: int | None = None,
    ) -> None:
        self.number = number
        super().__init__(
            discord,
            database,
            DISCORD_TOKEN=TOKEN,
            SHARD_COUNT=str(count),
            SHARD_IDS=ids,
            VALKEY_URL=url,
            BACKUPS_KEPT="0",
        )

    async def run(self, *words: str) -> None:
        """Start with these words behind `python -m bot`, and wait until it is ready."""
        before = self.output.count(READY) if self.log.exists() else 0
        await self.begin(*words)
        async with asyncio.timeout(PATIENCE):
            while self.output.count(READY) == before:
                assert self.is_running, self.output
                await asyncio.sleep(0.05)

    async def begin(self, *words: str) -> None:
        """Start with these words. A new file has a number, so that it waits for no lost ones."""
        if self.number is not None and not self.database.exists():
            database = await open_database(self.database)
            await SqliteGroupFile(database).keep(
                OwnGroup(self.number, holder=holder_of(self.database))
            )
            await database.close()
        self.program = ("-m", "bot", *words)
        await super().begin()

    async def refused(self, *words: str) -> tuple[int, str]:
        """Start it, and return the exit code and the last line."""
        await self.begin(*words)
        return await self.last_words()

    async def last_words(self) -> tuple[int, str]:
        """Wait for the end; the exit code and the last line."""
        code = await self.ended()
        return code, self.output.splitlines()[-1]

    async def kill(self) -> None:
        """SIGKILL. Others may still be connected."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        await self._process.wait()

    def send(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    async def until(self, condition: Callable[[], Awaitable[object]]) -> None:
        """Wait for something that tells nobody."""
        async with asyncio.timeout(PATIENCE):
            while not await condition():  # noqa: ASYNC110 it tells nobody
                await asyncio.sleep(0.1)

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.returncode is None


class Groups:
    """A Discord, a Valkey, and what runs on them."""

    def __init__(self, discord: Discord, server: valkey.Server, folder: Path) -> None:
        self.discord = discord
        self.valkey = server
        self._folder = folder
        self._processes: list[GroupProcess] = []

    def process(self, name: str, ids: str, count: int = 1) -> GroupProcess:
        """A process that hasn't started, with a database of that name."""
        database, number = self._folder / name / "bot.db", len(self._processes) + 1
        one = GroupProcess(self.discord, self.valkey.url, database, ids, count, number)
        one.database.parent.mkdir(exist_ok=True)
        self._processes.append(one)
        return one

    @asynccontextmanager
    async def asked(self, password: str | None = None) -> AsyncIterator[Redis]:
        """Valkey, to look into it."""
        db = Redis.from_url(self.valkey.url, password=password, decode_responses=True, protocol=2)
        try:
            yield db
        finally:
            await db.aclose()

    async def have_run_before(self) -> None:
        """Valkey is not new: no start has to wait for groups that put back what it lost."""
        async with self.asked() as db:
            await db.sadd(PREFIX + "groups", 0)

    async def later(self, *names: str) -> None:
        """Let these keys, and all turns to identify, be of long ago."""
        async with self.asked() as db:
            turns = [key async for key in db.scan_iter(PREFIX + "identify:*")]
            await db.delete(PREFIX + "-", *turns, *(PREFIX + name for name in names))

    def copied(self, source: GroupProcess, name: str) -> GroupProcess:
        """Another process with the same settings, and a copy of its files as they are now."""
        one = self.process(name, source.env["SHARD_IDS"], int(source.env["SHARD_COUNT"]))
        for place in source.database.parent.glob("bot.db*"):
            shutil.copy2(place, one.database.with_name(place.name))
        return one

    async def end(self) -> None:
        """Kill what still runs."""
        for one in self._processes:
            if one.is_running:
                await one.kill()
