"""The ends of a hop: where a press comes from and where it goes to, without Discord."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

from bot.clock import Clock
from bot.groups.group import Group
from bot.groups.hops.hops import Hops
from bot.groups.hops.press import HandedPress
from bot.groups.known import RecordedGroups
from bot.groups.layout import Layout
from bot.groups.lease.leases import START, Leases
from bot.groups.lease.own_group import OwnGroup
from bot.groups.lease.refusals import Refused
from bot.groups.valkey import Valkey
from bot.tasks import OwnedTasks
from tests.loopback.bots import clock_here
from tests.real import PATIENCE

ROUNDED = 1e-6
"""Seconds to which times are written."""
COUNT = 3
"""Shards of the bot."""


class Server(Protocol):
    """A Valkey server, real or simulated."""

    @property
    def url(self) -> str: ...
    async def start(self) -> None: ...
    def kill(self) -> None: ...


@dataclass
class End:
    """A group that only notes the presses which it takes. `tables`: those in its database.

    `is_open_here`: whether a table is open, so that nothing has to be asked. `is_sure`: False while
    the group may have been started elsewhere.
    """

    clock: Clock
    tables: set[int] = field(default_factory=set)
    is_open_here: bool = True
    is_sure: Callable[[], bool] = lambda: True
    taken: list[HandedPress] = field(default_factory=list)
    told: list[HandedPress] = field(default_factory=list)
    dropped: int = 0
    on_taken: Callable[[HandedPress], None] = lambda _: None
    on_told: Callable[[HandedPress], None] = lambda _: None

    def is_open(self, table: int) -> bool:
        return self.is_open_here and table in self.tables

    async def has_row(self, table: int) -> bool:
        return table in self.tables

    def take(self, press: HandedPress) -> None:
        self.taken.append(press)
        self.on_taken(press)

    def answer_away(self, press: HandedPress) -> None:
        self.told.append(press)
        self.on_told(press)

    def drop(self) -> None:
        self.dropped += 1


@dataclass(frozen=True)
class Ended:
    """A group whose presses end here."""

    end: End
    hops: Hops
    valkey: Valkey
    group: Group

    @property
    def error(self) -> float:
        """Seconds by which a time that goes over Valkey may be wrong here."""
        time = vars(vars(self.hops)["_time"])
        return float(time["_high"] - time["_low"]) / 2 + ROUNDED

    def press(self, number: int, table: int) -> HandedPress:
        """Return a press that arrives now."""
        return HandedPress({"id": str(number)}, table, self.end.clock.now())


@asynccontextmanager
async def group_with(
    server: Server, number: int, *shards: int, own: Iterable[int] = ()
) -> AsyncIterator[Ended]:
    """A group that runs, holds its lease and has told which tables it has.

    `own`: where further tables of its database were born.
    """
    clock, tasks = clock_here(), OwnedTasks()
    link = Valkey(server.url, "1", clock)
    end = End(clock)

    def is_sure() -> bool:
        return end.is_sure()

    group = Group(Layout(COUNT, shards), number, link, is_sure=is_sure)
    hops = Hops(group, own, RecordedGroups(link, group.layout), end, clock, tasks)
    await held(group)
    for name, work in hops.work.items():
        tasks(work(), name=name)
    async with asyncio.timeout(PATIENCE):
        while not await link.ask(lambda db: db.hexists(link.key("born"), str(number))):  # noqa: ASYNC110 it is told nowhere else
            await asyncio.sleep(0.01)
    try:
        yield Ended(end, hops, link, group)
    finally:
        await tasks.stop()
        await link.close()


async def held(group: Group) -> None:
    """Have a group hold its lease, as one that runs does, until it is deleted."""
    link, own = group.valkey, OwnGroup(group.number, 1, "holder")
    assert link is not None
    leases = Leases(link, group.layout)
    assert not isinstance(await leases.take(own, group.number, START, 0, {own.number}), Refused)
    await link.ask(lambda db: db.set(link.key("lease", group.number), "held"))


async def until(fact: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not fact():  # noqa: ASYNC110 the ends tell nobody
            await asyncio.sleep(0.01)
