"""The journal of arenas, as they see it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from bot.ids import ArenaId
from bot.tables.arena.events import Event


@dataclass(frozen=True, slots=True)
class ArenaLine:
    """An event at its place in the journal of an arena.

    `at`: Unix ms. `lived`: ms of the arena's life. `token`: on an opening, that of the command
    whose answer will be the arena's message; a secret.
    """

    arena: ArenaId
    seq: int
    at: int
    event: Event
    interaction: int | None = None
    lived: int = 0
    token: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class StoredArena:
    """An arena as the database has it: its lines in order."""

    id: ArenaId
    lines: Sequence[ArenaLine]


class ArenaJournal(Protocol):
    async def append(self, lines: Sequence[ArenaLine], *, durable: bool) -> None:
        """Write these lines together, or raise and write none.

        Raises `bot.tables.state.journal.DuplicateError` for a press that is in it already.
        """

    async def read_open(self) -> list[StoredArena]:
        """Return the arenas whose message doesn't show the end yet."""

    async def next_id(self) -> int:
        """Return an id that no arena has had."""

    def put_away(self, arena: ArenaId) -> None:
        """Note that its message shows its end. What its journal has is deleted, without waiting."""
