"""How a table comes to be: a command's lobby, a rematch's, and one in a forgotten lobby's place."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial

from bot.games.kernel import Refused
from bot.games.screen import Text
from bot.tables import decisions as d
from bot.tables import entries as e
from bot.tables.books import Books
from bot.tables.clock import Clock
from bot.tables.decisions import Decision, Done
from bot.tables.fold import apply, begin
from bot.tables.journal import Beside, Journal, JournalLine, TableId
from bot.tables.outcome import Outcome, known, seated_at, table_here, turned_away
from bot.tables.press import Press
from bot.tables.router import Why
from bot.tables.session import Phase, Session
from bot.tables.table import Table
from bot.tables.turns import Spawn

MOST_TABLES = 50
"""Tables in play in one server."""


class Opening:
    """Makes tables. What is opened is in the books when these functions return."""

    def __init__(
        self,
        books: Books,
        journal: Journal,
        clock: Clock,
        seed: Callable[[], bytes],
        spawn: Spawn,
        changed: Callable[[Table], None],
    ) -> None:
        self.next_id = 1
        self._books = books
        self._journal = journal
        self._clock = clock
        self._seed = seed
        self._spawn = spawn
        self._changed = changed

    def lobby(self, opened: e.Opened, press: Press) -> Awaitable[Outcome]:
        """What a command asks for, unless a table is in this channel or its host sits elsewhere."""
        there = self._books.at(opened.channel)
        elsewhere = self._books.elsewhere(opened.guild, press.user)
        if there is not None and there.session.phase is not Phase.OVER:
            if there.session.seat_of(press.user) is not None:
                return turned_away(there, table_here(there), press)
            if not there.is_forgotten:
                return known(Outcome(there, table_here(there)))
            if elsewhere is None:
                return self._instead(there, opened, press)
        if elsewhere is not None:  # they can't open another, not even in the place of this one
            return known(Outcome(elsewhere, seated_at(elsewhere)))
        return self.table(opened, [e.Seated(press.user, press.name)])

    def _instead(self, there: Table, opened: e.Opened, press: Press) -> Awaitable[Outcome]:
        """Close a forgotten lobby and open another in one transaction, unless somebody presses
        there first. Until then whoever opens it sits down nowhere else.
        """
        forgotten: d.Decide = lambda session: (  # noqa: E731 for this turn alone
            d.close(session, "table.closed.forgotten") if there.is_forgotten else table_here(there)
        )
        table, lines = self._new(opened, [e.Seated(press.user, press.name)])
        self._books.promise(table, press.user)
        closed = there.do(forgotten, Beside(lines, partial(self._books.enter, table)))
        closed.add_done_callback(lambda _: self._books.settle(table, press.user))
        return self._replaced(there, table, closed, partial(self.lobby, opened, press))

    async def _replaced(
        self,
        there: Table,
        table: Table,
        closed: asyncio.Future[Decision],
        again: Callable[[], Awaitable[Outcome]],
    ) -> Outcome:
        """`again`: somebody else has closed it meanwhile."""
        decision = await asyncio.shield(closed)
        if not isinstance(decision, Refused):
            return self._shown(table)
        if there.session.phase is Phase.CLOSED:
            return await again()
        return Outcome(there, decision)

    def table(self, opened: e.Opened, seated: Sequence[e.Seated]) -> Awaitable[Outcome]:
        if self._books.in_play(opened.guild) >= MOST_TABLES:
            return known(Outcome(None, Refused(Why.MOST_TABLES, (("n", MOST_TABLES),))))
        table, lines = self._new(opened, seated)
        # In the books at once, so that a second command meets the first.
        before = self._books.at(opened.channel)
        self._books.enter(table)
        return self._opened(table, table.in_line(partial(self._write, table, lines, before)))

    def _new(
        self, opened: e.Opened, seated: Sequence[e.Seated]
    ) -> tuple[Table, Sequence[JournalLine]]:
        """A lobby that nobody knows of yet, and the lines that make it."""
        table_id, self.next_id = TableId(self.next_id), self.next_id + 1
        at = int(self._clock.wall() * 1000)
        entries: list[e.Entry] = [opened, *seated, e.Promised(self._seed().hex())]
        session = begin(opened, at)
        for entry in entries[1:]:
            session = apply(session, entry, at)
        table = self.new(table_id, session, len(entries))
        return table, [JournalLine(table_id, i, at, entry) for i, entry in enumerate(entries)]

    async def _opened(self, table: Table, written: asyncio.Future[None]) -> Outcome:
        await asyncio.shield(written)
        return self._shown(table)

    def _shown(self, table: Table) -> Outcome:
        """It is shown by whoever opens it: watchers hear of it together with them, not before."""
        self._changed(table)
        return Outcome(table, Done((), Text("table.in")))

    async def _write(
        self, table: Table, lines: Sequence[JournalLine], before: Table | None
    ) -> None:
        """The first turn of a table. When it cannot be written, the table was never there."""
        try:
            await self._journal.append(lines, durable=True)
        except BaseException:
            table.session = replace(table.session, phase=Phase.CLOSED)
            self._books.remove(table)
            if before is not None:
                self._books.enter(before)
            raise

    def new(self, table_id: TableId, session: Session, seq: int) -> Table:
        table = Table(table_id, session, seq, self._journal, self._clock, self._spawn)
        table.on_change = self._changed
        return table
