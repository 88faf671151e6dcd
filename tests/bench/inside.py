"""`python -m tests.bench.inside`: what our own code costs, without sockets and threads.

The bot and Discord share a simulated loop, so nothing waits, and every run does the same. Only the
bot's steps are timed, or profiled with `--profile FILE`. Shares and ratios mean something, not
absolute figures: SQLite works in the loop, and the network is memory.
"""

import argparse
import asyncio
import cProfile
import gc
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import Context
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bot.fakediscord import Server
from tests.bench.people import flippers, live_tables
from tests.bench.sides import moves
from tests.loopback.bots import bot_process
from tests.simulate.loop import VirtualLoop
from tests.simulate.owner import NOBODY, PROCESS
from tests.soak.people import Table

WARM = 60.0
"""Simulated seconds in which everybody sits down."""
PACE = 2.5
PEOPLE = 4
IN_A_SERVER = 25


@dataclass
class Meter:
    """Nanoseconds in the bot's own steps, and how many there were, while it is on."""

    profile: cProfile.Profile | None = None
    spent: int = 0
    steps: int = 0
    is_on: bool = False
    _run: Any = field(default=asyncio.Handle._run)

    @contextmanager
    def around_steps(self) -> Iterator[None]:
        """Measure each step of a simulated process."""
        run, clock = self._run, time.thread_time_ns

        def measured(handle: asyncio.Handle) -> None:
            context: Context = handle._context  # type: ignore[attr-defined]
            if not self.is_on or context.get(PROCESS, NOBODY) == NOBODY:
                run(handle)
                return
            self.steps += 1
            if self.profile is not None:
                self.profile.enable()
                run(handle)
                self.profile.disable()
                return
            began = clock()
            run(handle)
            self.spent += clock() - began

        asyncio.Handle._run = measured  # type: ignore[assignment, method-assign]
        try:
            yield
        finally:
            asyncio.Handle._run = run  # type: ignore[method-assign]

    @contextmanager
    def on(self) -> Iterator[None]:
        gc.collect()
        gc.freeze()
        gc.disable()
        self.is_on = True
        try:
            yield
        finally:
            self.is_on = False
            gc.enable()


@dataclass(frozen=True, slots=True)
class Size:
    """Seconds of an evening, or so many presses one at a time, at so many tables."""

    is_evening: bool
    tables: int
    seconds: float
    presses: int


@dataclass(frozen=True, slots=True)
class Told:
    """What a measured time led to."""

    presses: int
    moves: int
    calls: Counter[str]


def _server(tables: int) -> Server:
    return Server(guilds=-(-tables // IN_A_SERVER), channels=IN_A_SERVER)


def _calls(server: Server) -> Counter[str]:
    return Counter(_kind(str(one[1]), str(one[2])) for one in server.calls)


def _kind(method: str, path: str) -> str:
    if path.endswith("/callback") or "/callback?" in path:
        return "callback"
    return f"{method} {path.strip('/').split('/')[0 if 'api' not in path else 2]}"


async def _evening(folder: Path, size: Size, meter: Meter) -> Told:
    over = False
    async with (
        _server(size.tables) as server,
        bot_process(server, folder / "x.db", faces=True) as bot,
    ):
        people = [Table(server, server.all_channels[n], PEOPLE, n) for n in range(size.tables)]
        loop = asyncio.get_running_loop()
        playing = [loop.create_task(one.play(lambda: over, PACE)) for one in people]
        await asyncio.sleep(WARM)
        before = sum(one.pressed for one in people), moves(bot.database), _calls(server)
        with meter.on():
            await asyncio.sleep(size.seconds)
        after = sum(one.pressed for one in people), moves(bot.database), _calls(server)
        over = True
        await asyncio.gather(*playing)
    return Told(after[0] - before[0], after[1] - before[1], after[2] - before[2])


async def _flips(folder: Path, size: Size, meter: Meter) -> Told:
    async with (
        _server(size.tables) as server,
        bot_process(server, folder / "x.db", faces=True) as bot,
    ):
        await asyncio.sleep(10)
        people = flippers(await live_tables(server, size.tables, 2))
        await asyncio.sleep(10)
        for one in people:
            _ = await one.press().wait()
        before = moves(bot.database), _calls(server)
        with meter.on():
            for number in range(size.presses):
                answer = await people[number % len(people)].press().wait()
                assert answer.ok
                await asyncio.sleep(0.02)
            await asyncio.sleep(3.0)
        after = moves(bot.database), _calls(server)
    return Told(size.presses, after[0] - before[0], after[1] - before[1])


def measured(folder: Path, size: Size, meter: Meter) -> Told:
    """Measure in a simulated loop of its own."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner, meter.around_steps():
        work = _evening if size.is_evening else _flips
        return runner.run(work(folder, size, meter))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.inside", description=__doc__)
    parser.add_argument("what", choices=("evening", "presses"))
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=240.0, help="of the evening")
    parser.add_argument("--presses", type=int, default=4000)
    parser.add_argument("--profile", type=Path, help="where cProfile's statistics go")
    asked = parser.parse_args()
    meter = Meter(cProfile.Profile() if asked.profile else None)
    size = Size(asked.what == "evening", asked.tables, asked.seconds, asked.presses)
    with TemporaryDirectory() as folder:
        told = measured(Path(folder), size, meter)
    if meter.profile is not None:
        meter.profile.dump_stats(asked.profile)
    sys.stdout.write(
        f"{asked.what}: {meter.spent / 1000 / told.presses:.0f} us and"
        f" {meter.steps / told.presses:.1f} steps a press, {told.presses} presses,"
        f" {told.moves} moves, {dict(told.calls)}\n"
    )


if __name__ == "__main__":
    main()
