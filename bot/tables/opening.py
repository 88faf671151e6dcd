"""How a table comes to be: a command's lobby, a rematch's, and one in a forgotten lobby's place."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.games.kernel import Refused
from bot.games.screen import Text
from bot.tables import decisions as d
from bot.tables import entries as e
from bot.tables import lobby
from bot.tables.books import Books
from bot.tables.clock import Clock
from bot.tables.decisions import Decision, Done
from bot.tables.fold import apply, begin
from bot.tables.journal import Beside, Journal, JournalLine, TableId
from bot.tables.moment import Moment
from bot.tables.outcome import Outcome, seated_at, table_here
from bot.tables.press import IN_LINE, Press, Stale
from bot.tables.router import Why
from bot.tables.session import Phase, Session
from bot.tables.table import Table
from bot.tables.turns import Earlier, Spawn, Turns, past

OPENED = Done((), Text("table.in"))
MOST_TABLES = 50
"""Tables in play in one server."""


@dataclass(frozen=True, slots=True)
class _Instead:
    """A table that may take the place of the one that is there, once that is decided."""

    there: Table
    table: Table
    decided: asyncio.Future[Decision]


class Opening:
    """Makes tables, in each channel in the order in which they were asked for. `lobby` and `again`
    are ordinary functions: what is asked for is in line when they return.
    """

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
        self._lines: dict[int, Turns] = {}

    def lobby(self, opened: e.Opened, press: Press) -> Awaitable[Outcome]:
        """What a command asks for, unless a table is in this channel or its host sits elsewhere."""
        earlier = self._books.earlier(opened.guild, press.user)
        there, line = self._at(opened.channel), self._lines.get(opened.channel)
        # In the line of the table that is there, too: what is pressed there later comes later.
        begun = self._instead(there, opened, press, earlier) if there and not line else None
        work = partial(self._lobby, opened, press, earlier, begun)
        return self._take(opened.guild, opened.channel, press.user, work)

    def again(
        self, over: Table, press: Press, join: Callable[[Table, Press], Awaitable[Outcome]]
    ) -> Awaitable[Outcome]:
        """A rematch: the same seats again, held for a minute; the first to ask is in and is host.
        Who comes later joins, `join`, also where a command was first.
        """
        guild = over.session.opened.guild
        earlier = self._books.earlier(guild, press.user, over)
        work = partial(self._again, over, press, earlier, join)
        return self._take(guild, over.session.channel, press.user, work)

    def _take(
        self, guild: int, channel: int, user: int, work: Callable[[], Awaitable[Outcome]]
    ) -> Awaitable[Outcome]:
        """In the line of a channel: one opening there after the other, as they have arrived."""
        line = self._lines.setdefault(channel, Turns(f"channel {channel}", self._spawn))
        turn = line.take(work)
        self._books.arrived(guild, user, turn)
        turn.add_done_callback(lambda _: self._leave(channel, turn))
        return self._shown(turn)

    async def _shown(self, turn: asyncio.Future[Outcome]) -> Outcome:
        """Whoever opens a table shows it: watchers hear of it together with them, not before."""
        outcome = await turn
        if outcome.decision is OPENED and outcome.table is not None:
            self._changed(outcome.table)
        return outcome

    def _leave(self, channel: int, turn: asyncio.Future[Outcome]) -> None:
        line = self._lines.get(channel)
        if line is not None and line.last in (None, turn):
            del self._lines[channel]

    def _at(self, channel: int) -> Table | None:
        """The table in play in a channel."""
        there = self._books.at(channel)
        over = there is None or there.session.phase in (Phase.OVER, Phase.CLOSED)
        return None if over else there

    async def _lobby(
        self, opened: e.Opened, press: Press, earlier: Earlier, begun: _Instead | None
    ) -> Outcome:
        await past(earlier, IN_LINE)
        while True:
            if begun is None:
                if (there := self._at(opened.channel)) is None:
                    break
                begun = self._instead(there, opened, press)
            decision = await begun.decided
            if not isinstance(decision, Refused):
                return Outcome(begun.table, OPENED)
            if decision.why is not Why.NO_TABLE:
                return Outcome(begun.there, decision)
            begun = None
        if press.is_late(self._clock.now()):
            return Outcome(None, Refused(Stale.TOO_OLD))
        if (elsewhere := self._books.elsewhere(opened.guild, press.user)) is not None:
            return Outcome(elsewhere, seated_at(elsewhere))
        return await self._open(opened, [e.Seated(press.user, press.name)])

    def _instead(
        self, there: Table, opened: e.Opened, press: Press, earlier: Earlier = ()
    ) -> _Instead:
        """At the turn of a table that is in the channel: a forgotten lobby is closed and another
        opened in one transaction; another table stays as it is; one that is gone is in no way.
        """
        table, lines = self._new(opened, [e.Seated(press.user, press.name)])

        def ask(session: Session, now: Callable[[], Moment]) -> Decision:
            if session.phase in (Phase.OVER, Phase.CLOSED):
                return Refused(Why.NO_TABLE)
            if session.seat_of(press.user) is not None or not now().forgotten:
                return table_here(there)
            if (elsewhere := self._books.elsewhere(opened.guild, press.user)) is not None:
                return seated_at(elsewhere)  # they can't open another, not even in its place
            return d.close(session, "table.closed.forgotten")

        beside = Beside(lines, partial(self._books.enter, table))
        return _Instead(there, table, there.press(ask, press, earlier, beside))

    async def _again(
        self,
        over: Table,
        press: Press,
        earlier: Earlier,
        join: Callable[[Table, Press], Awaitable[Outcome]],
    ) -> Outcome:
        await past(earlier, IN_LINE)
        session = over.session
        decision = d.rematch(session, press.user)
        following = self._books.at(session.channel)
        if press.is_late(self._clock.now()):
            return Outcome(over, Refused(Stale.TOO_OLD))
        if following not in (None, over) and decision != Refused(d.Why.STRANGER):
            assert following is not None
            return await join(following, press)
        if isinstance(decision, Refused):
            return Outcome(over, decision)
        if elsewhere := self._books.elsewhere(session.opened.guild, press.user, over):
            return Outcome(elsewhere, seated_at(elsewhere))
        return await self._open(*lobby.again(session, press.user, press.name))

    async def _open(self, opened: e.Opened, seated: Sequence[e.Seated]) -> Outcome:
        """Raises what the journal does; then the table was never there."""
        if self._books.in_play(opened.guild) >= MOST_TABLES:
            return Outcome(None, Refused(Why.MOST_TABLES, (("n", MOST_TABLES),)))
        table, lines = self._new(opened, seated)
        before = self._books.at(opened.channel)
        self._books.enter(table)  # who sits here sits nowhere else while it is written
        await table.in_line(partial(self._write, table, lines, before))
        return Outcome(table, OPENED)

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

    async def _write(
        self, table: Table, lines: Sequence[JournalLine], before: Table | None
    ) -> None:
        """The first turn of a table. When it cannot be written, the table was never there."""
        try:
            await self._journal.append(lines, durable=True)
        except BaseException:
            table.session = replace(table.session, phase=Phase.CLOSED)
            self._books.remove(table)
            if before is not None and self._books.get(before.id) is before:
                self._books.enter(before)  # it is over and not closed: the channel's again
            raise

    def new(self, table_id: TableId, session: Session, seq: int) -> Table:
        table = Table(table_id, session, seq, self._journal, self._clock, self._spawn)
        table.on_change = self._changed
        return table
