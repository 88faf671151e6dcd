"""The registry of open tables, to which every command and press comes."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from functools import partial

from bot.clock import Clock
from bot.games.values import Refused
from bot.ids import ChannelId, UserId
from bot.tables.decisions import decide as d
from bot.tables.decisions import votes
from bot.tables.decisions.decide import Decide, Decision, Done, Move
from bot.tables.decisions.lobby import robot
from bot.tables.decisions.presence import Presence
from bot.tables.decisions.timeouts import due, due_in_arena
from bot.tables.presses.discord_time import DiscordTime
from bot.tables.presses.press import Press, Stale
from bot.tables.presses.rate_limit import PressLimit
from bot.tables.presses.replay_guard import ReplayGuard
from bot.tables.presses.router import Asked, PressRefusal, route
from bot.tables.registry.index import TableIndex
from bot.tables.registry.new_tables import NewTables
from bot.tables.registry.opening import Opening
from bot.tables.registry.outcome import Outcome, in_turn, known, seated_at, turned_away
from bot.tables.registry.resume import Resume, Stored
from bot.tables.running.table import Ask, Table
from bot.tables.state import events as e
from bot.tables.state.actions import Action, Join, MoveDown, Rematch
from bot.tables.state.journal import Journal, TableId
from bot.tables.state.session import Phase, Session
from bot.tasks import Spawn
from bot.text import SILENT, Text

log = logging.getLogger(__name__)

NOTHING_DUE = Done((), SILENT)
"""The decision if a press before the tick's turn has changed what was due."""


class Tables:
    """The registry of open tables.

    `called` returns a robot's name in the language of a table, by its number.
    `open` and `press` are ordinary functions that return an awaitable: what arrives is in its
    table's line when they return, so nothing can be awaited before it.
    """

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        seed: Callable[[], bytes],
        spawn: Spawn,
        passes: Callable[[Exception], bool],
        called: Callable[[str, int], str] = lambda _, number: robot(number),
    ) -> None:
        self.watchers: list[Callable[[Table], None]] = []
        self.index = TableIndex()
        self._journal = journal
        self._seed = seed
        self._passes = passes
        self._called = called
        self.unpaused: list[Table] = []
        self._fresh = ReplayGuard()
        self.discord = DiscordTime(clock)
        self._press_limit = PressLimit()
        self.made = NewTables(self.index, journal, clock, seed, spawn, self._changed)
        self._opening = Opening(self.index, self.made, clock, self._changed)

    # -- opening and coming back ------------------------------------------------------------

    def open(self, opened: e.Opened, press: Press, robots: int = 0) -> Awaitable[Outcome]:
        """Open a lobby with its host seated. A channel has one table, a person one seat per server.

        `robots`: how many sit there from the start. A lobby that everybody has forgotten makes
        room. Raises what the journal raises; then nothing is opened, and nothing closed.
        """
        if (stale := self._stale(press)) is not None:
            return known(Outcome(None, stale, stale.why is Stale.SEEN))
        names = (self._called(opened.locale, number) for number in range(1, robots + 1))
        return self._opening.lobby(opened, press, [e.Seated(None, name) for name in names])

    async def resume(self, stored: Iterable[Stored], next_id: int) -> list[Table]:
        """Resume every open table where it was; a round in progress waits for a get-ready.

        Return the tables that could not go on and are closed, and whose messages should say why.
        Tables in `unpaused` could not be paused, since the disk takes nothing.
        """
        self.made.next_id = next_id
        back = Resume(self.index, self._journal, self.made.again, self._passes, self.unpaused)
        return await back.all(stored)

    # -- presses ----------------------------------------------------------------------------

    def press(
        self, table_id: TableId, round_: int, action: Action, press: Press
    ) -> Awaitable[Outcome]:
        """Do what a button asks for. Unknown tables, seats, moves and old rounds are refused.

        Only what needs no table, or two, is decided here; all else is decided at the press's turn.
        """
        table = self.index.get(table_id)
        if (barred := self._barred(table, press)) is not None:
            return known(barred)
        if table is None:
            return known(Outcome(None, Refused(PressRefusal.NO_TABLE)))
        match action:
            case Join() | Rematch() | MoveDown() if table.session.opened.arena is not None:
                return known(Outcome(None, Refused(PressRefusal.NO_TABLE)))
            case Join():
                return self._join(table, press)
            case Rematch():
                return self._opening.rematch(table, press, self._joins)
            case _:
                return in_turn(table, self._ask(table, round_, action, press))

    def refuse(
        self, table_id: TableId | None, refused: Refused, press: Press
    ) -> Awaitable[Outcome]:
        """Refuse a press for a reason that the table itself can't know.

        `table_id` is None for a press that is for no table. It is checked like any press, and
        somebody who is seated counts as present.
        """
        table = self.index.get(table_id) if table_id is not None else None
        if (barred := self._barred(table, press)) is not None:
            return known(barred)
        if table is None:
            return known(
                Outcome(None, refused if table_id is None else Refused(PressRefusal.NO_TABLE))
            )
        return turned_away(table, refused, press)

    def here(self, channel: ChannelId, press: Press) -> Awaitable[Outcome]:
        """Note a press on no table's button, such as Rules: whoever sits here is present."""
        if (stale := self._stale(press)) is not None:
            return known(Outcome(self.index.at(channel), stale, stale.why is Stale.SEEN))
        return self.attends(channel, press)

    def attends(self, channel: ChannelId, press: Press) -> Awaitable[Outcome]:
        """Note a press that is looked at elsewhere, as `here` does."""
        table = self.index.at(channel)
        if table is None or table.session.seat_of(press.user) is None:
            return known(Outcome(table, Refused(PressRefusal.STRANGER)))
        return turned_away(table, Done((), Text("table.in")), press)

    def barred(self, press: Press) -> Outcome | None:
        """Return the outcome of a press that is for no table and can't be looked at; else None."""
        return self._barred(None, press)

    def beside(
        self, channel: ChannelId, press: Press, work: Callable[[], Awaitable[Outcome]]
    ) -> Awaitable[Outcome]:
        """Do work that takes a channel, in its line. Refused if a table is in play there."""
        if (barred := self._barred(None, press)) is not None:
            return known(barred)
        return self._opening.beside(channel, press, work)

    def _stale(self, press: Press) -> Refused | None:
        """Refuse a press seen before or too old. Discord's clock is read from every press here."""
        self.discord.made(press.created, press.arrived)
        return self._fresh.check(press)

    def _barred(self, table: Table | None, press: Press) -> Outcome | None:
        """Return the outcome of a press seen before, too old, or over the rate limit; else None."""
        if (stale := self._stale(press)) is not None:
            return Outcome(table, stale, stale.why is Stale.SEEN)
        too_many = self._press_limit.check(press)
        return None if too_many is None else Outcome(table, too_many)

    def _ask(
        self, table: Table, round_: int, action: Action, press: Press
    ) -> asyncio.Future[Decision]:
        called = partial(self._called, table.session.opened.locale)
        asked = Asked(action, round_, press.user, press.name, self._seed, called)
        return table.press(partial(route, asked), press)

    def _join(self, table: Table, press: Press) -> Awaitable[Outcome]:
        guild, user = table.session.opened.guild, press.user
        seated = self.index.elsewhere(guild, user, table)
        earlier = self.index.earlier(guild, user, table)
        if seated is not None and not earlier:  # no turn before it can free that seat
            return turned_away(table, seated_at(seated), press)
        decided = table.press(self._joins(table, press), press, earlier)
        self.index.arrived(guild, user, decided)
        return in_turn(table, decided)

    def _joins(self, table: Table, press: Press) -> Ask:
        """Return the decision of a Join, to be made at its turn."""
        guild, user = table.session.opened.guild, press.user
        asked = Asked(Join(), 0, user, press.name, self._seed)

        def ask(session: Session, now: Callable[[], Presence]) -> Decision | Move:
            elsewhere = self.index.elsewhere(guild, user, table)
            return route(asked, session, now) if elsewhere is None else seated_at(elsewhere)

        return ask

    # -- time -------------------------------------------------------------------------------

    async def tick(self) -> None:
        """Do at each table what is due by now. Called every few seconds.

        A failure is logged, and holds up no other table.
        """
        for table in self.index:
            try:
                if _what_is_due(table) is not None:
                    await table.do(partial(_due, table))
                elif votes.agreed(table.session, table.presence().absent) is not None:
                    await table.ask(_agreed)
                elif table.looks_different():
                    table.tell_of_time()
            except Exception:
                log.exception("%s: tick failed", table)

    async def close(self, table: Table, reason: str) -> None:
        """Close a table from outside: its channel is gone, or it keeps failing."""
        await table.do(partial(d.close, reason=reason))

    async def forget(self, user: UserId) -> None:
        """Forget this person in held seats and in matches that are over."""
        for table in self.index:
            await table.forget(user)

    def _changed(self, table: Table) -> None:
        self.index.note(table)
        if table.session.phase is Phase.CLOSED:
            self.index.remove(table)
        for watcher in self.watchers:
            watcher(table)


def _due(table: Table, session: Session) -> Decision:
    """Decide what is due, unless somebody's turn before this one has changed that."""
    decide = _what_is_due(table)
    return NOTHING_DUE if decide is None else decide(session)


def _what_is_due(table: Table) -> Decide | None:
    session, lived = table.session, table.lived
    is_arenas = session.opened.arena is not None
    in_arena = due_in_arena(session, lived, table.idle_by_user) if is_arenas else None
    return in_arena or due(session, lived, table.attendance.idle)


def _agreed(session: Session, now: Callable[[], Presence]) -> Decision:
    return votes.agreed(session, now().absent) or NOTHING_DUE
