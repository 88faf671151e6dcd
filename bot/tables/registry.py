"""Every table that is open, found by its id, its channel or a person in it."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.games.kernel import Refused
from bot.games.screen import Text
from bot.tables import decisions as d
from bot.tables import entries as e
from bot.tables import lobby, votes
from bot.tables.books import Books
from bot.tables.clock import Clock
from bot.tables.decisions import Decision, Done
from bot.tables.due import due
from bot.tables.fold import apply, begin
from bot.tables.journal import Beside, Journal, JournalLine, TableId
from bot.tables.press import Freshness, Press, Stale
from bot.tables.rate import Rate
from bot.tables.resume import Resume, Stored
from bot.tables.router import Asked, Why, route
from bot.tables.session import Phase, Session
from bot.tables.table import Table
from bot.tables.turns import Spawn, spawn

log = logging.getLogger(__name__)

MOST_TABLES = 50
"""Tables in play in one server."""
PRESSES, WITHIN = 30, 2.0
"""Presses of one person, in seconds: more than the quickest thumb makes."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a press: the table it was for, if there is one, and what to say."""

    table: Table | None
    decision: Decision
    is_repeated: bool = False
    """Whether this process has heard of it before: what it heard first is what it answers."""

    @property
    def refused(self) -> Refused | None:
        return self.decision if isinstance(self.decision, Refused) else None

    @property
    def said(self) -> Text:
        decision = self.decision
        return decision.text if isinstance(decision, Refused) else decision.said


class Tables:
    """The door. `open` and `press` are ordinary functions that return an awaitable: what arrives
    is in its table's line when they return, so that nothing can be awaited before it.
    """

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        seed: Callable[[], bytes] = lambda: secrets.token_bytes(32),
        spawn: Spawn = spawn,
    ) -> None:
        self.watchers: list[Callable[[Table], None]] = []
        self.books = Books()
        self._journal = journal
        self._clock = clock
        self._seed = seed
        self._spawn = spawn
        self._fresh = Freshness()
        self._pace = Rate(PRESSES, WITHIN)
        self._next_id = 1

    # -- opening and coming back ------------------------------------------------------------

    def open(self, opened: e.Opened, press: Press) -> Awaitable[Outcome]:
        """A new lobby with its host seated. One table a channel, one seat a person a server. A
        lobby that everybody has forgotten makes room. Raises what the journal does; then nothing
        is opened, and nothing closed.
        """
        if (stale := self._fresh.check(press)) is not None:
            return _known(Outcome(None, stale, stale.why is Stale.SEEN))
        return self._open_here(opened, press)

    def _open_here(self, opened: e.Opened, press: Press) -> Awaitable[Outcome]:
        there = self.books.at(opened.channel)
        elsewhere = self.books.elsewhere(opened.guild, press.user)
        if there is not None and there.session.phase is not Phase.OVER:
            if there.session.seat_of(press.user) is not None:
                return self._turn_away(there, _here(there), press)
            if not there.is_forgotten:
                return _known(Outcome(there, _here(there)))
            if elsewhere is None:
                return self._instead(there, opened, press)
        if elsewhere is not None:  # they can't open another, not even in the place of this one
            return _known(Outcome(elsewhere, _seated_at(elsewhere)))
        return self._open(opened, [e.Seated(press.user, press.name)])

    def _instead(self, there: Table, opened: e.Opened, press: Press) -> Awaitable[Outcome]:
        """Close a forgotten lobby and open another in one transaction, unless somebody presses
        there first. Until then whoever opens it sits down nowhere else.
        """
        forgotten: d.Decide = lambda session: (  # noqa: E731 for this turn alone
            d.close(session, "table.closed.forgotten") if there.is_forgotten else _here(there)
        )
        table, lines = self._new(opened, [e.Seated(press.user, press.name)])
        self.books.promise(table, press.user)
        closed = there.do(forgotten, Beside(lines, partial(self.books.enter, table)))
        closed.add_done_callback(lambda _: self.books.settle(table, press.user))
        return self._replaced(there, table, closed, partial(self._open_here, opened, press))

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

    def _open(self, opened: e.Opened, seated: Sequence[e.Seated]) -> Awaitable[Outcome]:
        if self.books.in_play(opened.guild) >= MOST_TABLES:
            return _known(Outcome(None, Refused(Why.MOST_TABLES, (("n", MOST_TABLES),))))
        table, lines = self._new(opened, seated)
        # In the books at once, so that a second command meets the first.
        before = self.books.at(opened.channel)
        self.books.enter(table)
        return self._opened(table, table.in_line(partial(self._write, table, lines, before)))

    def _new(
        self, opened: e.Opened, seated: Sequence[e.Seated]
    ) -> tuple[Table, Sequence[JournalLine]]:
        """A lobby that nobody knows of yet, and the lines that make it."""
        table_id, self._next_id = TableId(self._next_id), self._next_id + 1
        at = int(self._clock.wall() * 1000)
        entries: list[e.Entry] = [opened, *seated, e.Promised(self._seed().hex())]
        session = begin(opened, at)
        for entry in entries[1:]:
            session = apply(session, entry, at)
        table = self._table(table_id, session, len(entries))
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
            self.books.remove(table)
            if before is not None:
                self.books.enter(before)
            raise

    async def resume(self, stored: Iterable[Stored], next_id: int) -> list[Table]:
        """Every open table goes on where it was; a round in progress after a get-ready. Return
        those that could not and are closed: their messages are to say why.
        """
        self._next_id = next_id
        return await Resume(self.books, self._journal, self._table).all(stored)

    def _table(self, table_id: TableId, session: Session, seq: int) -> Table:
        table = Table(table_id, session, seq, self._journal, self._clock, self._spawn)
        table.on_change = self._changed
        return table

    # -- presses ----------------------------------------------------------------------------

    def press(self, table_id: TableId, round_: int, word: str, press: Press) -> Awaitable[Outcome]:
        """Whatever a button says. Unknown tables, seats, words and old rounds are refused.

        What is decided here needs no table, or two; all else is decided at the press's turn.
        """
        table = self.books.get(table_id)
        if (barred := self._barred(table, press)) is not None:
            return _known(barred)
        if table is None:
            return _known(Outcome(None, Refused(Why.NO_TABLE)))
        if word == "join":
            return self._join(table, press)
        if word == "rematch":
            return self._rematch(table, press)
        return _outcome(table, self._ask(table, round_, word, press))

    def refuse(
        self, table_id: TableId | None, refused: Refused, press: Press
    ) -> Awaitable[Outcome]:
        """A press that can only be refused, by what the table itself can't know. None: one that
        is for no table. It passes the same door, and whoever is seated is here.
        """
        table = self.books.get(table_id) if table_id is not None else None
        if (barred := self._barred(table, press)) is not None:
            return _known(barred)
        if table is None:
            return _known(Outcome(None, refused if table_id is None else Refused(Why.NO_TABLE)))
        return self._turn_away(table, refused, press)

    def here(self, channel: int, press: Press) -> Awaitable[Outcome]:
        """Somebody has pressed a button that is no table's, as Rules is. Who sits there is here."""
        table = self.books.at(channel)
        if table is None or table.session.seat_of(press.user) is None:
            return _known(Outcome(table, Refused(Why.STRANGER)))
        return self._turn_away(table, Done((), Text("table.in")), press)

    def _barred(self, table: Table | None, press: Press) -> Outcome | None:
        """Why a press gets no further than the door: it was here before, is old, or one of very
        many.
        """
        if (stale := self._fresh.check(press)) is not None:
            return Outcome(table, stale, stale.why is Stale.SEEN)
        if not self._pace.allows(press.user, press.arrived):
            return Outcome(table, Refused(Stale.TOO_MANY))
        return None

    def _turn_away(self, table: Table, decision: Decision, press: Press) -> Awaitable[Outcome]:
        return _outcome(table, table.press(lambda _, __: decision, press))

    def _ask(self, table: Table, round_: int, word: str, press: Press) -> asyncio.Future[Decision]:
        asked = Asked(word, round_, press.user, press.name, self._seed)
        return table.press(partial(route, asked), press)

    def _join(self, table: Table, press: Press) -> Awaitable[Outcome]:
        guild = table.session.opened.guild
        if (elsewhere := self.books.elsewhere(guild, press.user, table)) is not None:
            return _known(Outcome(table, _seated_at(elsewhere)))
        self.books.promise(table, press.user)
        decided = self._ask(table, 0, "join", press)
        decided.add_done_callback(lambda _: self.books.settle(table, press.user))
        return _outcome(table, decided)

    def _rematch(self, table: Table, press: Press) -> Awaitable[Outcome]:
        """The same seats again, held for a minute; the first to ask is in and is host."""
        session = table.session
        decision = d.rematch(session, press.user)
        following = self.books.at(session.channel)
        if following not in (None, table) and decision != Refused(d.Why.STRANGER):
            assert following is not None
            return self._join(following, press)
        if isinstance(decision, Refused):
            return _known(Outcome(table, decision))
        guild = session.opened.guild
        if (elsewhere := self.books.elsewhere(guild, press.user, table)) is not None:
            return _known(Outcome(elsewhere, _seated_at(elsewhere)))
        return self._open(*lobby.again(session, press.user, press.name))

    # -- time -------------------------------------------------------------------------------

    async def tick(self) -> None:
        """What happens because time passes. Called every few seconds."""
        for table in self.books:
            now, clock = self._clock.wall(), self._clock.now()
            try:
                if (decide := due(table.session, now, table.last_press, clock)) is not None:
                    await table.do(decide)
                elif votes.agreed(table.session, table.moment().absent) is not None:
                    await table.do(partial(_agreed, table))
                elif table.looks_otherwise():
                    table.tell_of_time()
            except Exception:
                log.exception("%s: the clock's tick failed", table)

    async def close(self, table: Table, reason: str) -> None:
        """Close a table from outside: its channel is gone, or it keeps failing."""
        await table.do(partial(d.close, reason=reason))

    def _changed(self, table: Table) -> None:
        self.books.note(table)
        if table.session.phase is Phase.CLOSED:
            self.books.remove(table)
        for watcher in self.watchers:
            watcher(table)


def _agreed(table: Table, session: Session) -> Decision:
    """Somebody may have pressed before this has its turn."""
    return votes.agreed(session, table.moment().absent) or Done((), Text("table.live"))


def _here(table: Table) -> Refused:
    return Refused(Why.TABLE_HERE, (("where", table.link),))


def _known(outcome: Outcome) -> Awaitable[Outcome]:
    """An outcome that needs no waiting for."""
    known: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
    known.set_result(outcome)
    return known


async def _outcome(table: Table, decided: asyncio.Future[Decision]) -> Outcome:
    """Whoever stops waiting for a press does not take it back: it is in line, and it counts."""
    return Outcome(table, await asyncio.shield(decided))


def _seated_at(table: Table) -> Refused:
    return Refused(Why.SEATED_ELSEWHERE, (("where", table.link),))
