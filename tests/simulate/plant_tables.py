"""Faults of tables and of what shows them: presses, seats, panels, and the tasks behind them."""

import asyncio
import itertools
import math
import random
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

from bot import app
from bot.clock import Clock
from bot.screen import Screen
from bot.tables.presses.arrival_queue import ArrivalQueue
from bot.tables.presses.press import Press
from bot.tables.registry.index import TableIndex
from bot.tables.running.lifetime import Lifetime
from bot.tables.running.redraw import Redraw
from bot.tables.running.supervisor import Supervisor
from bot.tables.running.table import Table
from bot.tables.state.session import Phase, Session
from bot.tables.views.screens.kept import KeptScreen
from bot.tasks import TICK, Ticking
from bot.ui.connection import token_life
from bot.ui.connection.responses import Interaction
from bot.ui.limits.edit_budget import Budget
from bot.ui.panels.panels import Panels
from bot.ui.presses import presses
from bot.ui.presses.presses import Presses

THOUGHT = 0.1
"""Seconds that a press is kept waiting for at most."""
TICKS = 20
"""How often what time brings is looked at before nobody looks any more."""
SELDOM = 25
"""One in so many tasks is forgotten."""


def asks_first() -> None:
    """Something is asked about a press before it stands in its table's queue.

    Breaks: the order of arrival decides.
    """
    handle = Presses.handle

    async def later(self: Presses, interaction: Interaction) -> None:
        await asyncio.sleep(random.Random(interaction.id).uniform(0, THOUGHT))
        await handle(self, interaction)

    Presses.handle = later  # type: ignore[method-assign]


def reads_time_late() -> None:
    """The time of a press is read from the clock when it is worked on, a moment later.

    Breaks: the margin of a lost race is true.
    """
    read = presses.read

    def late(interaction: Interaction, clock: Clock) -> Press:
        press = read(interaction, clock)
        waited = random.Random(interaction.id).uniform(0, THOUGHT)
        return replace(press, arrived=press.arrived + waited)

    presses.read = late


def measures_by_the_wall() -> None:
    """What lasts at a table is measured by the machine's wall clock.

    Breaks: no time comes from the wall clock.
    """

    def begin(self: Lifetime, clock: Clock, lived: int) -> None:
        self._clock = clock
        self._born = clock.wall() - lived / 1000

    def now(self: Lifetime) -> float:
        return self._clock.wall() - self._born

    Lifetime.__init__ = begin  # type: ignore[method-assign]
    Lifetime.now = now  # type: ignore[method-assign]


def keeps_its_turn() -> None:
    """A table's turn stays taken when what is done in it fails, as on a disk that is full.

    Breaks: every press is answered, and everyone can leave.
    """

    async def serve(self: ArrivalQueue) -> None:
        while self._line:
            turn = self._line.popleft()
            await self._do(turn)
            if turn.result.cancelled() or turn.result.exception() is not None:
                return

    ArrivalQueue._serve = serve  # type: ignore[method-assign]


def keeps_the_seat() -> None:
    """Who leaves a table still sits there as far as other tables know, until it is closed.

    Breaks: everyone can open or join a table again.
    """
    note = TableIndex.note

    def without_leaving(self: TableIndex, table: Table) -> None:
        before = dict(self._persons)
        note(self, table)
        for person, seat in before.items():
            self._persons.setdefault(person, seat)

    TableIndex.note = without_leaving  # type: ignore[method-assign]


def forgets_changes() -> None:
    """What changes while a message is being sent is taken for sent.

    Breaks: every panel and every table's message show the newest state.
    """

    async def draw_once(self: Redraw) -> None:
        await self._draw()
        self.dirty = False

    Redraw._draw_once = draw_once  # type: ignore[method-assign]


def trusts_old_tokens() -> None:
    """Tokens are used for as long as there is something to show; no panel is put to sleep.

    Breaks: a panel shows the newest state, or says that it sleeps.
    """
    for name in ("TOKEN_LIFE", "LAST_EDIT_AFTER"):
        vars(token_life)[name] = math.inf


def ticks_no_more() -> None:
    """The look at what time brings ends after a while, and nobody hears of it.

    Breaks: no table is left.
    """

    async def ticking(part: Ticking, clock: Clock) -> None:
        for _ in range(TICKS):
            await clock.sleep(TICK)
            await part.tick()

    vars(app)["keep_ticking"] = ticking


def begins_not_all() -> None:
    """Now and then a table's task is never begun, and nobody hears of it.

    Breaks: every panel and every table's message show the newest state.
    """
    start, numbers = Supervisor.start, itertools.count()

    def seldom_not(
        self: Supervisor, table: Table, what: str, work: Callable[[], Coroutine[Any, Any, None]]
    ) -> None:
        if next(numbers) % SELDOM:
            start(self, table, what, work)

    Supervisor.start = seldom_not  # type: ignore[method-assign]


def keeps_panels() -> None:
    """The panels of a closed table stay in memory.

    Breaks: no panel is left.
    """
    Panels.drop = lambda self, table: None  # type: ignore[method-assign]


def keeps_queues() -> None:
    """What a channel is allowed is remembered for every channel that ever was.

    Breaks: no channel queue is left.
    """
    Budget.tidy = lambda self: None  # type: ignore[method-assign]


def keeps_screens() -> None:
    """A screen is kept in a round until another place is taken.

    Breaks: a kept screen is the one that would be drawn.
    """
    now = KeptScreen.now

    def too_long(self: KeptScreen[Any], session: Session, beside: Any) -> Screen:
        if self.last is not None and self.last[0].news == session.news:
            kept = self.last[2] if session.phase is Phase.LIVE else None
            return kept or now(self, session, beside)
        return now(self, session, beside)

    KeptScreen.now = too_long  # type: ignore[method-assign]
