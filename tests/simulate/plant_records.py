"""Faults of what is written down: the journal, results, ratings, and what a restart reads."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import aiosqlite

from bot.ids import GuildId
from bot.records.ratings import RatedMatch
from bot.store.database import file, schema
from bot.store.database.query import Statement, Step
from bot.store.database.writer import Job, Writer
from bot.store.records import result_writing, stored_ratings
from bot.store.tables.journal import SqliteJournal
from bot.tables.registry.resume import Stored
from bot.tables.state.events import Moved
from bot.tables.state.journal import JournalLine

LATE = 0.3
"""Seconds by which an entry is written late."""


def answers_first() -> None:
    """Writes are carried out a little later, and nobody waits for them.

    Breaks: an answered move is in the journal.
    """
    commit = Writer._commit

    async def later(self: Writer, jobs: Sequence[Job]) -> None:
        await asyncio.sleep(LATE)
        await commit(self, jobs)

    async def write(
        self: Writer, steps: Sequence[Step], *, durable: bool = False, **_: bool
    ) -> None:
        self._put(Job(tuple(steps), durable, None))

    Writer._commit, Writer.write = later, write  # type: ignore[method-assign]


def notes_wait() -> None:
    """Refusals are written when there is time, after moves that came later.

    Breaks: the journal is in the order of what happened.
    """

    def later(
        self: Writer, statements: Sequence[Statement], *, durable: bool = False, **_: bool
    ) -> None:
        job = Job(tuple(statements), durable, None)
        asyncio.get_running_loop().call_later(LATE, self._put, job)

    Writer.later = later  # type: ignore[method-assign]


def stores_twice() -> None:
    """A match's result is written twice, and the schema no longer refuses the second.

    Breaks: no match is counted twice.
    """
    scripts, write = schema.scripts, result_writing.write

    def without_net(migrations: Path = schema.MIGRATIONS) -> dict[int, str]:
        once, often = "table_id INTEGER NOT NULL UNIQUE", "table_id INTEGER NOT NULL"
        return {number: sql.replace(once, often) for number, sql in scripts(migrations).items()}

    async def twice(
        db: aiosqlite.Connection, report: result_writing.Report, group: int = 0
    ) -> None:
        await write(db, report, group)
        await write(db, report, group)

    vars(file)["scripts"], result_writing.write = without_net, twice


def rates_twice() -> None:
    """A rated match changes its players' ratings twice.

    Breaks: ratings follow from the results.
    """
    rate = stored_ratings.rate_match

    async def twice(db: aiosqlite.Connection, guild: GuildId, game: str, match: RatedMatch) -> None:
        await rate(db, guild, game, match)
        await rate(db, guild, game, match)

    vars(result_writing)["rate_match"] = twice


def trusts_the_system() -> None:
    """Results are shown before they are on the disk: a power cut takes them away.

    Breaks: a result that was shown is kept.
    """
    write = Writer.write

    async def lightly(
        self: Writer, steps: Sequence[Step], *, durable: bool = False, **others: bool
    ) -> None:
        await write(self, steps, durable=False, **others)

    Writer.write = lightly  # type: ignore[method-assign]


def skips_an_entry() -> None:
    """After a restart the last but one move of a round is forgotten.

    Breaks: a round goes on where it was, as the referee plays it again from the log.
    """
    read_open = SqliteJournal.read_open

    async def without(self: SqliteJournal) -> list[Stored]:
        return [_without_a_move(stored) for stored in await read_open(self)]

    SqliteJournal.read_open = without  # type: ignore[method-assign]


def _without_a_move(stored: Stored) -> Stored:
    moves = [line for line in stored.lines[:-1] if isinstance(line.entry, Moved)]
    kept = [line for line in stored.lines if line not in moves[-1:]]
    return replace(stored, lines=kept)


def forgets_the_command() -> None:
    """A lobby is opened without what finds its message, which is noted only once that is there.

    Breaks: a lobby has one message.
    """
    statements = SqliteJournal._statements

    def without_token(self: SqliteJournal, line: JournalLine) -> list[Statement]:
        return statements(self, replace(line, token=None))

    SqliteJournal._statements = without_token  # type: ignore[method-assign]
