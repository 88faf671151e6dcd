"""Edits of private messages by their tokens: how many of them a channel takes in a minute."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median

from discord.ui import LayoutView

from bot.ui.connection import fast_path
from bot.ui.limits.edit_budget import Where
from bot.ui.limits.errors import FAILURES
from bot.ui.limits.headers import Heard, Scope
from bot.ui.limits.pace import LOWEST, REPORTED, WINDOW, Pace, of_a_minute
from bot.ui.live_check.attempt import PATIENCE, problem
from bot.ui.panels.context import PanelContext

EDITS, WITHIN = 40, 60.0
MANY = 15
"""Calls of this minute before a second refusal that is taken for the channel's limit: a single
one, or one of few calls, is somebody else's trouble.
"""
IN_A_ROW = 3
"""Refusals without an edit between them that are."""
SLACK = 1.5
"""Seconds by which the end of a refusal may differ from that of the minute of all these calls,
which is the channel's limit at once.
"""


@dataclass(frozen=True, slots=True)
class Place:
    """A private message, and the token that may edit it."""

    token: str
    message: int


@dataclass(slots=True)
class Edits:
    """The outcome of a run of edits.

    `before`: calls of this minute before them, the first of all at `since`; `scope`: the owner of
    the limit that was met, `refused`: the number of refused edits, the last `in_a_row`, `shared` of
    them for the channel, and `wait`: the most seconds that Discord then asked for; `told`: the
    largest limit that it named, as calls and seconds; `problem`: what ended them early.
    """

    before: int = 0
    seconds: list[float] = field(default_factory=list)
    scope: Scope | None = None
    wait: float = 0.0
    told: tuple[int, float] | None = None
    problem: str = ""
    refused: int = 0
    in_a_row: int = 0
    shared: int = 0
    since: float = 0.0

    @property
    def taken(self) -> int:
        return len(self.seconds)

    @property
    def median(self) -> float:
        return median(self.seconds) if self.seconds else 0.0

    @property
    def slowest(self) -> float:
        return max(self.seconds, default=0.0)

    def hear(self, heard: Heard, seconds: float, now: float) -> None:
        """Note Discord's answer to an edit, which came now, after this number of seconds."""
        if heard.told is not None:
            self.told = max(heard.told, self.told or heard.told)
        if heard.refused is None:
            self.seconds.append(seconds)
            self.in_a_row = 0
            return
        self.refused += 1
        self.in_a_row += 1
        self.wait = max(self.wait, heard.pause)
        self.scope = self._whose(heard, now) or self.scope

    def _whose(self, heard: Heard, now: float) -> Scope | None:
        """Return the owner of the limit that a refusal has shown; None if it shows nothing here.

        A limit of all the bot's calls shows nothing, nor does a single refusal, unless it ends when
        the first of these calls is a minute old.
        """
        if heard.refused is not Scope.CHANNEL:
            return heard.refused if heard.refused is Scope.TOKEN else None
        self.shared += 1
        calls = self.before + self.taken
        is_minute = abs(self.since + WINDOW - now - heard.pause) <= SLACK and calls >= LOWEST
        is_repeated = calls >= MANY and self.shared > 1
        is_channels = is_minute or is_repeated or self.in_a_row >= IN_A_ROW
        return Scope.CHANNEL if is_channels else None

    def pace(self, now: float) -> Pace | None:
        """Return the pace that these edits have taught; None if they have taught none."""
        calls = self.before + self.taken
        if self.scope is Scope.CHANNEL:
            return of_a_minute(calls, now)
        return Pace(float(calls), since=now) if self.taken > REPORTED else None


async def edited(
    places: Sequence[Place],
    context: PanelContext,
    where: Where,
    view: Callable[[int], LayoutView],
    calls: Sequence[float],
) -> Edits:
    """Edit these in turn, 40 times in a minute, and stop where the channel takes no more.

    Edits that waiting leaves no time for are skipped. `view`: makes what the n-th edit shows;
    `calls`: when those by tokens went out that were made just before.
    """
    clock = context.clock
    due = clock.now()
    result = Edits(len(calls), since=min(calls, default=due))
    ends = due + WITHIN
    for number in range(EDITS):
        if due >= ends:
            break
        await clock.sleep(max(0.0, due - clock.now()))
        place = places[number % len(places)]
        sent = context.budget.spend(where)
        try:
            async with asyncio.timeout(PATIENCE):
                hook = context.hook(place.token)
                heard = await fast_path.push(hook, place.message, view(number + 1))
        except FAILURES as error:
            result.problem = problem(error)
            break
        result.hear(heard, clock.now() - sent, clock.now())
        if result.scope is Scope.CHANNEL:
            break
        waits = heard.pause if heard.refused is not None else 0.0
        due = max(due + WITHIN / EDITS, clock.now() + waits)
    return result
