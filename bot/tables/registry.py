"""Every table that is open, found by its id, its channel or a person in it."""

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from bot.games import GAMES
from bot.games.kernel import Refused
from bot.games.screen import Text
from bot.tables import decisions as d
from bot.tables import entries as e
from bot.tables import lobby, votes
from bot.tables.books import Books
from bot.tables.clock import Clock
from bot.tables.decisions import Decide, Decision, Done
from bot.tables.due import due
from bot.tables.fold import apply, begin
from bot.tables.press import Freshness, Press, Stale
from bot.tables.rate import Rate
from bot.tables.session import Phase
from bot.tables.table import Journal, JournalLine, Table, TableId
from bot.tables.unreadable import remains

log = logging.getLogger(__name__)

MOST_TABLES = 50
"""Tables in play in one server."""
PRESSES, WITHIN = 30, 2.0
"""Presses of one person, in seconds: more than the quickest thumb makes."""


class Why(StrEnum):
    """Why a press or a command got no further than the door. Each value is a key of words."""

    NO_TABLE = "door.refused.no_table"
    OLD_PANEL = "door.refused.old_panel"
    UNKNOWN = "door.refused.unknown"
    STRANGER = "table.refused.stranger"
    TABLE_HERE = "door.refused.table_here"
    SEATED_ELSEWHERE = "door.refused.seated_elsewhere"
    MOST_TABLES = "door.refused.most_tables"
    OTHER_VERSION = "table.closed.version"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a press: the table it was for, if there is one, and what to say."""

    table: Table | None
    decision: Decision

    @property
    def refused(self) -> Refused | None:
        return self.decision if isinstance(self.decision, Refused) else None

    @property
    def said(self) -> Text:
        decision = self.decision
        return decision.text if isinstance(decision, Refused) else decision.said


@dataclass(frozen=True, slots=True)
class Stored:
    """A table as the database has it: its lines in order."""

    id: TableId
    lines: Sequence[JournalLine]


class Tables:
    """The door: nothing is awaited here before a table's own queue."""

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        seed: Callable[[], bytes] = lambda: secrets.token_bytes(32),
    ) -> None:
        self.watchers: list[Callable[[Table], None]] = []
        self.books = Books()
        self._journal = journal
        self._clock = clock
        self._seed = seed
        self._fresh = Freshness()
        self._pace = Rate(PRESSES, WITHIN)
        self._next_id = 1

    # -- opening and coming back ------------------------------------------------------------

    async def open(self, opened: e.Opened, press: Press) -> Outcome:
        """A new lobby with its host seated. One table a channel, one seat a person a server."""
        if (stale := self._fresh.check(press)) is not None:
            return Outcome(None, stale)
        there = self.books.at(opened.channel)
        if there is not None and there.session.phase is not Phase.OVER:
            return Outcome(there, Refused(Why.TABLE_HERE, (("where", there.link),)))
        if (elsewhere := self.books.elsewhere(opened.guild, press.user)) is not None:
            return Outcome(elsewhere, _seated_at(elsewhere))
        return await self._open(opened, [e.Seated(press.user, press.name)])

    async def _open(self, opened: e.Opened, seated: Sequence[e.Seated]) -> Outcome:
        if self.books.in_play(opened.guild) >= MOST_TABLES:
            return Outcome(None, Refused(Why.MOST_TABLES, (("n", MOST_TABLES),)))
        table_id, self._next_id = TableId(self._next_id), self._next_id + 1
        at = int(self._clock.wall() * 1000)
        entries: list[e.Entry] = [opened, *seated]
        session = begin(opened, at)
        for entry in entries[1:]:
            session = apply(session, entry, at)
        table = Table(table_id, session, len(entries), self._journal, self._clock)
        table.on_change = self._changed
        # In the books before the first await, so that a second command meets the first.
        before = self.books.at(opened.channel)
        self.books.enter(table)
        lines = [JournalLine(table_id, i, at, entry) for i, entry in enumerate(entries)]
        try:
            await self._journal.append(lines, durable=True)
        except BaseException:
            self.books.remove(table)
            if before is not None:
                self.books.enter(before)
            raise
        self._changed(table)
        return Outcome(table, Done((), Text("table.in")))

    async def resume(self, stored: Iterable[Stored], next_id: int) -> list[Table]:
        """Every open table goes on where it was; a round in progress after a get-ready. Return
        those that could not and are closed: their messages are to say why.
        """
        self._next_id = next_id
        buried = await asyncio.gather(*map(self._back, stored))
        return [table for table in buried if table is not None]

    async def _back(self, stored: Stored) -> Table | None:
        try:
            return await self._resume(stored)
        except Exception:
            log.exception("table %d could not be resumed and is closed", stored.id)
            return await self._give_up(stored)

    async def _give_up(self, stored: Stored) -> Table | None:
        """One broken table holds up neither its people nor the others."""
        if (table := self.books.get(stored.id)) is not None:
            self.books.remove(table)
        try:
            return await self._bury(stored, "table.closed.broken")
        except Exception:
            log.exception("table %d could not even be closed", stored.id)
            return None

    async def _resume(self, stored: Stored) -> Table | None:
        first = stored.lines[0]
        opened = first.entry
        assert isinstance(opened, e.Opened)
        game = GAMES.get(opened.game)
        if game is None or game.rules_version != opened.rules_version:
            log.warning("table %d was played by other rules and is closed", stored.id)
            return await self._bury(stored, Why.OTHER_VERSION)
        session = begin(opened, first.at)
        for line in stored.lines[1:]:
            session = apply(session, line.entry, line.at)
        seq = stored.lines[-1].seq + 1
        table = Table(stored.id, session, seq, self._journal, self._clock)
        table.on_change = self._changed
        self.books.enter(table)
        await table.do(d.pause)
        return None

    async def _bury(self, stored: Stored, reason: str) -> Table | None:
        """Close a table that cannot be read: its channel and its players are free. None when its
        message stays as it is, since that shows how the match ended.
        """
        last = stored.lines[-1]
        line = JournalLine(stored.id, last.seq + 1, last.at, e.Closed(reason))
        await self._journal.append([line], durable=False)
        if (session := remains([*stored.lines, line])) is None:
            return None
        return Table(stored.id, session, line.seq + 1, self._journal, self._clock)

    # -- presses ----------------------------------------------------------------------------

    async def press(self, table_id: TableId, round_: int, word: str, press: Press) -> Outcome:
        """Whatever a button says. Unknown tables, seats, words and old rounds are refused."""
        table = self.books.get(table_id)
        if (stale := self._fresh.check(press)) is not None:
            return Outcome(table, stale)
        if not self._pace.allows(press.user, press.arrived):
            return Outcome(table, Refused(Stale.TOO_MANY))
        if table is None:
            return Outcome(None, Refused(Why.NO_TABLE))
        if (seat := table.session.seat_of(press.user)) is not None:
            table.pressed(press.user, press.arrived)
            if any(whom == seat for _, whom in table.session.released):
                await table.do(partial(votes.returned, user=press.user))
        if (plain := self._plain(word, press, table)) is not None:
            return Outcome(table, await table.do(plain, press))
        if word == "join":
            return Outcome(table, await self._join(table, press))
        if word == "rematch":
            return await self._rematch(table, press)
        return Outcome(table, await self._in_round(table, round_, word, press))

    def _plain(self, word: str, press: Press, table: Table) -> Decide | None:
        """The presses that mean the same in every round."""
        user = press.user
        match word.split(".", 1):
            case ["set", choice] if "=" in choice:
                return _option(user, *choice.split("=", 1))
            case ["leave", *answer] if answer in ([], ["yes"], ["no"]):
                return partial(LEAVING["".join(answer)], user=user)
            case ["start"]:
                return partial(lobby.start, user=user, seed=self._seed())
            case ["add"]:
                return partial(lobby.add_computer, user=user)
            case ["remove"]:
                return partial(lobby.remove_computer, user=user)
            case ["options"]:
                return partial(lobby.options, user=user)
            case ["release", away] if away.isdecimal():
                absent = table.moment().absent
                return partial(votes.release, user=user, away=int(away), absent=absent)
            case ["panel"] | ["down"]:
                return partial(d.panel, user=user)
            case _:
                return None

    async def _in_round(self, table: Table, round_: int, word: str, press: Press) -> Decision:
        """Ready, the waiting table's Start, and the moves: only on a panel of this round."""
        session = table.session
        seat = session.seat_of(press.user)
        if seat is None:
            return await table.do(partial(d.panel, user=press.user), press)
        if word == "ready" and session.phase is not Phase.READY and session.dealt_in(seat):
            return Refused(d.Why.READY_ALREADY)
        if round_ != session.round:
            return Refused(Why.OLD_PANEL)
        if word == "ready":
            return await table.do(partial(d.ready, user=press.user), press)
        if word == "deal":
            return await table.do(partial(d.deal, user=press.user), press)
        if word == "end":
            absent = table.moment().absent
            return await table.do(partial(votes.end_round, user=press.user, absent=absent), press)
        if session.state is not None and session.game.half(session.state, seat, word) is not None:
            return await table.begin_move(seat, word)
        try:
            session.game.parse(word)
        except ValueError:
            between = session.round > 0 and session.state is None
            return Refused(d.why_not_live(session) if between else Why.UNKNOWN)
        return await table.move(seat, word, press.arrived, press)

    async def _join(self, table: Table, press: Press) -> Decision:
        guild = table.session.opened.guild
        if (elsewhere := self.books.elsewhere(guild, press.user, table)) is not None:
            return _seated_at(elsewhere)
        self.books.promise(table, press.user)
        try:
            return await table.do(partial(lobby.join, user=press.user, name=press.name), press)
        finally:
            self.books.settle(table, press.user)

    async def _rematch(self, table: Table, press: Press) -> Outcome:
        """The same seats again, held for a minute; the first to ask is in and is host."""
        session = table.session
        decision = d.rematch(session, press.user)
        following = self.books.at(session.channel)
        if following not in (None, table) and decision != Refused(d.Why.STRANGER):
            assert following is not None
            return Outcome(following, await self._join(following, press))
        if isinstance(decision, Refused):
            return Outcome(table, decision)
        guild = session.opened.guild
        if (elsewhere := self.books.elsewhere(guild, press.user, table)) is not None:
            return Outcome(elsewhere, _seated_at(elsewhere))
        return await self._open(*lobby.again(session, press.user, press.name))

    # -- time -------------------------------------------------------------------------------

    async def tick(self) -> None:
        """What happens because time passes. Called every few seconds."""
        for table in self.books:
            now, clock = self._clock.wall(), self._clock.now()
            try:
                if (decide := due(table.session, now, table.last_press, clock)) is not None:
                    await table.do(decide)
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


LEAVING = {"": d.ask_to_leave, "yes": d.leave, "no": d.stay}
"""A press on Leave, and the answers to the question it may lead to."""


def _option(user: int, key: str, value: str) -> Decide:
    """`rounds` for the table, `dice.2` for seat 2."""
    key, _, seat = key.partition(".")
    if seat.isdecimal():
        return partial(lobby.set_seat_option, user=user, seat=int(seat), key=key, value=value)
    return partial(lobby.set_option, user=user, key=key, value=value)


def _seated_at(table: Table) -> Refused:
    return Refused(Why.SEATED_ELSEWHERE, (("where", table.link),))
