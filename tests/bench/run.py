"""All that is measured, in parts that can be chosen."""

import gc
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench.commits import commits
from tests.bench.compared import OURS, Bot
from tests.bench.engine import engine
from tests.bench.evening import Length, evening
from tests.bench.figures import Row
from tests.bench.idle import idle
from tests.bench.many import many
from tests.bench.memory import flat
from tests.bench.presses import Effort, presses
from tests.bench.profile import profile
from tests.bench.rates import rates

COMPARED = ("presses", "evening", "idle")
"""The parts of the table that compares ours with other bots."""
PARTS = (*COMPARED, "rates", "memory", "many", "engine", "commits", "profile")


@dataclass(frozen=True, slots=True)
class Size:
    """How much is done for each part. Times in seconds, rates per second."""

    effort: Effort
    evening: Length
    seconds: float
    most: float
    servers: int
    presses: int
    tables: int
    rate: float
    playing: float
    rounds: int
    commits: tuple[int, ...]
    committing: float


FULL = Size(
    effort=Effort(together=2_000, alone=600, tables=200, rounds=5),
    evening=Length(tables=150, pace=2.5, warm=40.0, slice=10.0, rounds=5),
    seconds=2.5,
    most=5_000,
    servers=100,
    presses=200_000,
    tables=1_000,
    rate=200.0,
    playing=60.0,
    rounds=60,
    commits=(1, 10, 100, 1_000),
    committing=3.0,
)
SMALL = Size(
    effort=Effort(together=40, alone=20, tables=4, rounds=2, later=0.1),
    evening=Length(tables=2, pace=0.3, warm=2.0, slice=0.7, rounds=1),
    seconds=0.3,
    most=30,
    servers=3,
    presses=200,
    tables=6,
    rate=50.0,
    playing=1.0,
    rounds=1,
    commits=(1, 10),
    committing=0.2,
)


async def measured(
    folder: Path,
    size: Size,
    parts: Sequence[str],
    others: Sequence[Bot] = (),
    earlier: Sequence[Bot] = (),
) -> AsyncIterator[Row]:
    """The rows of these parts, one after the other: nothing is measured beside something else.

    `others`: bots that are compared with ours in `presses` and `idle`; `earlier`: ours in other
    commits, in all that compares. Raises BenchError when the figures of a part would be worth
    nothing.
    """
    gc.disable()  # a pause of those who press would be in the figures
    try:
        for part in parts:
            for row in await _part(folder, size, part, (others, earlier)):
                yield row
    finally:
        gc.enable()


async def _part(
    folder: Path, size: Size, part: str, bots: tuple[Sequence[Bot], Sequence[Bot]]
) -> list[Row]:
    gc.collect()
    gc.freeze()
    (folder := folder / part).mkdir()
    others, earlier = bots
    match part:
        case "presses":
            return await presses(folder, size.effort, (OURS, *earlier, *others))
        case "evening":
            return await evening(folder, size.evening, (OURS, *earlier))
        case "idle":
            return [await idle(folder, size.servers, (OURS, *earlier, *others))]
        case "rates":
            tables, rounds = size.effort.tables, size.effort.rounds
            return [await rates(folder, tables, rounds, size.seconds, size.most)]
        case "memory":
            return [await flat(folder, size.effort.tables, size.presses)]
        case "many":
            return await many(folder, size.tables, size.rate, size.playing)
        case "engine":
            return [engine(size.rounds)]
        case "profile":
            return await profile(folder, size.effort)
        case "commits":
            return await commits(folder, size.commits, size.committing)
        case _:
            raise ValueError(f"no such part: {part}")
