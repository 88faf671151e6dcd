"""Edits of private messages by their tokens: how many of them a channel takes in a minute."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median

from discord.ui import LayoutView

from bot.ui import wire
from bot.ui.budget import Where
from bot.ui.errors import FAILURES
from bot.ui.limits import Scope
from bot.ui.office import Office
from bot.ui.pace import LOWEST, REPORTED, SAFE, Pace
from bot.ui.probes import PATIENCE, problem

EDITS, WITHIN = 40, 60.0


@dataclass(frozen=True, slots=True)
class Place:
    """A private message, and the token that may edit it."""

    token: str
    message: int


@dataclass(slots=True)
class Edits:
    """How the edits went. `before`: calls of this minute before them; `scope`: whose limit was met,
    and `wait`: the seconds that Discord then asked for; `told`: the largest limit that it named, as
    calls and seconds; `problem`: what ended them early.
    """

    before: int = 0
    seconds: list[float] = field(default_factory=list)
    scope: Scope | None = None
    wait: float = 0.0
    told: tuple[int, float] | None = None
    problem: str = ""

    @property
    def taken(self) -> int:
        return len(self.seconds)

    @property
    def median(self) -> float:
        return median(self.seconds) if self.seconds else 0.0

    @property
    def slowest(self) -> float:
        return max(self.seconds, default=0.0)

    def pace(self, now: float) -> Pace | None:
        """The pace that this has taught; None where it has taught none."""
        calls = float(self.before + self.taken)
        if self.scope is Scope.CHANNEL:
            return Pace(max(SAFE * calls, LOWEST), is_limited=True, since=now, is_long=True)
        return Pace(calls, since=now) if self.taken > REPORTED else None


async def edited(
    places: Sequence[Place],
    office: Office,
    where: Where,
    view: Callable[[int], LayoutView],
    calls: int,
) -> Edits:
    """Edit these in turn, 40 times in a minute, and stop where the channel takes no more. `view`:
    what the n-th edit shows; `calls`: those by tokens that were made just before.
    """
    result, clock = Edits(calls), office.clock
    begun = clock.now()
    for number in range(EDITS):
        await clock.sleep(max(0.0, begun + number * WITHIN / EDITS - clock.now()))
        place = places[number % len(places)]
        sent = office.budget.spend(where)
        try:
            async with asyncio.timeout(PATIENCE):
                hook = office.hook(place.token)
                heard = await wire.push(hook, place.message, view(number + 1))
        except FAILURES as error:
            result.problem = problem(error)
            return result
        if heard.told is not None:
            result.told = max(heard.told, result.told or heard.told)
        if heard.refused is None:
            result.seconds.append(clock.now() - sent)
            continue
        result.scope, result.wait = heard.refused, heard.pause
        if heard.refused is Scope.CHANNEL:
            return result
        await clock.sleep(heard.pause)
    return result
