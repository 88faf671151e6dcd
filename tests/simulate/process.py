"""The bot as a process of a simulation: started, told to stop, killed, and started again."""

import asyncio
import contextvars
import copy
import itertools
import logging
import random
import shutil
import signal
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from bot.art.drawing import Drawing
from bot.clock import Awake, Bell, nap
from bot.composition.core import CHAIN
from bot.ops.log.setup import TextFormatter
from bot.process import Surroundings, run
from bot.settings.config import Config
from bot.ui.watch.drawing_process import DrawingRun
from bot.watch.messages import answered
from tests.simulate import sqlite
from tests.simulate.loop import VirtualLoop
from tests.simulate.owner import NOBODY, PROCESS
from tests.simulate.power import PowerSupply

TOKEN = "a.b.c"  # noqa: S105 the stand-in takes any
DATABASE = "ligretto.sqlite3"
T = TypeVar("T")
_NUMBERS = itertools.count(1)


def entropy(seed: int) -> Callable[[int], bytes]:
    """Return a source of bytes. Dailies have one of their own, so that no deal depends on them."""
    deals, dailies = random.Random(seed), random.Random(f"dailies {seed}")
    return lambda size: (dailies if size == CHAIN else deals).randbytes(size)


class VirtualClock:
    """The clock that a process reads. `skew`: seconds by which its wall clock is wrong.

    `asleep`: seconds for which its machine was, and which its monotonic clock lacks.
    """

    def __init__(self, loop: VirtualLoop) -> None:
        self._loop = loop
        self._awake = Awake()
        self.skew = self.asleep = 0.0

    def now(self) -> float:
        return self._loop.time()

    def awake(self) -> float:
        return self._awake.of(self.now())

    def since_boot(self) -> float:
        return self.now() + self.asleep

    def wall(self) -> float:
        return self._loop.wall() + self.skew

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def nap(self, seconds: float, bell: Bell) -> None:
        await nap(seconds, bell)

    async def park(self, awaitable: Awaitable[T], reason: str) -> T:
        return await awaitable


@dataclass(frozen=True, slots=True)
class Said:
    """A line of a process's log."""

    process: int
    at: float
    level: int
    name: str
    text: str
    trace: str = ""


@dataclass
class Log(logging.Handler):
    """Everything that simulated processes write to their logs."""

    lines: list[Said] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def __hash__(self) -> int:
        return id(self)

    def emit(self, record: logging.LogRecord) -> None:
        loop = asyncio.get_running_loop()
        if isinstance(loop, VirtualLoop) and loop.has_graves and _of_garbage(record):
            return
        if (process := PROCESS.get()) != NOBODY:
            trace = TextFormatter().formatException(record.exc_info) if record.exc_info else ""
            at = loop.time()
            self.lines.append(
                Said(process, at, record.levelno, record.name, record.getMessage(), trace)
            )


def _of_garbage(record: logging.LogRecord) -> bool:
    """Whether something was never closed. A killed process closes nothing, and Python finds what it
    has left in another one's time.
    """
    return record.name == "asyncio" and record.getMessage().startswith("Unclosed ")


class Process:
    """`python -m bot` on a database of its own, in simulated time.

    Each start continues with the files as the last end left them. `folder` is where they are
    now: after a kill it is another one, since the dead process still holds the old one.
    `takes_over`: the next start has `--take-over`.
    """

    def __init__(self, folder: Path, seed: int = 0, **settings: Any) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        self._loop = loop
        self._home = folder
        self._lives = 0
        self.settings = settings
        self._running: asyncio.Task[None] | None = None
        self.folder = folder / "0"
        self.folder.mkdir()
        self.clock = VirtualClock(loop)
        self.power: PowerSupply | None = None
        self.takes_over = False
        self.entropy = entropy(seed)
        self.drawings: Callable[[], Mapping[str, Drawing]] = dict
        self.number = NOBODY

    @property
    def database(self) -> Path:
        return self.folder / DATABASE

    @property
    def is_running(self) -> bool:
        return self._running is not None and not self._running.done()

    def start(self) -> None:
        """Returns at once; the process is somewhere in its start."""
        assert not self.is_running
        self.number = next(_NUMBERS)
        config = _config(**self.settings)
        if "database_path" not in self.settings:
            config = config.model_copy(update={"database_path": self.database})
        around = Surroundings(self.clock, self.entropy, self.drawings, _drawn_here, _nothing)
        context = contextvars.copy_context()
        context.run(PROCESS.set, self.number)
        # discord.py keeps locks in it, one for all: a killed process would hold them for ever.
        context.run(async_context.set, AsyncWebhookAdapter())  # type: ignore[no-untyped-call]
        work = run(config, around, takes_over=self.takes_over)
        self._running = context.run(
            self._loop.create_task, self._main(work), name=f"process {self.number}"
        )

    async def _main(self, work: Coroutine[Any, Any, None]) -> None:
        """At the end every other task of the process is cancelled, as `asyncio.run` does it, and
        nothing of it ever runs again. One that ends by itself has closed its connections.
        """
        this, number = asyncio.current_task(), self.number
        try:
            await work
            left = self._loop.network.open_connections.get(number, 0)
            assert not left, f"{left} connections are left"
        finally:
            others = [task for task in self._loop.tasks(number) if task is not this]
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            self._loop.kill(number)

    async def ended(self) -> BaseException | None:
        """Wait for its end; what it ended with, None for exit code 0."""
        assert self._running is not None
        await asyncio.wait((self._running,))
        return self._running.exception()

    async def stop(self) -> BaseException | None:
        """SIGTERM, and wait for the end. One that has not come so far is killed by it."""
        if self.is_running and not self._loop.handles(self.number, signal.SIGTERM):
            self.kill()
            return None
        self._loop.signal(self.number, signal.SIGTERM)
        return await self.ended()

    def kill(self, power_cut: random.Random | None = None) -> None:
        """SIGKILL: the files are as the system has them at this instant. With a power cut, as the
        disk has them: `power_cut` decides what of the last writes is there.
        """
        self._loop.kill(self.number)
        self._running = None
        self._moves(power_cut)
        sqlite.abandon(self.number)

    def stand_still(self) -> None:
        """SIGSTOP: nothing of it runs until `go_on`, and time passes."""
        self._loop.stop_process(self.number)

    def go_on(self) -> None:
        self._loop.resume_process(self.number)

    def left_running(self) -> "Process":
        """Return what runs now as a process of its own. This one isn't started any more, on a copy
        of the files that are there now.
        """
        other = copy.copy(self)
        self._running = None
        self._moves(None)
        return other

    def left_behind(self) -> "Process":
        """Return a process on the files as they are now, which another machine has."""
        (home := self._home / f"left behind {self._lives}").mkdir()
        other = Process(home, **self.settings)
        _moved(self.folder, other.folder)
        return other

    def replace_file(self, database: bytes) -> None:
        """Go on with another file, as a machine does that has an older copy of it."""
        for old in self.folder.glob(f"{DATABASE}*"):
            old.unlink()
        self.database.write_bytes(database)

    def _moves(self, power_cut: random.Random | None) -> None:
        self._lives += 1
        old, self.folder = self.folder, self._home / str(self._lives)
        _moved(old, self.folder, "*-shm", "*.lock")
        if power_cut is not None:
            assert self.power is not None
            self.power.cut(old, self.folder, power_cut)


def _moved(old: Path, new: Path, *but: str) -> None:
    """Copy a folder that stands for the same one: what says where it is keeps its file."""
    shutil.copytree(old, new, ignore=shutil.ignore_patterns(*but), dirs_exist_ok=True)
    for place in old.glob("*.holder"):
        (new / place.name).unlink()
        (new / place.name).hardlink_to(place)


@cache
def _config(**settings: Any) -> Config:
    """What is the same at each start of a process, and of all that are started alike."""
    given: dict[str, Any] = {"_env_file": None, "discord_token": TOKEN}
    return Config(**given | settings)


def _drawn_here(_run: DrawingRun, request: bytes) -> bytes:
    """A moving picture is drawn at once, without a process of its own."""
    return answered(request)


def _nothing() -> None:
    """What a start has built is left to Python: the machine's processes have one heap here."""
