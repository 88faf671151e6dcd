"""Presses on ours and on other bots in turn, round by round: processor time and latency."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.bench.compared import BARE, DISCORDJS, OTHERS, Bot
from tests.bench.crowd import AT_ONCE
from tests.bench.figures import Row, compared, share
from tests.bench.sides import Round, Side, sides

log = logging.getLogger(__name__)
WARM = 5
"""A part of a round, one in so many presses, goes before the first and is not measured. So does one
by a quarter of the people.
"""
SAME = 1.05
"""What a press of ours may cost compared with another commit."""


@dataclass(frozen=True, slots=True)
class Effort:
    """Presses per bot and round, by many people at once and one at a time; tables of each bot.

    `later`: seconds after a round's last press for which a bot's work still counts as the round's.
    `tls`: whether presses and answers go over TLS, for each time that all of it is measured.
    """

    together: int
    alone: int
    tables: int
    rounds: int
    later: float = 2.5
    tls: tuple[bool, ...] = (False, True)


class Figure(NamedTuple):
    """What is read off a round."""

    of: Callable[[Round], float]
    unit: str


COST = Figure(lambda one: one.cost, "us")
MEDIAN = Figure(lambda one: median(one.latencies), "ms")
P99 = Figure(lambda one: share(one.latencies, 0.99), "ms")
MANY_GOALS = {BARE.name: 0.8, DISCORDJS.name: 1.0}
ALONE_GOALS = {BARE.name: 1.0, DISCORDJS.name: 1.0}
LATENCY_GOALS = {BARE.name: 1.0}
Rounds = list[list[Round]]
"""One list per bot."""


async def presses(folder: Path, effort: Effort, bots: Sequence[Bot]) -> list[Row]:
    """The rows that compare a press on the first bot, ours, with one on each of the others.

    Raises RefusedError when a press is refused, and MiscountError when a journal or a panel does
    not have what was pressed.
    """
    names = [one.name for one in bots]
    usual = {one.name for one in OTHERS.values()}
    earlier = {one.name: SAME for one in bots[1:] if one.name not in usual}
    rows: list[list[Row]] = []
    for tls in effort.tls:
        (inside := folder / ("tls" if tls else "http")).mkdir()
        async with sides(inside, effort.tables, bots, tls=tls) as started:
            many = await _in_turn(started, effort.together, AT_ONCE, effort)
            alone = await _in_turn(started, effort.alone, 1, effort)
        at_once = min(AT_ONCE, len(started[0].crowd.people))
        over = "TLS" if tls else "HTTP"
        rows.append(
            [
                _row(f"{what}, {over}", goals | earlier, names, rounds, figure)
                for what, goals, rounds, figure in (
                    (f"processor time per press, {at_once} at once", MANY_GOALS, many, COST),
                    ("processor time per press, one at a time", ALONE_GOALS, alone, COST),
                    ("latency, one at a time, median", LATENCY_GOALS, alone, MEDIAN),
                    ("latency, one at a time, p99", {}, alone, P99),
                    (f"latency, {at_once} at once, median", {}, many, MEDIAN),
                )
            ]
        )
    return [row for same in zip(*rows, strict=True) for row in same]


async def _in_turn(started: Sequence[Side], count: int, at_once: int, effort: Effort) -> Rounds:
    """Rounds of all in turn. Who begins a round is the last of the next."""
    for some in dict.fromkeys((max(at_once // 4, 1), at_once)):  # connections are opened by and by
        for side in started:
            _ = await (await side.round(max(count // WARM, some), some, 0.0))
    measured: Rounds = [[] for _ in started]
    for number in range(effort.rounds):
        reading = list[tuple[int, asyncio.Task[Round]]]()
        for at in range(len(started)):
            turn = (number + at) % len(started)
            reading.append((turn, await started[turn].round(count, at_once, effort.later)))
        log.info("round %d of %d, at most %d at once", number + 1, effort.rounds, at_once)
        for turn, one in reading:
            measured[turn].append(await one)
    return measured


def _row(
    what: str, goals: Mapping[str, float], names: Sequence[str], rounds: Rounds, figure: Figure
) -> Row:
    figures = {
        name: [figure.of(one) for one in mine] for name, mine in zip(names, rounds, strict=True)
    }
    return compared(what, goals, figures, figure.unit)
