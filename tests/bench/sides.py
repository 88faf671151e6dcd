"""Two bots with as many people each, ready to be pressed in turn."""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path

from tests.bench.crowd import Crowd, MiscountError
from tests.bench.people import Flipper, flippers, hitters, live_tables, shape
from tests.bench.standin import Server
from tests.loopback.bots import ROOT, BotProcess, bot_process
from tests.real import PATIENCE

BARE_BOT = ("-m", "tests.bench.bare")
IN_A_SERVER = 25
PEOPLE = 2
"""People at a table."""
SETTLED = 3.0
"""Seconds without a call to Discord after which a start is over."""
LOOK = 0.1


@dataclass(frozen=True, slots=True)
class Round:
    """What so many presses took: processor time in us per press, latencies in ms."""

    cost: float
    latencies: list[float]


@dataclass(frozen=True, slots=True)
class Side:
    """One bot, and everybody who presses on it."""

    server: Server
    bot: BotProcess
    crowd: Crowd

    async def round(self, count: int, at_once: int) -> Round:
        """Press so often. Raises RefusedError."""
        before = self.bot.processor
        latencies = await self.crowd.presses(count, at_once)
        return Round(1e6 * (self.bot.processor - before) / count, latencies)

    @property
    def is_ours(self) -> bool:
        """Whether it is the bot, of whatever commit, and not the bare one."""
        return self.bot.program != BARE_BOT

    @property
    def taken(self) -> int:
        """Presses that had an effect: moves in the journal, or what the bare bot's panels show."""
        return _moves(self.bot.database) if self.is_ours else self.crowd.shown

    def check(self) -> None:
        """Raise MiscountError unless as many presses were taken as were counted. A move is in the
        journal before its press is answered.
        """
        pressed, taken = self.crowd.pressed, self.taken
        if taken != pressed:
            where = f"in the journal of {self.bot.database}" if self.is_ours else "on the bare bot"
            raise MiscountError(
                f"{pressed:,} presses were counted, but there are {taken:,} moves {where}:"
                " these figures are worthless"
            )
        assert not self.server.unknown
        assert not self.server.crashes


@asynccontextmanager
async def both(
    folder: Path, tables: int, against: Path | None = None
) -> AsyncIterator[tuple[Side, Side]]:
    """Ours and the other bot: the bare one, or that of another checkout, `against`."""
    async with game_side(folder / "ours.db", tables) as ours:
        if against is not None:
            async with game_side(folder / "other.db", tables, against) as other:
                yield ours, other
            return
        flipper = ours.crowd.people[0]
        assert isinstance(flipper, Flipper)
        async with _bare_side(folder / "bare.db", tables, shape(flipper.panel)) as other:
            yield ours, other


@asynccontextmanager
async def game_side(
    database: Path, tables: int, root: Path = ROOT, *, faces: bool = True
) -> AsyncIterator[Side]:
    """The bot of this checkout or another with card tables in play. Its pictures are uploaded
    before anybody sits down, so that panels show them, unless there are no `faces`. Raises
    MiscountError at the end: `Side.check`.
    """
    async with (
        Server(guilds=-(-tables // IN_A_SERVER), channels=IN_A_SERVER) as server,
        bot_process(server, database, faces=faces, rtt=0.0, root=root) as bot,
    ):
        server.settings.keep_interactions = 20_000
        await settled(server)
        people = flippers(await live_tables(server, tables, PEOPLE))
        await settled(server)
        side = Side(server, bot, Crowd(people))
        yield side
        side.check()


@asynccontextmanager
async def _bare_side(database: Path, tables: int, seen: str) -> AsyncIterator[Side]:
    async with (
        Server(guilds=-(-tables // IN_A_SERVER), channels=IN_A_SERVER) as server,
        bot_process(server, database, program=BARE_BOT, SHAPE=seen, rtt=0.0) as bot,
    ):
        server.settings.keep_interactions = 20_000
        people = await hitters(server, PEOPLE * tables)
        await settled(server)
        side = Side(server, bot, Crowd(people))
        yield side
        side.check()


async def settled(server: Server) -> None:
    """Wait until the bot has left Discord alone for a while. Raises TimeoutError."""
    async with asyncio.timeout(PATIENCE):
        while time.perf_counter() - server.calls[-1][0] < SETTLED:  # noqa: ASYNC110 time passes
            await asyncio.sleep(LOOK)


def _moves(database: Path) -> int:
    """Count the moves in the journal of a bot of ours."""
    with closing(sqlite3.connect(database)) as db:
        return int(db.execute("SELECT count(*) FROM journal WHERE kind = 'Moved'").fetchone()[0])
