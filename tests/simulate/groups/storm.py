"""What goes wrong for all groups at once: Discord's answers, and Valkey itself."""

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.fakediscord import Server
from tests.simulate.groups.member import Member
from tests.simulate.groups.trouble import RENEWED
from tests.simulate.trouble import HEADERS
from tests.simulate.valkey import Valkey
from tests.simulate.valkey.store import Snapshot

QUICK = 0.5
"""Seconds in which Valkey answers, if nothing is missed."""
SAVED = (1.0, 60.0)
"""Seconds by which a snapshot of Valkey is old."""
MEAN = 60.0
"""Seconds between two troubles of Valkey."""


@dataclass(slots=True)
class Storm:
    """Trouble of everybody. `members` have their own besides."""

    server: Server
    valkey: Valkey
    members: Sequence[Member]
    chance: random.Random
    troubled_at: float = 0.0

    def __post_init__(self) -> None:
        """A cut is one group's, wherever its process runs now."""
        self.valkey.is_cut = lambda process: any(
            one.trouble.is_cut and one.bot.number == process for one in self.members
        )
        for one in self.members:
            one.trouble.knows_leases = self._knows_leases

    def _knows_leases(self) -> bool:
        """Whether Valkey answers, and has done so since the last renewals."""
        is_quick = self.valkey.is_running and self.valkey.delay() < QUICK
        return (
            is_quick
            and not self.valkey.is_full
            and self.valkey.loop.time() > self.troubled_at + RENEWED
        )

    async def rage(self, until: Callable[[], bool]) -> None:
        first = self.members[0].trouble
        first.spoil_calls()
        for one in self.members[1:]:
            one.trouble.faults = first.faults
        self.server.limiter.tell = self.chance.choice(HEADERS)
        async with asyncio.TaskGroup() as together:
            together.create_task(self._valkey(until))
            for one in self.members:
                together.create_task(one.trouble.rage(until))

    async def calm(self) -> None:
        """Everything is well again."""
        self.valkey.delay = lambda: 0.0
        self.valkey.is_full = False
        if not self.valkey.is_running:
            await self.valkey.start()
        for one in self.members:
            one.trouble.calm()
            one.trouble.is_cut = False
        self.valkey.mended()

    async def _valkey(self, until: Callable[[], bool]) -> None:
        while True:
            await asyncio.sleep(self.chance.expovariate(1 / MEAN))
            if until():
                return
            await self._fails()

    async def _fails(self) -> None:
        seconds = self.chance.uniform(0.5, 30.0)
        match self.chance.randrange(5):
            case 0:
                await self._restarts(seconds, None)
            case 1:
                self._note("Valkey has forgotten everything")
                self.valkey.store.empty()
            case 2:
                await self._is_full(seconds)
            case 3:
                snapshot = self.valkey.store.snapshot()
                await asyncio.sleep(self.chance.uniform(*SAVED))
                await self._restarts(seconds, snapshot)
            case _:
                await self._is_slow(seconds)
        self.troubled_at = self.valkey.loop.time()

    async def _restarts(self, seconds: float, snapshot: Snapshot | None) -> None:
        has = "empty" if snapshot is None else "with what it had once"
        self._note(f"Valkey is killed, and back after {seconds:.1f} s, {has}")
        self.valkey.kill()
        await asyncio.sleep(seconds)
        await self.valkey.start(snapshot)

    async def _is_full(self, seconds: float) -> None:
        self._note(f"Valkey is full for {seconds:.1f} s")
        self.valkey.is_full = True
        await asyncio.sleep(seconds)
        self.valkey.is_full = False

    async def _is_slow(self, seconds: float) -> None:
        slow = self.chance.uniform(0.01, 2.0)
        self._note(f"Valkey takes {slow:.2f} s for {seconds:.1f} s")
        self.valkey.delay = lambda: slow
        await asyncio.sleep(seconds)
        self.valkey.delay = lambda: 0.0

    def _note(self, told: str) -> None:
        self.members[0].witness.note(told)
