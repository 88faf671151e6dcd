"""Many tables of four people at the pace of a chat: everything pushed and drawn, as it is.

Two commits are compared in slices of one run: the people of one bot wait while those of the other
play.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench.compared import OURS, Bot
from tests.bench.crowd import RefusedError
from tests.bench.figures import Row, compared, share, spread
from tests.bench.running import discord, running
from tests.bench.sides import moves
from tests.bench.standin import Server
from tests.loopback.bots import BotProcess
from tests.loopback.players import Player
from tests.soak.people import Table

log = logging.getLogger(__name__)
PEOPLE = 4
RAMP = 2.5
"""A slice is measured this many paces after it began: all of them are pressing again then."""
DRAIN = 1.0
"""Seconds after a slice in which answers still come."""
LOST = 0.01
"""The run is thrown away when a larger part of the presses was not answered."""
MOST_MS, LEAST_TABLES, HALF = 100.0, 400, 0.5


@dataclass(frozen=True, slots=True)
class Length:
    """Seconds an action takes people (`pace`), until all tables are in play (`warm`), and of each
    measured slice; how many slices each bot has.
    """

    tables: int
    pace: float
    warm: float
    slice: float
    rounds: int


@dataclass(frozen=True, slots=True)
class Slice:
    """What happened in one: latencies in ms, of which those not answered are infinite; seconds of
    processor time; moves in the journal; answers with 429.
    """

    seconds: float
    processor: float
    waits: list[float]
    moves: int
    limited: int

    @property
    def answered(self) -> int:
        return sum(wait < float("inf") for wait in self.waits)

    @property
    def cost(self) -> float:
        """Processor time in us per answered press."""
        return 1e6 * self.processor / self.answered

    @property
    def core(self) -> float:
        """The share of a core that the bot used."""
        return self.processor / self.seconds

    @property
    def lost(self) -> int:
        return len(self.waits) - self.answered

    def check(self, name: str) -> None:
        """Raise RefusedError when too many presses were lost, or there was none."""
        if not self.answered or self.lost > LOST * len(self.waits):
            told = f"{self.lost} of {len(self.waits)} presses of an evening were not answered"
            raise RefusedError(f"{name}: {told}")


class PausedTable(Table):
    """People who stop pressing while their evening is paused."""

    def __init__(self, server: Server, number: int, evening: "Evening") -> None:
        super().__init__(server, server.all_channels[number], PEOPLE, number)
        self._evening = evening

    async def _press(self, player: Player) -> bool:
        if not self._evening.going.is_set():
            await self._evening.going.wait()
            await asyncio.sleep(self._evening.pace * self.chance.random())  # not all at once
            return True
        return await super()._press(player)


class Evening:
    """One bot, and everybody who plays on it while it is `going`."""

    def __init__(self, bot: Bot, server: Server, process: BotProcess, length: Length) -> None:
        self.bot, self.pace = bot, length.pace
        self.going = asyncio.Event()
        self._server, self._process = server, process
        self._tables = [PausedTable(server, number, self) for number in range(length.tables)]

    async def play(self, until: Callable[[], bool]) -> None:
        _ = await asyncio.gather(*(table.play(until, self.pace) for table in self._tables))

    async def slice(self, seconds: float) -> Slice:
        """Let them play for so long, and measure it. Raises RefusedError."""
        self.going.set()
        await asyncio.sleep(RAMP * self.pace)
        before, began = self._counts(), time.perf_counter()
        await asyncio.sleep(seconds)
        after, ended = self._counts(), time.perf_counter()
        self.going.clear()
        await asyncio.sleep(DRAIN)
        pressed = [one for one in self._server.tokens.values() if began <= one.created < ended]
        waits = [1000 * (one.latency or float("inf")) for one in pressed]
        processor, moved, limited = (new - old for new, old in zip(after, before, strict=True))
        measured = Slice(ended - began, processor, waits, int(moved), int(limited))
        measured.check(self.bot.name)
        return measured

    def _counts(self) -> tuple[float, int, int]:
        process = self._process
        return process.processor, moves(process.database), self._server.ratelimited


async def evening(folder: Path, length: Length, bots: Sequence[Bot]) -> list[Row]:
    """The rows of ours, and of those of other commits. Raises RefusedError."""
    over = False
    async with AsyncExitStack() as stack:
        started = [
            await stack.enter_async_context(_started(folder / f"{number}.db", bot, length))
            for number, bot in enumerate(bots)
        ]
        playing = asyncio.gather(*(one.play(lambda: over) for one in started))
        for one in started:
            one.going.set()
        await asyncio.sleep(length.warm)
        for one in started:
            one.going.clear()
        slices: dict[str, list[Slice]] = {one.bot.name: [] for one in started}
        for _ in range(length.rounds):
            for one in started:
                slices[one.bot.name].append(await one.slice(length.slice))
                log.info("a slice of the evening: %s", one.bot.name)
        over = True
        for one in started:
            one.going.set()
        _ = await playing
    return _rows(length.tables, slices)


@asynccontextmanager
async def _started(database: Path, bot: Bot, length: Length) -> AsyncIterator[Evening]:
    async with discord(length.tables) as server, running(bot, server, database) as process:
        yield Evening(bot, server, process, length)
        assert not server.crashes


def _rows(tables: int, slices: dict[str, list[Slice]]) -> list[Row]:
    others = [name for name in slices if name != OURS.name]
    costs = {name: [one.cost for one in mine] for name, mine in slices.items()}
    held = {name: [tables / one.core for one in mine] for name, mine in slices.items()}
    told = {name: _latencies(mine) for name, mine in slices.items()}
    waits = [wait for one in slices[OURS.name] for wait in one.waits]
    p95 = share(waits, 0.95)
    within = held[OURS.name]
    return [
        compared(
            f"processor time per press, {tables} live tables of four people",
            dict.fromkeys(others, HALF),
            costs,
            "us",
        ),
        Row(
            "live tables of four people within one core, by processor time",
            f"at least {LEAST_TABLES}",
            spread(within),
            sorted(within)[len(within) // 2] >= LEAST_TABLES,
            {name: spread(held[name]) for name in others},
        ),
        Row(
            f"latency, {tables} live tables of four people",
            f"p95 under {MOST_MS:.0f} ms",
            told[OURS.name],
            p95 < MOST_MS,
            {name: told[name] for name in others},
        ),
    ]


def _latencies(slices: Sequence[Slice]) -> str:
    waits = [wait for one in slices for wait in one.waits]
    seconds = sum(one.seconds for one in slices)
    moved = sum(one.moves for one in slices)
    core = sum(one.processor for one in slices) / seconds
    return (
        f"p95 {share(waits, 0.95):.0f} ms, median {share(waits, 0.5):.1f} ms,"
        f" {len(waits) / seconds:.0f} presses per second, {100 * moved / len(waits):.0f} % of them"
        f" moves, {100 * core:.0f} % of a core, {sum(one.limited for one in slices)} x 429,"
        f" {sum(one.lost for one in slices)} lost"
    )
