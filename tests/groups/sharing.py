"""Groups that share the turns of the bot's own calls in simulated time, over a net with faults."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

from bot.clock import Clock
from bot.groups.away import ValkeyAwayError
from bot.groups.turns import GAP
from bot.tasks import OwnedTasks
from bot.ui.limits.shared.grouped import GroupTurns
from tests.groups.twin_turns import take
from tests.simulate.loop import VirtualLoop
from tests.simulate.process import VirtualClock

PATIENCE = 1.0
"""Seconds after which a question to Valkey has failed."""
Span = tuple[float, float]


@dataclass
class Net:
    """A group's way to Valkey: seconds there and back, used in turn, and when it is cut."""

    delays: Sequence[Span] = ((0.0, 0.0),)
    cuts: Sequence[Span] = ()

    def is_cut(self, at: float) -> bool:
        return any(begin <= at < end for begin, end in self.cuts)


class Valkey:
    """Gives turns by the script's twin. `turn`: what its key holds."""

    def __init__(self, turn: int | None = 0) -> None:
        self.turn = turn

    def take(self, gap: int, count: int) -> list[float]:
        """Return the seconds to wait for each."""
        now = int(asyncio.get_running_loop().time() * 1000)
        self.turn, wait = take(self.turn, now, gap * count)
        return [max(0, wait + number * gap) / 1000 for number in range(count)]


@dataclass
class Asked:
    """Implements `SharedTurns` over a net. `asks`: when each began; `most`: at the same time."""

    valkey: Valkey
    net: Net = field(default_factory=Net)
    asks: list[float] = field(default_factory=list)
    under_way: int = 0
    most: int = 0

    async def next(self, factor: float, count: int) -> list[float]:
        self.asks.append(now())
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._asked(round(GAP / factor), count)
        except TimeoutError:
            raise ValkeyAwayError from None
        finally:
            self.under_way -= 1

    async def _asked(self, gap: int, count: int) -> list[float]:
        there, back = self.net.delays[(len(self.asks) - 1) % len(self.net.delays)]
        await asyncio.sleep(there)
        if self.net.is_cut(now()):
            await asyncio.sleep(2 * PATIENCE)
        waits = self.valkey.take(gap, count)
        await asyncio.sleep(back)
        if self.net.is_cut(now()):
            await asyncio.sleep(2 * PATIENCE)
        return waits


class SharingGroup:
    """A group, and when each call of its own got its turn, by its name."""

    def __init__(
        self,
        share: float = 1.0,
        valkey: Valkey | None = None,
        net: Net | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.asked = Asked(valkey or Valkey(), net or Net())
        self.tasks = OwnedTasks()
        self.turns = GroupTurns(clock or loop_clock(), share, self.asked, self.tasks)
        self.went: list[tuple[float, str]] = []

    def call(self, name: str, urgent: Callable[[], bool] | None = None) -> None:
        self.tasks(self._call(name, urgent), name=name)

    async def _call(self, name: str, urgent: Callable[[], bool] | None) -> None:
        await self.turns.take(0.0, urgent)
        self.went.append((now(), name))

    def play(
        self, tables: int, begin: float = 0.0, pause: float = 0.0, *, urgent: bool = False
    ) -> None:
        """Have so many tables redrawn for ever, each so long after it was."""
        for number in range(tables):
            self.tasks(self._table(str(number), begin, pause, partial(bool, urgent)), name="table")

    async def _table(
        self, name: str, begin: float, pause: float, urgent: Callable[[], bool]
    ) -> None:
        await asyncio.sleep(begin)
        while True:
            await self._call(name, urgent)
            await asyncio.sleep(pause)

    @property
    def order(self) -> str:
        return "".join(name for _, name in self.went)

    @property
    def times(self) -> list[float]:
        return [at for at, _ in self.went]


class LateClock(VirtualClock):
    """On a busy machine: it wakes sleepers late, by these seconds in turn."""

    def __init__(self, late: Sequence[float]) -> None:
        super().__init__(_loop())
        self._late = late
        self._sleeps = 0

    async def sleep(self, seconds: float) -> None:
        self._sleeps += 1
        await super().sleep(seconds + self._late[self._sleeps % len(self._late)])


def loop_clock() -> VirtualClock:
    return VirtualClock(_loop())


def now() -> float:
    return asyncio.get_running_loop().time()


def _loop() -> VirtualLoop:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    return loop


def most_in_a_second(times: Iterable[float]) -> int:
    """Return the most of these in any second, of which the end doesn't count."""
    ordered, most, first = sorted(times), 0, 0
    for index, at in enumerate(ordered):
        while at - ordered[first] >= 1 - 1e-6:
            first += 1
        most = max(most, index - first + 1)
    return most


def least_gap(times: Iterable[float]) -> float:
    return min(later - earlier for earlier, later in pairwise(sorted(times)))
