"""Where a table's entries are written down, as tables see it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NewType, Protocol

from bot.tables.entries import Entry

TableId = NewType("TableId", int)


@dataclass(frozen=True, slots=True)
class JournalLine:
    """An entry in its place in the journal. `at`: Unix ms. `token`: beside an opening, that of the
    command whose answer will be the table's message. It is kept with the table, and is a secret.
    """

    table: TableId
    seq: int
    at: int
    entry: Entry
    interaction: int | None = None
    token: str | None = field(default=None, repr=False)


class DuplicateError(Exception):
    """This interaction is in the journal already."""


@dataclass(frozen=True, slots=True)
class Beside:
    """Another table's lines, written in the same transaction as a decision: both or neither.

    `written` is called as soon as they are, before anybody else has a turn.
    """

    lines: Sequence[JournalLine]
    written: Callable[[], None]


class Journal(Protocol):
    async def append(self, lines: Sequence[JournalLine], *, durable: bool) -> None:
        """Write lines together. Raises DuplicateError; on any error nothing is written."""

    def note(self, line: JournalLine) -> None:
        """Write a line in its turn, without waiting for it."""
