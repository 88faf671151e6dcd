"""A running arena: its state, its place in the journal, and its turns."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from bot.clock import Clock
from bot.games.values import Refused
from bot.ids import ArenaId, UserId
from bot.tables.arena import decisions as d
from bot.tables.arena import events as e
from bot.tables.arena.decisions import Ask, Decision
from bot.tables.arena.pairing import next_table
from bot.tables.arena.state import Arena, Status, apply
from bot.tables.arenas.journal import ArenaJournal, ArenaLine
from bot.tables.arenas.table_entries import opening
from bot.tables.presses.arrival_queue import ArrivalQueue
from bot.tables.presses.press import Press, Stale
from bot.tables.registry.registry import Tables
from bot.tables.running.lifetime import Lifetime
from bot.tables.running.table import Table
from bot.tables.state.journal import DuplicateError
from bot.tables.state.session import BEFORE_DEAL, Phase

log = logging.getLogger(__name__)

CLOSED = "table.closed.arena"
"""The reason with which a table of an arena is closed once its round is scored."""


ON_THEIR_WAY = 2.0
"""Seconds after a deal in which its cards may not have been sent yet."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts that every running arena works with.

    `deals` returns how many people of an arena can be dealt cards now.
    """

    journal: ArenaJournal
    tables: Tables
    clock: Clock
    changed: Callable[["RunningArena"], None]
    deals: Callable[["RunningArena"], int]


class RunningArena:
    """An arena. Its state changes only at a turn of its line, in order of arrival.

    Events are in the journal before they hold. After each turn whoever is free is seated. Tables
    have lines of their own and never wait for an arena's, so that a turn here may wait for theirs.
    """

    def __init__(
        self, arena_id: ArenaId, state: Arena, seq: int, turns: ArrivalQueue, parts: Parts
    ) -> None:
        self.id = arena_id
        self.state = state
        self.tables: dict[int, Table] = {}  # by number, those whose round is not scored yet
        self._seq = seq
        self._turns = turns
        self._parts = parts
        self._life = Lifetime(parts.clock, state.lived)

    def __str__(self) -> str:
        """Return its name in the log."""
        return f"arena {self.id} in channel {self.state.opened.channel}"

    @property
    def link(self) -> str:
        """The link to its message, or to its channel while no message is known."""
        opened, message = self.state.opened, self.state.message
        if message is None:
            return f"<#{opened.channel}>"
        return f"https://discord.com/channels/{opened.guild}/{opened.channel}/{message}"

    @property
    def lived(self) -> int:
        """The ms that it has lived, without the time in which the bot was down."""
        return max(int(self._life.now() * 1000), self.state.lived)

    def table_of(self, user: UserId) -> Table | None:
        """Return the table of this arena at which somebody sits; None while they don't."""
        member = self.state.members.get(user)
        if member is None or member.status is not Status.SEATED or member.number is None:
            return None
        return self.tables.get(member.number)

    @property
    def undealt(self) -> int:
        """The number of people at its tables whose cards are about to be dealt, or on their way."""
        return sum(len(one.session.humans_in) for one in self.tables.values() if _is_undealt(one))

    # -- turns ------------------------------------------------------------------------------

    def press(self, ask: Ask, press: Press) -> asyncio.Future[Decision]:
        """Put a press in line, and return its decision to come. It is in line when this returns."""
        return self._turns.take(partial(self._decided, ask, press))

    def do(self, ask: Ask) -> asyncio.Future[Decision]:
        """Put a decision in line that needs no press."""
        return self._turns.take(partial(self._decided, ask, None))

    async def _decided(self, ask: Ask, press: Press | None) -> Decision:
        """Decide, write, and seat whoever is free. Raises what the journal raises."""
        if press is not None and press.is_late(self._parts.clock.now()):
            return Refused(Stale.TOO_OLD)
        before, decision = self.state, ask(self.state, self.lived)
        if isinstance(decision, d.Done) and decision.events:
            try:
                await self._write(decision.events, press)
            except DuplicateError:
                return Refused(Stale.SEEN)
        await self._seat_the_free()
        if self.state is not before:
            self._parts.changed(self)
        await self._put_tables_away()
        return decision

    async def _write(self, events: Sequence[e.Event], press: Press | None = None) -> None:
        at, lived = max(int(self._parts.clock.wall() * 1000), self.state.at), self.lived
        pressed = press.interaction if press is not None else None
        lines = [
            ArenaLine(self.id, self._seq + i, at, event, None if i else pressed, lived)
            for i, event in enumerate(events)
        ]
        durable = any(isinstance(event, e.DURABLE) for event in events)
        await self._parts.journal.append(lines, durable=durable)
        self._seq += len(lines)
        for event in events:
            self.state = apply(self.state, event, at, lived)

    async def _seat_the_free(self) -> None:
        """Open tables as long as people are free. After a failure the next turn tries again."""
        try:
            while users := next_table(self.state, self.lived, self._busy(), self._deals()):
                await self._seat(users)
        except Exception:
            log.exception("%s: opening a table failed", self)

    async def _seat(self, users: tuple[UserId, ...]) -> None:
        number = self.state.last + 1
        await self._write([e.Paired(number, users)])
        opened, first = opening(self.id, self.state, number)
        try:
            table = await self._parts.tables.made.seat(opened, first)
        except Exception:
            await self._write([e.Unpaired(number)])
            raise
        self.take_in(number, table)

    def take_in(self, number: int, table: Table) -> None:
        """Know a table as this arena's. It has the arena's message in the place of its own."""
        table.message = self.state.message
        table.people_beside = partial(self._people_beside, number)
        self.tables[number] = table

    def _deals(self) -> int:
        """Return how many people more can be dealt cards, after those who wait for theirs."""
        return self._parts.deals(self) - self.undealt

    def _people_beside(self, number: int) -> int:
        return self.state.active - len(self.state.running.get(number, ()))

    def _busy(self) -> frozenset[UserId]:
        """Return who of the free sits at a table elsewhere, or has asked for a seat there."""
        index, guild = self._parts.tables.index, self.state.opened.guild
        return frozenset(
            one.user
            for one in self.state.free
            if index.elsewhere(guild, one.user) is not None or index.earlier(guild, one.user)
        )

    async def _put_tables_away(self) -> None:
        """Close the tables whose round is scored, and those that outlast the arena."""
        for number, table in tuple(self.tables.items()):
            if number in self.state.running and not self.state.is_over:
                continue
            try:
                await self._parts.tables.close(table, CLOSED)
            except Exception:
                log.exception("%s: closing %s failed", self, table)
            if table.session.phase is Phase.CLOSED:
                del self.tables[number]


def _is_undealt(table: Table) -> bool:
    session = table.session
    if session.phase is Phase.LIVE:
        return table.lived - session.since / 1000 < ON_THEIR_WAY
    return session.phase in BEFORE_DEAL
