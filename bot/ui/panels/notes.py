"""Private notes: a refusal, a question, the host's options. Each person has one per table."""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.ids import UserId
from bot.tables.running.table import Table
from bot.tables.state.journal import TableId
from bot.tables.state.message_refs import Token
from bot.tables.state.session import BEFORE_DEAL, Phase
from bot.ui.panel_states.panel_place import Asleep, ByToken
from bot.ui.panels.calls import PanelMessage
from bot.ui.panels.context import PanelContext
from bot.ui.panels.old import OldPanels


@dataclass(slots=True)
class Note:
    """The note of one person, in the phase it was written in, and the ones before it."""

    old: OldPanels
    last: Token | None = None
    phase: Phase = Phase.LOBBY

    def leave(self) -> None:
        """Delete the note as soon as nobody waits for cards."""
        if self.last is not None:
            self.old.leave(ByToken(self.last))
            self.last = None


class Notes:
    """The notes of every table. The next one, or the cards, takes the place of the last."""

    def __init__(self, context: PanelContext) -> None:
        self._context = context
        self._notes: dict[TableId, dict[UserId, Note]] = {}

    def __iter__(self) -> Iterator[Note]:
        return iter([note for notes in self._notes.values() for note in notes.values()])

    def keep(self, table: Table, user: UserId, token: Token) -> None:
        """Remember a note that was just sent. The one before it is deleted."""
        notes = self._notes.setdefault(table.id, {})
        if user not in notes:
            message = PanelMessage(table, self._context)
            notes[user] = Note(OldPanels(table, user, self._context, message))
        note = notes[user]
        note.leave()
        note.last, note.phase = token, table.session.phase
        note.old.tidy(ByToken(token))

    def watch(self, table: Table) -> None:
        """Delete what was written before the cards. Called on every change of the table."""
        for note in self._notes.get(table.id, {}).values():
            if table.session.phase not in BEFORE_DEAL and note.phase in BEFORE_DEAL:
                note.leave()
            note.old.tidy(Asleep() if note.last is None else ByToken(note.last))

    def drop(self, table: TableId) -> None:
        self._notes.pop(table, None)
