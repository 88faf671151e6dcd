"""Presses per second that are answered soon, on ours and on the bare bot in turn."""

import asyncio
import random
import time
from collections import deque
from pathlib import Path
from statistics import median

from tests.bench.compared import BARE, OURS
from tests.bench.crowd import GAP
from tests.bench.figures import Row, at_least, share
from tests.bench.people import Presser
from tests.bench.sides import LOOK, Side, sides
from tests.bench.standin import Interaction
from tests.real import PATIENCE

SLOW = 0.1
"""Seconds: a rate is held while 95 of 100 answers take less, and none is missing."""
FIRST, STEP = 20.0, 1.25
"""Presses per second that are tried first, and by how much more next."""


async def rates(folder: Path, tables: int, rounds: int, seconds: float, most: float) -> Row:
    """`seconds`: how long each rate is tried; `most`: the rate at which to stop. Raises
    MiscountError when a rate was held and the journal has fewer or more moves than presses.
    """
    mine, theirs = list[float](), list[float]()
    async with sides(folder, tables, (OURS, BARE)) as (ours, other):
        for _ in range(rounds):
            mine.append(await _most(ours, seconds, most))
            theirs.append(await _most(other, seconds, most))
    what = f"presses per second, {tables} tables, p95 under 100 ms"
    return at_least(what, 0.6, median(mine), median(theirs), "per second", BARE.name)


async def _most(side: Side, seconds: float, most: float) -> float:
    rate, held = FIRST, 0.0
    while rate < most and await _holds(side, rate, seconds):
        rate, held = rate * STEP, rate
    await _caught_up(side)
    return held


async def _holds(side: Side, rate: float, seconds: float) -> bool:
    """An open loop: presses come by chance, however many wait for an answer. A rate is not held
    when a press is not answered, or nobody is left who could press.
    """
    free, answers = deque((0.0, one) for one in side.crowd.people), list[Interaction]()
    chance = random.Random(rate)
    now = time.perf_counter()
    ends = now + seconds

    async def press(one: Presser) -> None:
        ready = time.perf_counter() + GAP
        answer = await one.press().wait()
        answers.append(answer)
        if answer.ok:
            free.append((ready, one))

    async with asyncio.TaskGroup() as pressing:
        while now < ends and free and free[0][0] <= time.perf_counter():
            _ = pressing.create_task(press(free.popleft()[1]))
            now += chance.expovariate(rate)
            if (wait := now - time.perf_counter()) > 0:
                await asyncio.sleep(wait)
    waits = [one.latency or float("inf") for one in answers]
    if now < ends or float("inf") in waits or share(waits, 0.95) >= SLOW:
        return False
    side.crowd.pressed += len(answers)
    if side.bot.is_ours:  # the bare bot's panels still lack the presses whose answers were lost
        side.check()
    return True


async def _caught_up(side: Side) -> None:
    """After too much at once: wait until all panels show what the journal has, and count that: of
    a rate that was not held nobody knows how many presses were taken.
    """
    async with asyncio.timeout(PATIENCE):
        while side.crowd.shown != side.taken:  # noqa: ASYNC110 a file tells nobody
            await asyncio.sleep(LOOK)
    side.crowd.pressed = side.taken
