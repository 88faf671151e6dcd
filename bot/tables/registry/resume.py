"""Tables after a restart: those that go on, and those that can't."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from bot.games import GAMES
from bot.tables.decisions import decide as d
from bot.tables.decisions.decide import Decision, Done
from bot.tables.presses.lost_races import Made
from bot.tables.presses.router import PressRefusal
from bot.tables.registry.index import TableIndex
from bot.tables.registry.unreadable import known_session
from bot.tables.running.table import Table
from bot.tables.state import events as e
from bot.tables.state.evolve import apply, begin
from bot.tables.state.journal import Journal, JournalLine, TableId
from bot.tables.state.session import Session
from bot.text import SILENT

log = logging.getLogger(__name__)

NewTable: TypeAlias = Callable[[TableId, Session, int], Table]
"""A function that makes a table from its id, its session, and the number of its next line."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A table as the database has it: its lines in order."""

    id: TableId
    lines: Sequence[JournalLine]


@dataclass(frozen=True, slots=True)
class Resume:
    """The return of stored tables to the index.

    A broken table holds up neither its people nor the others. `passes` returns whether a failure
    isn't the table's, such as a full disk, and will be over. `unpaused`: the tables whose pause
    could not be written because of one.
    """

    index: TableIndex
    journal: Journal
    table: NewTable
    passes: Callable[[Exception], bool]
    unpaused: list[Table]

    async def all(self, stored: Iterable[Stored]) -> list[Table]:
        """Resume all of them. Return the closed tables whose messages should say why."""
        unresumable = await asyncio.gather(*map(self._back, stored))
        return [table for table in unresumable if table is not None]

    async def _back(self, stored: Stored) -> Table | None:
        try:
            return await self._resume(stored)
        except Exception:
            log.exception("table %d: could not be resumed, closing it", stored.id)
            return await self._give_up(stored)

    async def _give_up(self, stored: Stored) -> Table | None:
        if (table := self.index.get(stored.id)) is not None:
            self.index.remove(table)
        try:
            return await self._close_unreadable(stored, "table.closed.broken")
        except Exception:
            log.exception("table %d: could not be closed", stored.id)
            return None

    async def _resume(self, stored: Stored) -> Table | None:
        first = stored.lines[0]
        opened = first.entry
        assert isinstance(opened, e.Opened)
        game = GAMES.get(opened.game)
        if game is None or game.rules_version != opened.rules_version:
            log.warning("table %d: uses rules that this version lacks, closing it", stored.id)
            return await self._close_unreadable(stored, PressRefusal.OTHER_VERSION)
        session = begin(opened, first.at)
        made: list[Made] = []
        for line in stored.lines[1:]:
            session = apply(session, line.entry, line.at, lived=line.lived)
            if isinstance(line.entry, e.Moved):
                made.append((line.entry, line.lived, session))
        table = self.table(stored.id, session, stored.lines[-1].seq + 1)
        table.resumed(made)
        self.index.enter(table)
        try:
            await table.do(d.pause)
        except Exception as error:
            if not self.passes(error):
                raise
            self.unpaused.append(table)
        return None

    async def _close_unreadable(self, stored: Stored, reason: str) -> Table | None:
        """Close a table that can't be read, which frees its channel and its players.

        Return None if its message stays as it is, since that shows how the match ended.
        """
        last = stored.lines[-1]
        closed = e.Closed(reason)
        line = JournalLine(stored.id, last.seq + 1, last.at, closed, lived=last.lived)
        await self.journal.append([line], durable=False)
        if (session := known_session([*stored.lines, line])) is None:
            return None
        return self.table(stored.id, session, line.seq + 1)


async def pause(table: Table, found: Session) -> None:
    """Let a round in progress wait for a fresh get-ready, unless it has gone on since `found`.

    Raises what the journal raises.
    """
    await table.do(partial(_unless_gone_on, (found.round, found.moves)))


def _unless_gone_on(found: tuple[int, int], now: Session) -> Decision:
    return d.pause(now) if (now.round, now.moves) == found else Done((), SILENT)
