"""A table's place in the journal: its lines have numbers without a gap."""

from collections.abc import Sequence

from bot.tables.state.events import DURABLE, Entry, Rejected
from bot.tables.state.journal import DuplicateError, Journal, JournalLine, TableId
from bot.tables.state.session import Session


class JournalPlace:
    """The place of one table in the journal. `seq`: the number of its next line."""

    def __init__(self, table: TableId, seq: int, journal: Journal) -> None:
        self._table = table
        self._seq = seq
        self._journal = journal

    def lines(
        self, then: Session, entries: Sequence[Entry], pressed: int | None, asked: int
    ) -> list[JournalLine]:
        """Return the next lines, dated as `then`.

        `pressed`: the interaction's id, if a press led to them. It stands on the line `asked`.
        """
        return [
            self._line(self._seq + i, then, entry, pressed if i == asked else None)
            for i, entry in enumerate(entries)
        ]

    async def write(self, lines: Sequence[JournalLine], others: Sequence[JournalLine]) -> bool:
        """Write these next lines, and `others` of another table with them.

        Return False if their press is in the journal already; then nothing is written. Raises what
        the journal raises.
        """
        if lines:
            durable = bool(others) or any(isinstance(line.entry, DURABLE) for line in lines)
            try:
                await self._journal.append([*lines, *others], durable=durable)
            except DuplicateError:
                return False
        self._seq += len(lines)
        return True

    def note(self, then: Session, entry: Rejected) -> None:
        """Write a refusal for the log. Nothing waits until it is written."""
        self._journal.note(self._line(self._seq, then, entry))
        self._seq += 1

    def _line(
        self, seq: int, then: Session, entry: Entry, pressed: int | None = None
    ) -> JournalLine:
        return JournalLine(self._table, seq, then.at, entry, pressed, then.lived)
