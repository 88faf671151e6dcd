"""All that is proved, one after the other, on one fleet."""

import asyncio
import gc
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench.figures import Row
from tests.groups.proof.cost import Effort, cost
from tests.groups.proof.fleet import Fleet, Size, fleet
from tests.groups.proof.moving import killed, moved
from tests.groups.proof.play import Play, playing
from tests.groups.proof.trouble import cut_off, started_twice, valkey_killed

MOST = 50
"""Calls of a bot that Discord takes in a second (PLATFORM 4)."""
SOON = 10.0
"""Seconds in which a group that was stopped is back elsewhere."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is done. `tables`: of each group. `quiet`: seconds of play before and after the
    troubles; `away`: those for which Valkey is missed; `kills`: of one group. Without `effort`
    nothing is timed.
    """

    size: Size
    tables: int
    pace: float
    quiet: float
    away: float
    kills: int
    effort: Effort | None = None


FULL = Scale(Size(4, 2, 10_000), 15, 1.2, 30.0, 10.0, 5, Effort(20, 30.0, 10.0, 3))
SMALL = Scale(Size(2, 2, 12), 1, 0.4, 3.0, 8.0, 1)


async def proved(folder: Path, scale: Scale) -> AsyncIterator[Row]:
    """Each row as soon as it is known. Nothing is collected meanwhile: a look through 10,000
    servers would stop this Discord for half a second, and what waited would arrive at once.
    """
    async with fleet(folder, scale.size) as there:
        with _uncollected():
            async for row in _proved(there, scale):
                yield row


async def _proved(there: Fleet, scale: Scale) -> AsyncIterator[Row]:
    size = scale.size
    yield Row(
        f"{size.groups} groups with {size.shards} shards and {size.servers:,} servers start",
        "",
        f"all are ready after {there.started:.1f} s",
    )
    yield await started_twice(there, there.members[0])
    if scale.effort is not None:
        yield await cost(there, scale.effort)
    taken = scale.effort.tables if scale.effort is not None else 0
    async with playing(there, scale.tables, scale.pace, taken) as play:
        async for row in _troubled(there, play, scale):
            yield row
    yield _in_order(play)
    yield _calls(play)


@contextmanager
def _uncollected() -> Iterator[None]:
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


async def _troubled(there: Fleet, play: Play, scale: Scale) -> AsyncIterator[Row]:
    first, *_, last = there.members
    await asyncio.sleep(scale.quiet)
    yield await valkey_killed(play, scale.away)
    yield await cut_off(play, last, scale.away)
    for row in await killed(play, last, there.folder, scale.quiet / 3, scale.kills):
        yield row
    yield await moved(play, first, SOON if scale.effort else None)
    await asyncio.sleep(scale.quiet)


def _in_order(play: Play) -> Row:
    pressed, found, handed = play.presses(), play.inversions(), play.handed_over()
    return Row(
        "presses accepted before an earlier one at their table",
        "0",
        f"{found} of {len(play.shown):,} moves, in {len(pressed):,} presses; "
        f"{handed:,} of them were handed over",
        found == 0 and handed > 0,
    )


def _calls(play: Play) -> Row:
    most, refused = play.most_calls(), play.fleet.discord.ratelimited
    return Row(
        "most calls in a second over all groups",
        f"at most {MOST}, none refused",
        f"{most}, {refused} answered with 429",
        most <= MOST and refused == 0,
    )
