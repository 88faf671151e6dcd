"""Edits of private messages by their tokens: how many of them a channel takes in a minute."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median

import discord
from discord.ui import LayoutView

from bot.ids import MessageId
from bot.ui.connection import fast_path
from bot.ui.limits import headers
from bot.ui.limits.answers import answered_within
from bot.ui.limits.channel_pace import LOWEST, REPORTED, WINDOW, Pace, of_a_minute
from bot.ui.limits.edit_budget import CountedChannel
from bot.ui.limits.errors import FAILURES, Trouble, trouble
from bot.ui.limits.headers import UNSAID, RateLimits, Scope
from bot.ui.live_check.attempt import PATIENCE, TOO_MANY, problem
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
TRIES = 2
"""Passing failures in a row on one message after which another one is edited instead."""


@dataclass(frozen=True, slots=True)
class EditableMessage:
    """A private message, by its id or as `ORIGINAL`, and the token that may edit it."""

    token: str
    message: MessageId | str


@dataclass(slots=True)
class Edits:
    """The outcome of a run of edits.

    `before`: calls of this minute before them, the first of all at `since`; `scope`: the owner of
    the limit that was met, `refused`: the number of refused edits, the last `in_a_row`, `shared` of
    them for the channel, and `wait`: the most seconds that Discord then asked for; `told`: the
    largest limit that it named, as calls and seconds; `failed`: the number of other failures, and
    `problem`: the last of them; `is_ended`: no message was left.
    """

    before: int = 0
    seconds: list[float] = field(default_factory=list)
    scope: Scope | None = None
    wait: float = 0.0
    told: tuple[int, float] | None = None
    problem: str = ""
    failed: int = 0
    is_ended: bool = False
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

    def hear(self, heard: RateLimits, seconds: float, now: float) -> None:
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

    def _whose(self, heard: RateLimits, now: float) -> Scope | None:
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


class _Turns:
    """The messages that are edited in turn, and their failures in a row."""

    def __init__(self, places: Sequence[EditableMessage]) -> None:
        self._failures = dict.fromkeys(places, 0)

    def next(self) -> EditableMessage | None:
        """Return the message whose turn it is; None if none is left."""
        place = next(iter(self._failures), None)
        if place is not None:
            self._failures[place] = self._failures.pop(place)
        return place

    def taken(self, place: EditableMessage) -> None:
        self._failures[place] = 0

    def failed(self, place: EditableMessage, error: Exception) -> None:
        """Leave out a message that takes no more edits.

        One that fails again and again is left out as well, if there is another one.
        """
        self._failures[place] += 1
        is_again = self._failures[place] >= TRIES and len(self._failures) > 1
        if is_again or trouble(error) is not Trouble.LATER:
            del self._failures[place]


async def edited(
    places: Sequence[EditableMessage],
    context: PanelContext,
    where: CountedChannel,
    view: Callable[[int], LayoutView],
    calls: Sequence[float],
) -> Edits:
    """Edit these in turn, 40 times in a minute, and stop where the channel takes no more.

    Edits that waiting leaves no time for are skipped, and a message that fails ends nothing for
    the others. `view`: makes what the n-th edit shows; `calls`: when those by tokens went
    out that were made just before.
    """
    clock, turns = context.clock, _Turns(places)
    due = clock.now()
    result = Edits(len(calls), since=min(calls, default=due))
    ends = due + WITHIN
    for number in range(EDITS):
        if due >= ends or result.scope is Scope.CHANNEL:
            break
        if (place := turns.next()) is None:
            result.is_ended = True
            break
        await clock.sleep(max(0.0, due - clock.now()))
        sent, waits = context.budget.spend(where), 0.0
        try:
            heard = await _edit(context, place, view(number + 1))
        except FAILURES as error:
            result.failed += 1
            result.problem = problem(error)
            turns.failed(place, error)
        else:
            turns.taken(place)
            result.hear(heard, clock.now() - sent.at, clock.now())
            waits = heard.pause if heard.refused is not None else 0.0
        due = max(due + WITHIN / EDITS, clock.now() + waits)
    return result


async def _edit(context: PanelContext, place: EditableMessage, view: LayoutView) -> RateLimits:
    """Edit once, for ten seconds at most. A 429 of a proxy is nobody's limit here."""
    try:
        async with answered_within(PATIENCE):
            return await fast_path.push(context.client, place.token, place.message, view)
    except discord.HTTPException as error:
        if error.status != TOO_MANY:
            raise
        pause = headers.refused(error.response.headers, "").pause
        return RateLimits(Scope.EVERYWHERE, max(pause, UNSAID))
