"""The journal of every table, in SQLite."""

import asyncio
import sqlite3
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain, groupby
from typing import Any, get_args

import aiosqlite
import orjson
from pydantic import TypeAdapter

from bot.groups.numbers import after
from bot.store.database.query import Statement, Step, Work, first, rows
from bot.store.database.writer import Writer
from bot.store.records import result_writing
from bot.tables.registry.resume import Stored
from bot.tables.state.events import (
    ChannelChanged,
    Closed,
    Entry,
    HeldSeatsFreed,
    MatchEnded,
    Opened,
)
from bot.tables.state.journal import DuplicateError, JournalLine, TableId

STORED_NAMES: dict[type, str] = {ChannelChanged: "Housed", HeldSeatsFreed: "Released"}
"""The names under which the journal keeps kinds of entries that were renamed since.

They stay, so that this version and earlier ones can read each other's journals.
"""


def stored_name(kind: type) -> str:
    """Return the name under which the journal keeps a kind of entry."""
    return STORED_NAMES.get(kind, kind.__name__)


KINDS: dict[str, TypeAdapter[Any]] = {
    stored_name(kind): TypeAdapter(kind) for kind in get_args(Entry)
}
"""The form of each kind of entry, by the name under which it is stored."""

_LINE = (
    "INSERT INTO journal (table_id, seq, at, kind, body, interaction, lived) "
    "VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_TABLE = "INSERT INTO tables (id, guild, channel, application, token) VALUES (?, ?, ?, ?, ?)"
_CLOSE = "UPDATE tables SET closed = 1 WHERE id = ?"
_EMPTY = "DELETE FROM journal WHERE table_id = ?"
_ALL = "SELECT table_id, seq, at, kind, body, lived FROM journal WHERE table_id = ? ORDER BY seq"
# Moves of finished rounds are not needed to go on: RoundEnded has their points.
_OPEN = """
    SELECT j.table_id, j.seq, j.at, j.kind, j.body, j.lived
    FROM tables t JOIN journal j ON j.table_id = t.id
    WHERE t.closed = 0 AND coalesce(t.application, :application) IS :application AND NOT (
        j.kind IN ('Moved', 'Rejected') AND j.seq < (
            SELECT coalesce(max(seq), 0) FROM journal
            WHERE table_id = t.id AND kind = 'RoundEnded'))
    ORDER BY j.table_id, j.seq
"""


class SqliteJournal:
    """The tables' `Journal` in SQLite.

    `application`: the one under which tables are opened and read, known once the client has logged
    in. `group`: the number of the group that gives numbers to tables and matches.
    """

    def __init__(self, db: aiosqlite.Connection, writer: Writer, group: int = 0) -> None:
        self.application: int | None = None
        self._group = group
        self._db = db
        self._writer = writer

    async def append(self, lines: Sequence[JournalLine], *, durable: bool) -> None:
        """Write lines together, opening or closing their table. Raises DuplicateError.

        With the end of a match its record is written and its moves leave the journal; with the
        end of a table the journal's other lines do.
        """
        steps: list[Step] = [statement for line in lines for statement in self._statements(line)]
        if any(isinstance(line.entry, MatchEnded) for line in lines):
            steps += await self._recording(lines)
        try:
            await self._writer.write(steps, durable=durable, overtakes=True)
        except sqlite3.IntegrityError as error:
            if "journal.interaction" in str(error):
                raise DuplicateError from error
            raise

    def note(self, line: JournalLine) -> None:
        self._writer.later(self._statements(line), overtakes=True)

    async def _recording(self, lines: Sequence[JournalLine]) -> list[Work]:
        """Return the work that records the match that these lines end.

        It is worked out before the transaction and beside the loop, so that other tables' moves
        wait for neither. Nothing else happens at this table meanwhile: it is at a turn of
        its queue, and the next turn waits.
        """
        await self._writer.write(())  # the notes before this are written
        found = await rows(self._db, _ALL, (lines[0].table,))
        report = await asyncio.to_thread(_report, found, lines)
        return (
            []
            if report is None
            else [partial(result_writing.write, report=report, group=self._group)]
        )

    async def read_open(self) -> list[Stored]:
        """Return each open table of this application, with the lines it goes on from.

        Tables of another application stay as they are: it may come back.
        """
        found = await rows(self._db, _OPEN, {"application": self.application})
        return [
            Stored(TableId(table_id), [_line(row) for row in group])
            for table_id, group in groupby(found, key=lambda row: int(row[0]))
        ]

    async def next_table(self) -> int:
        """Return an id that no table has had."""
        row = await first(self._db, "SELECT coalesce(max(id), 0) FROM tables")
        assert row is not None
        return after(row[0], self._group)

    def _statements(self, line: JournalLine) -> list[Statement]:
        entry = line.entry
        kind = stored_name(type(entry))
        body = orjson.dumps(entry).decode()
        values = (line.table, line.seq, line.at, kind, body, line.interaction, line.lived)
        written: Statement = (_LINE, values)
        match entry:
            case Opened(guild=guild, channel=channel):
                opened = (line.table, guild, channel, self.application, line.token)
                return [(_TABLE, opened), written]
            case Closed():
                return [written, (_CLOSE, (line.table,)), (_EMPTY, (line.table,))]
            case _:
                return [written]


def _report(
    found: Iterable[Sequence[Any]], lines: Sequence[JournalLine]
) -> result_writing.Report | None:
    return result_writing.report(lines[0].table, chain(map(_line, found), lines))


def _line(row: Sequence[Any]) -> JournalLine:
    table_id, seq, at, kind, body, lived = row
    entry = KINDS[kind].validate_json(body)
    return JournalLine(TableId(table_id), seq, at, entry, lived=lived)
