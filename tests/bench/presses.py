"""Presses on ours and on the bare bot, turn by turn: latency, processor time, presses a second."""

import asyncio
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from statistics import median

from bot.demo.fakediscord import Interaction, Server
from tests.bench.figures import Row, at_least, compared, share
from tests.bench.people import Presser, hitters, live_tables, shape, turners
from tests.loopback.bots import BotProcess, bot_process
from tests.loopback.players import Player, labels

BARE = ("-m", "tests.bench.bare")
IN_A_SERVER = 25
BATCH = 50
"""Presses on one bot before it is the other's turn."""
AT_ONCE = 50
"""People who press at the same time while processor time is measured."""
SLOW = 0.1
"""Seconds: a rate is held while 95 of 100 answers take less."""
FIRST, STEP = 20.0, 1.25
"""Presses a second that are tried first, and by how much more next."""
OVER = ("Next round", "Rematch", "Ready")


@dataclass(slots=True)
class Side:
    """One of the two bots, and everybody who presses on it."""

    server: Server
    bot: BotProcess
    people: Sequence[Presser] = ()
    waits: list[float] = field(default_factory=list)
    used: float = 0.0

    @contextmanager
    def metered(self) -> Iterator[None]:
        before = self.bot.processor
        yield
        self.used += self.bot.processor - before


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is pressed: by one user on each bot, by many at once, for how many seconds at one
    rate, at which rate to stop, and how often it is tried.
    """

    alone: int
    together: int
    tables: int
    seconds: float
    most: float
    rounds: int


async def presses(folder: Path, effort: Effort) -> list[Row]:
    """The rows that compare a press with one on the bare bot."""
    guilds = -(-effort.tables // IN_A_SERVER)
    async with (
        Server(guilds=guilds, channels=IN_A_SERVER) as server,
        Server(guilds=guilds, channels=IN_A_SERVER) as other,
    ):
        async with bot_process(server, folder / "presses.db", faces=True, rtt=0.0) as bot:
            tables = await live_tables(server, effort.tables, 2)
            seen = shape(tables[0][0].panel)
            async with bot_process(
                other, folder / "bare.db", program=BARE, SHAPE=seen, rtt=0.0
            ) as bare:
                ours = Side(server, bot, turners(tables))
                plain = Side(other, bare, await hitters(other, 2 * effort.tables))
                rows = await _together(ours, plain, effort)
                rows.append(await _rates(ours, plain, effort))
                rows += await _alone(ours, plain, tables, effort)
        assert not server.unknown
        assert not server.crashes
    return rows


async def _alone(
    ours: Side, plain: Side, tables: Sequence[Sequence[Player]], effort: Effort
) -> list[Row]:
    """One user, one press after the other: whatever fits, with all that it makes the bot draw."""
    ours.waits.clear()
    plain.waits.clear()
    fast, plays = cycle(plain.people), _plays([players[0] for players in tables])
    for _ in range(-(-effort.alone // BATCH)):
        for side, press in ((plain, lambda: next(fast).press()), (ours, lambda: next(plays))):
            await _one_by_one(side, press)
    limits = ((0.5, "median", 1.5), (0.99, "p99", 2.0))
    return [
        compared(
            f"a press by one user, {name}",
            most,
            1000 * share(ours.waits, part),
            1000 * share(plain.waits, part),
            "ms",
        )
        for part, name, most in limits
    ]


def _plays(players: Sequence[Player]) -> Iterator[Interaction]:
    """One player after the other plays what fits until his round is over."""
    for player in players:
        while not labels(player.panel) & set(OVER) and (item := player.choose()) is not None:
            yield player.server.click(player.user, player.panel, item.custom_id, stale=True)
    raise AssertionError("all tables have been played out")


async def _one_by_one(side: Side, press: Callable[[], Interaction]) -> None:
    for _ in range(BATCH):
        answer = await press().wait()
        assert answer.ok, answer
        assert answer.latency is not None
        side.waits.append(answer.latency)


async def _together(ours: Side, plain: Side, effort: Effort) -> list[Row]:
    """Everybody at once, each as soon as he is answered: what a press costs the processor."""
    costs: dict[int, list[float]] = {id(ours): [], id(plain): []}
    for _ in range(effort.rounds):
        for side in (plain, ours):
            side.used = 0.0
            with side.metered():
                await in_turn(side.people[:AT_ONCE], effort.together)
            costs[id(side)].append(1e6 * side.used / effort.together)
    ratios = [o / b for o, b in zip(costs[id(ours)], costs[id(plain)], strict=True)]
    row = compared(
        "processor time a press", 1.3, median(costs[id(ours)]), median(costs[id(plain)]), "us"
    )
    ratio = median(ratios)
    return [Row(row.what, row.goal, row.ours, ratio <= 1.3, row.bare, ratio)]


async def in_turn(people: Sequence[Presser], count: int) -> None:
    """So many presses in all, each person's as soon as the last one is answered."""
    left = iter(range(count))

    async def go(one: Presser) -> None:
        for _ in left:
            answer = await one.press().wait()
            assert answer.ok, answer

    await asyncio.gather(*map(go, people))


async def _rates(ours: Side, plain: Side, effort: Effort) -> Row:
    """The most presses a second that are answered soon, whoever else is waiting."""
    held: list[tuple[float, float]] = []
    for _ in range(effort.rounds):
        bare = await _most(plain.people, effort)
        held.append((await _most(ours.people, effort), bare))
    mine, other = (median(rates) for rates in zip(*held, strict=True))
    what = f"presses a second, {effort.tables} tables, p95 under 100 ms"
    return at_least(what, 0.6, mine, other, "a second")


async def _most(people: Sequence[Presser], effort: Effort) -> float:
    rate, held = FIRST, 0.0
    while rate < effort.most and await _holds(people, rate, effort.seconds):
        rate, held = rate * STEP, rate
    return held


async def _holds(people: Sequence[Presser], rate: float, seconds: float) -> bool:
    """An open loop: presses come by chance, and wait for no answer."""
    chance, pressed = random.Random(rate), list[Interaction]()
    now = time.perf_counter()
    ends, turn = now + seconds, cycle(people)
    while now < ends:
        now += chance.expovariate(rate)
        if (wait := now - time.perf_counter()) > 0:
            await asyncio.sleep(wait)
        pressed.append(next(turn).press())
    answers = await asyncio.gather(*(one.wait() for one in pressed))
    waits = [one.latency or float("inf") for one in answers]
    return share(waits, 0.95) < SLOW
