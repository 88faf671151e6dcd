"""What goes wrong with one group: its gateway, its process, its machine and its way to Valkey."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from typing import Protocol

from bot.groups.lease.refusals import GroupError
from tests.simulate.process import Process
from tests.simulate.trouble import FATAL, HALF, LONGEST, LOOKED, MENDED, SETTLING, Trouble
from tests.simulate.valkey import Valkey

BEHIND = (0.5, 10.0)
"""Seconds by which a replica is older than the file."""
UNREACHABLE = (0.5, 40.0)
"""Seconds for which a group doesn't reach Valkey."""


SUSPENDED = (0.5, 40.0)
AWAKE = 15.0
"""Seconds for which a group's machine is suspended, and after which all is well again."""


class Shards(Protocol):
    """The shards of one group at the gateway."""

    @property
    def ids(self) -> tuple[int, ...]: ...
    @property
    def ready(self) -> bool: ...
    @property
    def identified(self) -> int: ...
    def owns(self, guild: int) -> bool: ...


@dataclass(slots=True)
class MemberTrouble(Trouble):
    """Trouble of one group among several, which leaves the others alone."""

    shards: Shards = field(kw_only=True)
    valkey: Valkey = field(kw_only=True)
    is_cut: bool = False
    knows_leases: Callable[[], bool] = lambda: True
    old_machine: Process | None = None

    async def rage(self, until: Callable[[], bool]) -> None:
        works = (
            (self.rates.gateway, self._gateway),
            (self.rates.kill, self._process),
            (self.rates.clock, self._clock),
            (self.rates.machine, self._unreachable),
            (self.rates.machine, self._stands_still),
        )
        async with asyncio.TaskGroup() as together:
            together.create_task(self._look_for_sessions(until))
            for mean, work in works:
                together.create_task(self._again(mean, work, until))

    async def _look_for_sessions(self, until: Callable[[], bool]) -> None:
        while not until():
            began = self.loop.time()
            if not self.shards.ready:
                await self.server.wait_for(lambda: self.shards.ready or until(), LONGEST)
                self.windows.append((began - LOOKED, self.loop.time() + LOOKED, "no session"))
            await asyncio.sleep(LOOKED)

    async def _gateway(self) -> None:
        """One of the group's shards has trouble."""
        faults, chance = self.server.gateway.faults, self.chance
        shard = chance.choice(self.shards.ids)
        match chance.randrange(5):
            case 0:
                self._window(10.0, f"shard {shard} is cut")
                faults.drop(shard, duplicates=chance.randrange(5))
            case 1:
                self._window(10.0, f"shard {shard} is closed")
                await faults.close(chance.choice(MENDED), shard)
            case 2:
                self._window(10.0, f"shard {shard} is asked for a reconnect")
                faults.reconnect(shard)
            case 3:
                self._window(15.0, f"shard {shard} has an invalid session")
                faults.invalidate(resumable=chance.random() < HALF, shard=shard)
            case _:
                self._twice()

    async def _unreachable(self) -> None:
        """The group doesn't reach Valkey for a while: what it sends may arrive later."""
        seconds = self.chance.uniform(*UNREACHABLE)
        self.witness.note(f"Valkey cannot be reached for {seconds:.1f} s")
        self.is_cut = True
        await asyncio.sleep(seconds)
        self.is_cut = False
        self.valkey.mended()

    async def _stands_still(self) -> None:
        """The group's machine is suspended, often for longer than the group's lease lasts."""
        if not self.bot.is_running or self.ending.locked():
            return
        async with self.ending:
            seconds = self.chance.uniform(*SUSPENDED)
            self._window(seconds + AWAKE, "the machine is suspended")
            slept = self.loop.time()
            self.bot.stand_still()
            await asyncio.sleep(seconds)
            self.bot.go_on()
            self._reads_what_was_sent(slept)
            await asyncio.sleep(AWAKE)

    def _reads_what_was_sent(self, since: float) -> None:
        """Presses that were sent while the machine stood still have arrived only now."""
        for one in self.server.tokens.values():
            guild = one.channel.guild_id
            is_ours = 0 in self.shards.ids if guild is None else self.shards.owns(guild)
            if is_ours and one.sent_at is not None and one.sent_at >= since:
                one.sent_at = self.loop.time()

    async def _ends(self) -> None:
        down = self._down_time()
        match self.chance.randrange(5):
            case 0:
                self.witness.note("SIGTERM")
                if (error := await self.bot.stop()) is not None:
                    self.witness.broken("a stop ends with exit code 0", repr(error))
            case 1 if self.shards.ready:
                self.witness.note("the gateway closes for good")
                for shard in self.shards.ids:
                    await self.server.gateway.faults.close(self.chance.choice(FATAL), shard)
                await self._ended()
            case 2:
                await self._moves()
            case _:
                self.witness.note("SIGKILL")
                self.kills += 1
                self.bot.kill()
        self._window(down + LONG_START, "the process is down")
        await self._begins_after(down)

    async def _moves(self) -> None:
        """Another machine goes on with a replica, which is some seconds behind."""
        copied_at = self.loop.time()
        with closing(sqlite3.connect(f"file:{self.bot.database}?mode=ro", uri=True)) as db:
            replica = db.serialize()
        await asyncio.sleep(self.chance.uniform(*BEHIND))
        if not self.bot.is_running:
            return
        self.witness.note(f"another machine takes over the file of {copied_at:.3f}")
        self.kills += 1
        if self.chance.random() < HALF:
            self.bot.kill()
            self.old_machine = self.bot.left_behind()
        else:
            self.witness.note("the machine that it leaves is suspended")
            self.bot.stand_still()
            self.old_machine = self.bot.left_running()
        self.witness.is_replaced(copied_at)
        self.bot.replace_file(replica)
        self.bot.takes_over = True

    async def _begins(self) -> None:
        began, known = self.loop.time(), self.shards.identified
        await self._starts(lambda: self.shards.identified > known and self.shards.ready)
        self.bot.takes_over = False
        self.windows.append((began, self.loop.time(), "the process waits for its start"))
        self._window(SETTLING, "the process starts")
        if self.old_machine is not None:
            old, self.old_machine = self.old_machine, None
            await self._comes_back(old)

    async def _comes_back(self, old: Process) -> None:
        """The machine that was given up starts the bot on its own file: it has to see by the lease
        that the group runs elsewhere. While Valkey is missed, or has just lost what it knew, it
        could not.
        """
        while self.is_cut or not self.knows_leases():  # noqa: ASYNC110 time passes
            await asyncio.sleep(RENEWED)
        self.witness.note("the machine that was given up is back")
        if old.is_running:
            old.go_on()
        else:
            old.start()
        try:
            async with asyncio.timeout(REFUSED):
                error = await old.ended()
        except TimeoutError:
            self.witness.broken("a group runs once", "the machine that was given up runs it too")
            old.kill()
            return
        if not isinstance(error, GroupError):
            self.witness.broken("a group runs once", repr(error))


RENEWED = 12.0
"""Seconds after which every group has put back what Valkey had lost."""
REFUSED = 60.0
"""Seconds in which a start is refused."""
LONG_START = 40.0
"""Seconds that a start may take."""
