"""The moment in which a match is written down, and what can go wrong in it."""

import asyncio
import shutil
from collections.abc import Sequence
from pathlib import Path

from bot.store.tables.journal import SqliteJournal
from bot.tables.state import events as e
from bot.tables.state.journal import JournalLine
from tests.store.conftest import Store

COUNTED = ("matches", "rounds", "seats", "players", "ratings", "logs")


async def counts(store: Store) -> dict[str, object]:
    """How many rows there are of everything that is kept of matches."""
    return {table: await store.one(f"SELECT count(*) FROM {table}") for table in COUNTED}  # noqa: S608


class Witness:
    """The journal, and `ending`: whether a match is being written at this moment."""

    def __init__(self, journal: SqliteJournal) -> None:
        self.journal = journal
        self.ending = asyncio.Event()

    async def append(self, lines: Sequence[JournalLine], *, durable: bool) -> None:
        if any(isinstance(line.entry, e.MatchEnded) for line in lines):
            self.ending.set()
        try:
            await self.journal.append(lines, durable=durable)
        finally:
            self.ending.clear()

    def note(self, line: JournalLine) -> None:
        self.journal.note(line)


class Saboteur:
    """Interrupts the transaction that ends a match once: at its statement number `at`, or the
    first after it that can be interrupted.
    """

    def __init__(self, witness: Witness) -> None:
        self.at = 1
        self.hit: list[str] = []
        self._witness = witness
        self._begun: list[str] | None = None
        self._armed = True

    async def attach(self, store: Store) -> None:
        await store.db.set_trace_callback(self._trace)
        await store.db.set_progress_handler(self._interrupt, 1)

    def again(self) -> None:
        """One statement further next time."""
        self.at, self._begun, self._armed = self.at + 1, None, True

    def _trace(self, sql: str) -> None:
        if "synchronous = FULL" in sql and self._witness.ending.is_set():
            self._begun = []
        elif "synchronous = NORMAL" in sql:
            self._begun = None
        elif (
            self._begun is not None and sql not in self._begun[-1:]
        ):  # not each step of its triggers
            self._begun.append(sql)

    def _interrupt(self) -> int:
        if not self._armed or self._begun is None or len(self._begun) < self.at:
            return 0
        self._armed = False
        self.hit.append(" ".join(self._begun[-1].split()[:3]))
        return 1


class Photographer:
    """Copies the database's files at each statement while a match is written: that is what the
    end of the process at that moment would leave.
    """

    def __init__(self, witness: Witness, path: Path) -> None:
        self.copies: list[Path] = []
        self._witness = witness
        self._path = path
        self._last = ""

    def trace(self, sql: str) -> None:
        if self._witness.ending.is_set() and sql != self._last:  # not at each step of its triggers
            self._last = sql
            copy = self._path.with_name(f"crash{len(self.copies):03}.sqlite3")
            for end in ("", "-wal"):
                shutil.copy(f"{self._path}{end}", f"{copy}{end}")
            self.copies.append(copy)
