"""Bots with as many people each, ready to be pressed in turn."""

import asyncio
import json
import sqlite3
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path

from tests.bench.compared import OURS, Bot
from tests.bench.crowd import Crowd, MiscountError, RefusedError
from tests.bench.people import Flipper, Hitter, flippers, hitters, live_tables, shape
from tests.bench.running import discord, running
from tests.bench.standin import Server
from tests.loopback.bots import BotProcess
from tests.real import PATIENCE

PEOPLE = 2
"""People at a table."""
SETTLED = 3.0
"""Seconds without a call to Discord after which a start is over."""
LOOK = 0.1


@dataclass(frozen=True, slots=True)
class Round:
    """What so many presses took: processor time in us per press, of all threads of the bot's
    process (not of processes it started), and latencies in ms.
    """

    cost: float
    latencies: list[float]


@dataclass(frozen=True, slots=True)
class Side:
    """One bot, and everybody who presses on it."""

    bot: Bot
    server: Server
    process: BotProcess
    crowd: Crowd

    async def round(self, count: int, at_once: int, later: float) -> asyncio.Task[Round]:
        """Press so often. Raises RefusedError. What the bot puts off is a part of the cost, so the
        task that is returned reads it so many seconds `later`: nobody presses until then.
        """
        before = self.process.processor
        try:
            latencies = await self.crowd.presses(count, at_once)
        except RefusedError as error:
            raise RefusedError(f"{self.bot.name}: {error} {self.process.output[-500:]}") from None

        async def read() -> Round:
            await asyncio.sleep(later)
            return Round(1e6 * (self.process.processor - before) / count, latencies)

        return asyncio.get_running_loop().create_task(read())

    @property
    def taken(self) -> int:
        """Presses that had an effect: moves in the journal, or what the other bots' panels show."""
        return moves(self.process.database) if self.bot.is_ours else self.crowd.shown

    def check(self) -> None:
        """Raise MiscountError unless as many presses were taken as were counted. A move is in the
        journal before its press is answered.
        """
        pressed, taken = self.crowd.pressed, self.taken
        if taken != pressed:
            what = f"moves in the journal of {self.bot.name}"
            where = what if self.bot.is_ours else f"hits on {self.bot.name}"
            raise MiscountError(
                f"{pressed:,} presses were counted, but there are {taken:,} {where}:"
                " these figures are worthless"
            )
        assert not self.server.unknown
        assert not self.server.crashes


@asynccontextmanager
async def sides(
    folder: Path, tables: int, bots: Sequence[Bot], *, faces: bool = True, tls: bool = False
) -> AsyncIterator[list[Side]]:
    """All these bots, in that order, each on a loopback Discord of its own. Those that only echo
    show as much as a panel of one of ours before them. Ours show words without `faces`. Raises
    MiscountError at the end.
    """
    seen, started = "[]", list[Side]()
    async with AsyncExitStack() as stack:
        for number, bot in enumerate(bots):
            database = folder / f"{number}.db"
            if bot.is_ours:
                one = game_side(database, tables, bot, faces=faces, tls=tls)
            else:
                one = _echo_side(database, tables, bot, seen, tls=tls)
            started.append(side := await stack.enter_async_context(one))
            if isinstance(flipper := side.crowd.people[0], Flipper):
                seen = shape(flipper.panel)
        yield started


@asynccontextmanager
async def game_side(
    database: Path, tables: int, bot: Bot = OURS, *, faces: bool = True, tls: bool = False
) -> AsyncIterator[Side]:
    """Our bot with card tables in play. Its pictures are uploaded before anybody sits down, so that
    panels show them, unless there are no `faces`. Raises MiscountError at the end: `Side.check`.
    """
    async with (
        discord(tables, tls=tls) as server,
        running(bot, server, database, faces=faces) as process,
    ):
        await settled(server)
        people = flippers(await live_tables(server, tables, PEOPLE))
        await settled(server)
        side = Side(bot, server, process, Crowd(people))
        yield side
        side.check()


@asynccontextmanager
async def _echo_side(
    database: Path, tables: int, bot: Bot, seen: str, *, tls: bool
) -> AsyncIterator[Side]:
    async with (
        discord(tables, tls=tls) as server,
        running(bot, server, database, SHAPE=seen) as process,
    ):
        people = await hitters(server, PEOPLE * tables)
        side = Side(bot, server, process, Crowd(people))
        _same(bot, people, seen)
        yield side
        _same(bot, people, seen)
        side.check()


def _same(bot: Bot, people: Sequence[Hitter], seen: str) -> None:
    """Raise MiscountError unless every panel shows what one of ours does, and the hits below."""
    for one in people:
        if json.loads(shape(one.panel))[:-1] != json.loads(seen):
            raise MiscountError(f"{bot.name} does not show as much as a panel of ours: {one.panel}")


async def settled(server: Server) -> None:
    """Wait until the bot has left Discord alone for a while. Raises TimeoutError."""
    async with asyncio.timeout(PATIENCE):
        while time.perf_counter() - server.calls[-1][0] < SETTLED:  # noqa: ASYNC110 time passes
            await asyncio.sleep(LOOK)


def moves(database: Path) -> int:
    """Count the moves in the journal of a bot of ours."""
    with closing(sqlite3.connect(database)) as db:
        return int(db.execute("SELECT count(*) FROM journal WHERE kind = 'Moved'").fetchone()[0])
