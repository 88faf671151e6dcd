"""Where the processor time of a press goes: samples of our process while it is pressed.

py-spy takes them. It is not a dependency of the project.
"""

import asyncio
import re
import shutil
import signal
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tests.bench.compared import OURS
from tests.bench.crowd import AT_ONCE, BenchError
from tests.bench.figures import Row
from tests.bench.presses import Effort
from tests.bench.sides import Side, sides

LOOP = "the event loop: sockets, and waking tasks"
PLACES = {
    "bot/ui/connection/lean_http/": "the lean client sends answers",
    "bot/ui/connection/": "around press and answer: payload, time limit, token",
    "bot/ui/render/": "screens are rendered and written as JSON",
    "bot/ui/presses/": "the press is told from others and handed on",
    "bot/ui/": "panels and table messages are kept up to date",
    "bot/games/": "the rules",
    "bot/tables/": "the table decides",
    "bot/store/": "the journal and the database",
    "bot/cli/": LOOP,
    "bot/__main__.py": LOOP,
    "bot/": "anything else of the bot",
    "aiosqlite/": "the journal and the database",
    "aiohttp/": "aiohttp: the gateway's websocket, and answers by aiohttp",
    "discord/": "discord.py: the gateway's events",
}
"""By where a file is: the innermost frame in one of these counts, under the first that fits."""
THREADS = "other threads, as a part of all processor time"
RATE = 500
"""Samples per second."""
FRAME = re.compile(r"\((?P<file>[^()]*?)(?::\d+)?\)$")


async def profile(folder: Path, effort: Effort) -> list[Row]:
    """Shares of the main thread, many at once and one at a time; then of the other threads, which
    work for SQLite, in all processor time. Raises BenchError without py-spy, or when it can't look
    into the process.
    """
    if (program := shutil.which("py-spy")) is None:
        raise BenchError("the profile is left out. To make it: pip install py-spy")
    async with sides(folder, effort.tables, (OURS,)) as (side,):
        many = await _sampled(program, folder / "many", side, effort, effort.together, AT_ONCE)
        alone = await _sampled(program, folder / "alone", side, effort, effort.alone, 1)
    places = sorted(many.places | alone.places, key=lambda place: -many.places[place])
    rows = [Row(one, "", f"{many.share(one):.0f} %; {alone.share(one):.0f} %") for one in places]
    return [*rows, Row(THREADS, "", f"{many.threads:.0f} %; {alone.threads:.0f} %")]


@dataclass(frozen=True, slots=True)
class Samples:
    """Samples of the main thread by place, and the other threads' part of all time, in percent."""

    places: Counter[str]
    threads: float

    def share(self, place: str) -> float:
        return 100 * self.places[place] / max(self.places.total(), 1)


async def _sampled(
    program: str, path: Path, side: Side, effort: Effort, count: int, at_once: int
) -> Samples:
    """Press for all rounds, and count the samples by place."""
    process = side.process
    command = (program, "record", "--pid", str(process.pid), "--rate", str(RATE))
    into = ("--format", "raw", "--output", str(path))
    with path.with_suffix(".log").open("ab") as log:
        sampling = await asyncio.create_subprocess_exec(
            *command, "--duration", "unlimited", *into, stdout=log, stderr=log
        )
        main, threads = process.main_thread, process.processor
        for _ in range(effort.rounds):
            _ = await (await side.round(count, at_once, 0.0))
        main, threads = process.main_thread - main, process.processor - threads
        if sampling.returncode is None:
            sampling.send_signal(signal.SIGINT)
        _ = await sampling.wait()
    return Samples(_counted(path), 100 * (1 - main / threads))


def _counted(path: Path) -> Counter[str]:
    """Samples by place. Raises BenchError with what py-spy says when there are none."""
    if not path.is_file():
        raise BenchError(f"py-spy: {path.with_suffix('.log').read_text()[-300:]}")
    counted = Counter[str]()
    for line in path.read_text().splitlines():
        stack, _, samples = line.rpartition(" ")
        if (place := place_of(stack.split(";"))) is not None:
            counted[place] += int(samples)
    return counted


def place_of(stack: list[str]) -> str | None:
    """The place of a stack, None outside the main thread. The outermost frame is the first, each as
    py-spy writes it: `name (file:line)`.
    """
    files = [found["file"] for frame in stack if (found := FRAME.search(frame))]
    if any(file.endswith("threading.py") for file in files[:2]):
        return None
    for file in reversed(files):
        for beginning, place in PLACES.items():
            if f"/{beginning}" in f"/{file}":
                return place
    return LOOP
