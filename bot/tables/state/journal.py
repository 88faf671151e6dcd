"""The journal of entries, as tables see it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NewType, Protocol

from bot.tables.state.events import Entry

TableId = NewType("TableId", int)


@dataclass(frozen=True, slots=True)
class JournalLine:
    """An entry at its place in the journal.

    `at`: Unix ms, used only for dates. `lived`: ms of the table's life, which measures all
    durations. `token`: on an opening, that of the command whose answer will be the table message.
    It is stored with the table, and is a secret.
    """

    table: TableId
    seq: int
    at: int
    entry: Entry
    interaction: int | None = None
    lived: int = 0
    token: str | None = field(default=None, repr=False)


class DuplicateError(Exception):
    """Raised for an interaction that is in the journal already."""


@dataclass(frozen=True, slots=True)
class Beside:
    """The lines of another table, written in the same transaction as a decision: both or neither.

    `written` is called as soon as they are, before anybody else has a turn.
    """

    lines: Sequence[JournalLine]
    written: Callable[[], None]


class Journal(Protocol):
    async def append(self, lines: Sequence[JournalLine], *, durable: bool) -> None:
        """Write these lines together, or raise and write none. Raises DuplicateError, for one."""

    def note(self, line: JournalLine) -> None:
        """Write a line in its turn, without waiting for it."""
