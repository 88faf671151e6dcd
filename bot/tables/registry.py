"""Every table that is open, found by its id, its channel or a person in it."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable
from functools import partial

from bot.games.screen import Text
from bot.games.values import Refused
from bot.tables import decisions as d
from bot.tables import entries as e
from bot.tables import votes
from bot.tables.actions import Action, Join, Rematch
from bot.tables.books import Books
from bot.tables.clock import Clock
from bot.tables.decisions import Decision, Done, Move
from bot.tables.due import due
from bot.tables.journal import Journal, TableId
from bot.tables.moment import Moment
from bot.tables.opening import Opening
from bot.tables.outcome import Outcome, in_turn, known, seated_at, turned_away
from bot.tables.press import Freshness, Press, Stale
from bot.tables.rate import Rate
from bot.tables.resume import Resume, Stored
from bot.tables.router import Asked, Why, route
from bot.tables.session import Phase, Session
from bot.tables.table import Ask, Table
from bot.tables.turns import Spawn, spawn

log = logging.getLogger(__name__)

PRESSES, WITHIN = 30, 2.0
"""Presses of one person, in seconds: more than the quickest thumb makes."""


NOTHING = Done((), Text("table.live"))
"""What time has brought about when somebody was quicker."""


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
        passes: Callable[[Exception], bool] = lambda _: False,
    ) -> None:
        self.watchers: list[Callable[[Table], None]] = []
        self.books = Books()
        self._journal = journal
        self._clock = clock
        self._seed = seed
        self._passes = passes
        self.unpaused: list[Table] = []
        self._fresh = Freshness()
        self._pace = Rate(PRESSES, WITHIN)
        self._opening = Opening(self.books, journal, clock, seed, spawn, self._changed)

    # -- opening and coming back ------------------------------------------------------------

    def open(self, opened: e.Opened, press: Press) -> Awaitable[Outcome]:
        """A new lobby with its host seated. One table a channel, one seat a person a server. A
        lobby that everybody has forgotten makes room. Raises what the journal does; then nothing
        is opened, and nothing closed.
        """
        if (stale := self._fresh.check(press)) is not None:
            return known(Outcome(None, stale, stale.why is Stale.SEEN))
        return self._opening.lobby(opened, press)

    async def resume(self, stored: Iterable[Stored], next_id: int) -> list[Table]:
        """Every open table goes on where it was; a round in progress after a get-ready. Return
        those that could not and are closed: their messages are to say why. Those in `unpaused`
        still lack their get-ready, since the disk takes nothing.
        """
        self._opening.next_id = next_id
        back = Resume(self.books, self._journal, self._opening.new, self._passes, self.unpaused)
        return await back.all(stored)

    # -- presses ----------------------------------------------------------------------------

    def press(
        self, table_id: TableId, round_: int, action: Action, press: Press
    ) -> Awaitable[Outcome]:
        """Do what a button asks for. Unknown tables, seats, moves and old rounds are refused.

        What is decided here needs no table, or two; all else is decided at the press's turn.
        """
        table = self.books.get(table_id)
        if (barred := self._barred(table, press)) is not None:
            return known(barred)
        if table is None:
            return known(Outcome(None, Refused(Why.NO_TABLE)))
        match action:
            case Join():
                return self._join(table, press)
            case Rematch():
                return self._opening.again(table, press, self._joins)
            case _:
                return in_turn(table, self._ask(table, round_, action, press))

    def refuse(
        self, table_id: TableId | None, refused: Refused, press: Press
    ) -> Awaitable[Outcome]:
        """A press that can only be refused, by what the table itself can't know. None: one that
        is for no table. It passes the same door, and whoever is seated is here.
        """
        table = self.books.get(table_id) if table_id is not None else None
        if (barred := self._barred(table, press)) is not None:
            return known(barred)
        if table is None:
            return known(Outcome(None, refused if table_id is None else Refused(Why.NO_TABLE)))
        return turned_away(table, refused, press)

    def here(self, channel: int, press: Press) -> Awaitable[Outcome]:
        """Somebody has pressed a button that is no table's, as Rules is. Who sits there is here."""
        table = self.books.at(channel)
        if (stale := self._fresh.check(press)) is not None:
            return known(Outcome(table, stale, stale.why is Stale.SEEN))
        if table is None or table.session.seat_of(press.user) is None:
            return known(Outcome(table, Refused(Why.STRANGER)))
        return turned_away(table, Done((), Text("table.in")), press)

    def _barred(self, table: Table | None, press: Press) -> Outcome | None:
        """Why a press gets no further than the door: it was here before, is old, or one of very
        many.
        """
        if (stale := self._fresh.check(press)) is not None:
            return Outcome(table, stale, stale.why is Stale.SEEN)
        if not self._pace.allows(press.user, press.arrived):
            return Outcome(table, Refused(Stale.TOO_MANY))
        return None

    def _ask(
        self, table: Table, round_: int, action: Action, press: Press
    ) -> asyncio.Future[Decision]:
        asked = Asked(action, round_, press.user, press.name, self._seed)
        return table.press(partial(route, asked), press)

    def _join(self, table: Table, press: Press) -> Awaitable[Outcome]:
        guild, user = table.session.opened.guild, press.user
        seated = self.books.elsewhere(guild, user, table)
        earlier = self.books.earlier(guild, user, table)
        if seated is not None and not earlier:  # whatever they ask for after it
            return turned_away(table, seated_at(seated), press)
        decided = table.press(self._joins(table, press), press, earlier)
        self.books.arrived(guild, user, decided)
        return in_turn(table, decided)

    def _joins(self, table: Table, press: Press) -> Ask:
        """Return the decision of a Join, to be made at its turn."""
        guild, user = table.session.opened.guild, press.user
        asked = Asked(Join(), 0, user, press.name, self._seed)

        def ask(session: Session, now: Callable[[], Moment]) -> Decision | Move:
            elsewhere = self.books.elsewhere(guild, user, table)
            return route(asked, session, now) if elsewhere is None else seated_at(elsewhere)

        return ask

    # -- time -------------------------------------------------------------------------------

    async def tick(self) -> None:
        """What happens because time passes. Called every few seconds."""
        for table in self.books:
            wall, now = self._clock.wall(), self._clock.now()
            try:
                if due(table.session, wall, table.last_press, now) is not None:
                    await table.do(partial(_due, table, wall, now))
                elif votes.agreed(table.session, table.moment().absent) is not None:
                    await table.ask(_agreed)
                elif table.looks_otherwise():
                    table.tell_of_time()
            except Exception:
                log.exception("%s: the clock's tick failed", table)

    async def close(self, table: Table, reason: str) -> None:
        """Close a table from outside: its channel is gone, or it keeps failing."""
        await table.do(partial(d.close, reason=reason))

    async def forget(self, user: int) -> None:
        """No table knows this person any more, but those in whose match they are."""
        for table in self.books:
            await table.forget(user)

    def _changed(self, table: Table) -> None:
        self.books.note(table)
        if table.session.phase is Phase.CLOSED:
            self.books.remove(table)
        for watcher in self.watchers:
            watcher(table)


def _due(table: Table, wall: float, now: float, session: Session) -> Decision:
    """Somebody who had pressed by then may have had their turn before this."""
    decide = due(session, wall, table.last_press, now)
    return NOTHING if decide is None else decide(session)


def _agreed(session: Session, now: Callable[[], Moment]) -> Decision:
    return votes.agreed(session, now().absent) or NOTHING
