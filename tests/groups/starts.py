"""Groups of one bot in simulated time, as far as their leases go: no Discord, no tables."""

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path

from bot.groups.layout import Layout
from bot.groups.lease.holder import holder_of
from bot.groups.lease.joining import Join
from bot.groups.lease.lease import Lease
from bot.groups.lease.leases import Leases
from bot.groups.lease.own_group import OwnGroup
from bot.groups.valkey import Valkey
from bot.store.database.file import Database, open_database
from bot.store.groups.group_file import SqliteGroupFile
from tests.simulate.owner import PROCESS
from tests.simulate.process import VirtualClock
from tests.simulate.valkey import Valkey as StandIn


class Machine:
    """A folder with a database, and the process that has it open, one start after the other."""

    def __init__(self, server: StandIn, folder: Path, number: int) -> None:
        folder.mkdir()
        self.server = server
        self.number = number
        self.path = folder / "bot.db"
        self.clock = VirtualClock(server.loop)
        self.valkey: Valkey | None = None
        self.database: Database | None = None
        self.lease: Lease | None = None
        self._renewing: asyncio.Task[None] | None = None

    async def start(self, ids: str = "0", count: int = 4, *, takes_over: bool = False) -> OwnGroup:
        """Start a process, and let it renew its lease. Raises what `Join` raises."""
        layout = Layout(count, tuple(map(int, ids.split(","))))
        token = PROCESS.set(self.number)
        try:
            self.valkey = Valkey(self.server.url, "bot", self.clock)
            self.database = await open_database(self.path)
            file = SqliteGroupFile(self.database)
            leases = Leases(self.valkey, layout)
            holder = holder_of(self.path)
            try:
                own = await Join(self.path, file, holder, leases, self.clock, takes_over).run()
            except BaseException:
                await self.kill()
                raise
            self.lease = Lease(own, file, leases, self.clock)
            self._renewing = self.server.loop.create_task(self.lease.keep())
        finally:
            PROCESS.reset(token)
        return own

    async def kill(self) -> None:
        """End without a word to anybody."""
        if self._renewing is not None:
            self._renewing.cancel()
            await asyncio.wait((self._renewing,))
            self._renewing = None
        if self.valkey is not None and self.database is not None:
            await self.valkey.close()
            await self.database.close()
            self.valkey = self.database = None

    async def stop(self) -> None:
        """End in order."""
        assert self.lease is not None
        assert self._renewing is not None
        assert self.database is not None
        self._renewing.cancel()
        await asyncio.wait((self._renewing,))
        await self.lease.leave()
        await self.database.close()
        await self.lease.release()
        self.database = await open_database(self.path)  # for `kill`
        await self.kill()

    @contextmanager
    def changed(self) -> Iterator[sqlite3.Connection]:
        """Its database, to be changed while no process has it."""
        with closing(sqlite3.connect(self.path)) as db, db:
            yield db

    def lost(self) -> str | None:
        """Why its lease is lost; None if it isn't."""
        assert self.lease is not None
        return str(self.lease.lost) if self.lease.lost is not None else None


class Bot:
    """Valkey and the machines of one bot."""

    def __init__(self, server: StandIn, folder: Path) -> None:
        self.server = server
        self._folder = folder
        self._machines: list[Machine] = []

    def machine(self) -> Machine:
        number = len(self._machines) + 1
        one = Machine(self.server, self._folder / str(number), number)
        self._machines.append(one)
        return one

    def copied(self, source: Machine) -> Machine:
        """Another machine, with a copy of the whole folder as it is now."""
        one = self.machine()
        shutil.copytree(source.path.parent, one.path.parent, dirs_exist_ok=True)
        return one

    def say(self, *words: str) -> object:
        """What Valkey replies to a command."""
        reply = self.server.run([word.encode() for word in words])
        return reply.decode() if isinstance(reply, bytes) else reply

    def words(self, *words: str) -> list[str]:
        """What it replies to a command that asks for several."""
        reply = self.say(*words)
        assert isinstance(reply, list)
        return [one.decode() for one in reply]

    def members(self, key: str) -> list[int]:
        """The numbers in a set."""
        return [int(one) for one in self.words("SMEMBERS", f"ligretto:bot:{key}")]

    def has_lease(self, number: int) -> bool:
        return bool(self.say("EXISTS", f"ligretto:bot:lease:{number}"))

    async def restart_valkey(self, away: float = 0.0) -> None:
        """Kill it, and start it again after so many seconds, empty."""
        self.server.kill()
        await asyncio.sleep(away)
        await self.server.start()

    async def end(self) -> None:
        for one in self._machines:
            await one.kill()


@asynccontextmanager
async def bot_in(folder: Path) -> AsyncIterator[Bot]:
    """A bot whose Valkey has just been started, empty."""
    server = StandIn()
    await server.start()
    bot = Bot(server, folder)
    try:
        yield bot
    finally:
        await bot.end()
        assert not server.unknown
