"""Presses on ours and on another bot in turn, round by round: processor time and latency."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.bench.crowd import AT_ONCE
from tests.bench.figures import Row, by_rounds, share
from tests.bench.sides import Round, Side, both

WARM = 5
"""A part of a round, one in so many presses, goes before the first and is not measured."""
SAME = 1.05
"""What a change of ours may cost, as a ratio to the bot of another checkout."""


@dataclass(frozen=True, slots=True)
class Effort:
    """Presses per bot and round, by many people at once and one at a time; tables of each bot."""

    together: int
    alone: int
    tables: int
    rounds: int


class Goals(NamedTuple):
    """What the ratios of the medians may be at most; None where there is no goal."""

    many: float | None
    alone: float | None
    latency: float | None
    p99: float | None


class Figure(NamedTuple):
    """What is read off a round."""

    of: Callable[[Round], float]
    unit: str


COST = Figure(lambda one: one.cost, "us")
MEDIAN = Figure(lambda one: median(one.latencies), "ms")
P99 = Figure(lambda one: share(one.latencies, 0.99), "ms")
BESIDE_BARE = Goals(many=1.3, alone=None, latency=1.5, p99=2.0)
BESIDE_OURS = Goals(many=SAME, alone=SAME, latency=SAME, p99=None)


async def presses(folder: Path, effort: Effort, against: Path | None = None) -> list[Row]:
    """The rows that compare a press with one on the bare bot, or on that of a checkout.

    Raises RefusedError when a press is refused, and MiscountError when a journal does not have
    what was pressed.
    """
    goals = BESIDE_BARE if against is None else BESIDE_OURS
    async with both(folder, effort.tables, against) as sides:
        many = await _in_turn(sides, effort.together, AT_ONCE, effort.rounds)
        alone = await _in_turn(sides, effort.alone, 1, effort.rounds)
    at_once = min(AT_ONCE, len(sides[0].crowd.people))
    return [
        _row(f"processor time per press, {at_once} at once", goals.many, many, COST),
        _row("processor time per press, one at a time", goals.alone, alone, COST),
        _row("latency, one at a time, median", goals.latency, alone, MEDIAN),
        _row("latency, one at a time, p99", goals.p99, alone, P99),
        _row(f"latency, {at_once} at once, median", None, many, MEDIAN),
    ]


async def _in_turn(
    sides: tuple[Side, Side], count: int, at_once: int, rounds: int
) -> list[tuple[Round, Round]]:
    """Rounds of ours and the other: ours, other, ours, other, and so on."""
    ours, other = sides
    for side in sides:
        _ = await side.round(max(count // WARM, at_once), at_once)
    return [
        (await ours.round(count, at_once), await other.round(count, at_once)) for _ in range(rounds)
    ]


def _row(
    what: str, most: float | None, rounds: Sequence[tuple[Round, Round]], figure: Figure
) -> Row:
    ours, other = ([figure.of(pair[side]) for pair in rounds] for side in (0, 1))
    return by_rounds(what, most, ours, other, figure.unit)
