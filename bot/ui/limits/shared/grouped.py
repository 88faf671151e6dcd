"""The own calls of one group of a bot of several: a floor of its own, and turns from Valkey.

All groups together make at most 45 such calls in any second (its end not counted), while each has
a nineteenth of the shards or more: however the net is cut, and whatever the phases of their clocks.
The 45 are the sum of two parts.

- The floors: at most 19. Two calls of a group's floor are a gap apart, so that a gap of 1/n s lets
  n of them into a second. A floor of 4.75 a second would let in five; so it is rounded down to
  four, and the floors of all groups are at most 19 in any second, not only on average.
- The shared turns: at most 26. Valkey gives one each 50 ms, and five at once beside the first (see
  `bot.groups.turns`): in L seconds at most (L + 0.25) / 0.05, rounded up. A turn is used when its
  time has come, and up to LATE later. So those used in a second were given for a time of 1.041 s,
  with a millisecond by which Valkey rounds: 25.8, rounded up.

A smaller group has less than one call of its own a second, and its floor can't be rounded down. The
floors of many such groups are 19 a second on average, and may be more in a single one. No rule
could prevent that while groups don't hear of each other.
"""

import asyncio
from collections.abc import Awaitable, Callable
from math import floor
from typing import Protocol

from bot.clock import Clock
from bot.groups.away import ValkeyAwayError
from bot.tasks import Spawn, keep_running
from bot.ui.limits.shared.pace import Slowdown
from bot.ui.limits.shared.turns import LEAST, nap

FLOOR = 19.0
"""Calls a second that all groups have without Valkey, divided by their shards."""
LATE = 0.04
"""Seconds after its time in which a shared turn may be used. Later it is lost."""
AT_ONCE = 6
"""Shared turns that are asked for at once at most: the urgent calls that wait, or one."""
AWAY = 1.0
"""Seconds until Valkey is asked again after it did not answer, or two turns in a row were late:
a group that can use none takes few from others.
"""


class SharedTurns(Protocol):
    """The turns that all groups share."""

    async def next(self, factor: float, count: int) -> list[float]:
        """Take so many turns. Return the seconds until each may be used, from when this was called.

        `factor`: the share of the full pace that is kept to. Raises ValkeyAwayError; the turns may
        have been taken then.
        """


class _Call:
    """A call that waits for its turn, which `turn` ends."""

    def __init__(self, urgent: Callable[[], bool] | None) -> None:
        self.turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._urgent = urgent

    @property
    def is_urgent(self) -> bool:
        return self._urgent is not None and self._urgent()


class GroupTurns:
    """Implements `OwnTurns` for one group.

    `share`: the group's share of the bot's shards, above 0. A call that finds the floor free goes
    at once. Those that wait stand in one line, to which the floor and Valkey give their turns side
    by side. Valkey is asked for one turn at a time, or for as many as there are urgent calls in the
    line, as when a process ends and says so at all its tables; and for none while no call waits.
    """

    def __init__(self, clock: Clock, share: float, shared: SharedTurns, spawn: Spawn) -> None:
        self._clock = clock
        self._shared = shared
        self._spawn = spawn
        self._gap = 1 / a_second(share)
        self._slowdown = Slowdown(clock.now())
        self._last = clock.now()  # the process before this one may have called just now
        self._line: dict[_Call, None] = {}  # in order of asking
        self._fed: set[str] = set()  # by what the line is given turns
        self._was_late = False  # whatever was asked for last

    async def take(self, held_up: float, urgent: Callable[[], bool] | None) -> None:
        await nap(self._clock, held_up, urgent)
        if not self._line and self._floor_rests <= 0:
            self._last = self._clock.now()
            return
        call = _Call(urgent)
        self._line[call] = None
        self._feed("turns of the floor", self._give_floor)
        self._feed("turns from Valkey", self._give_shared)
        try:
            await call.turn
        finally:
            self._line.pop(call, None)

    def halve(self) -> None:
        self._slowdown.halve(self._clock.now())

    def _feed(self, name: str, give: Callable[[], Awaitable[None]]) -> None:
        """Give turns to the line until it is empty, in a task of its own."""
        if name in self._fed:
            return
        self._fed.add(name)

        async def feed() -> None:
            while self._line:
                await give()
            self._fed.remove(name)

        self._spawn(keep_running(feed, name, self._clock), name=name)

    @property
    def _factor(self) -> float:
        return self._slowdown.factor(self._clock.now())

    @property
    def _floor_rests(self) -> float:
        """The seconds until the floor has a turn."""
        return self._last + self._gap / self._factor - self._clock.now()

    async def _give_floor(self) -> None:
        """Wait for the floor, and let the next call go if one still waits."""
        if (seconds := self._floor_rests) > 0:
            await self._clock.sleep(max(LEAST, seconds))
        elif self._let_go():
            self._last = self._clock.now()

    async def _give_shared(self) -> None:
        """Wait for shared turns, and let the next calls go. Late or unused, a turn is lost."""
        asked, urgent = self._clock.now(), sum(one.is_urgent for one in self._line)
        try:
            waits = await self._shared.next(self._factor, max(1, min(urgent, AT_ONCE)))
        except ValkeyAwayError:
            await self._clock.sleep(AWAY)
            return
        late = self._clock.now() - asked
        is_late = not any([await self._use(asked + seconds, late) for seconds in waits])
        if is_late and self._was_late:
            await self._clock.sleep(AWAY)
        self._was_late = is_late

    async def _use(self, due: float, late: float) -> bool:
        """Wait for a shared turn, and let the next call go. Return whether it came in time.

        `due`: its time if Valkey has given it when it was asked; `late`: the seconds by which it
        may have given it later. Nobody knows when it did: a turn that may be early isn't used.
        """
        if (seconds := due + late - self._clock.now()) > 0:
            await self._clock.sleep(seconds)
        if self._clock.now() > due + LATE:
            return False
        self._let_go()
        return True

    def _let_go(self) -> bool:
        """Let the first urgent call go, or else the first. Return False if none waits."""
        waiting = [one for one in self._line if not one.turn.done()]  # a cancelled one is done
        call = next((one for one in waiting if one.is_urgent), waiting[0] if waiting else None)
        if call is None:
            return False
        del self._line[call]
        call.turn.set_result(None)
        return True


def a_second(share: float) -> float:
    """Return the calls that a group's floor lets into any second; below 1, those on average."""
    full = FLOOR * share
    return full if full < 1 else floor(full)
