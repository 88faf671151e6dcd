"""What Discord has refused of a table's message: when to try again, and what people are told."""

import logging
from dataclasses import replace

from bot.tables.notices import Stuck
from bot.tables.session import Phase
from bot.tables.table import Table
from bot.ui.errors import Trouble, is_refusal, trouble
from bot.ui.pause import Pause

log = logging.getLogger(__name__)

RETRY = 5.0
"""Seconds until something is tried again that Discord has not refused."""
TRIES = 6
"""Refusals in a row after which nothing is tried any more in the same phase."""
FEW = 3
"""Messages in a row that were found deleted: then somebody or something wants none here.

No time is asked of: an hour at most after it was posted, each message is replaced by the bot itself
(`bot.ui.board.OLD`). One that is still there then, or when somebody has it moved, ends the
row. So a bot that deletes is found out however long it lets a message live.
"""
LATE = 3
"""Edits in a row that nothing came of, after which people are told."""


class Setbacks:
    """Grows pauses from try to try, and ends them. What people are told is told once: it stands
    on their panels until the message is well again.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._pause = Pause()
        self._refused = self._late = 0
        self._deleted = 0  # messages in a row
        self._rests_in: tuple[int, Phase] | None = None

    @property
    def is_resting(self) -> bool:
        """Return whether nothing is sent for now: until somebody asks for the message or, where it
        was refused, until the next phase.
        """
        return self._deleted >= FEW or self._rests_in == self._phase

    @property
    def is_stuck(self) -> bool:
        """Return whether people cannot be told anything on the message."""
        return self._table.notices.stuck is not None

    def over(self) -> None:
        """The message is as it should be."""
        self._pause.over()
        self._refused, self._late, self._rests_in = 0, 0, None
        self.tell(None)

    def asked(self) -> None:
        """Somebody asks for the message: it is tried once more."""
        self._deleted = min(self._deleted, FEW - 1)
        self._refused, self._rests_in = min(self._refused, TRIES - 1), None

    def failed(self, error: Exception) -> float | None:
        """Return the seconds until it is tried again; None where nothing is, but for a change."""
        match trouble(error):
            case Trouble.BUG:
                log.error("%s: Discord refused its message: %s", self._table, error)
                self.tell(Stuck.REFUSED)
                return None
            case Trouble.REFUSED:
                return self._is_refused(error)
            case Trouble.LATER:
                log.warning("%s: its message is late: %r", self._table, error)
                self._late += 1
                if self._late >= LATE and not self.is_stuck:
                    self.tell(Stuck.LATE)
                return self.longer() if is_refusal(error) else RETRY
            case _:  # a permission is missing or the bot is timed out, which may be over any time
                log.warning("%s: its message cannot be changed: %s", self._table, error)
                self.tell(Stuck.FORBIDDEN)
                return self.longer()

    def _is_refused(self, error: Exception) -> float | None:
        self.tell(Stuck.REFUSED)
        self._refused += 1
        if self._refused < TRIES:
            log.warning("%s: its message is refused: %s", self._table, error)
            return self.longer()
        self._rests_in = self._phase
        log.warning("%s: its message is refused, not tried again for now: %s", self._table, error)
        return None

    def deleted(self) -> None:
        """The message is found deleted."""
        self._deleted += 1
        if self._deleted >= FEW:
            log.warning("%s: its messages are deleted, and not posted any more", self._table)
            self.tell(Stuck.DELETED)

    def replaced(self, *, was_there: bool | None) -> None:
        """A new message is there, and the one before was there until now, or was found deleted, or
        nobody knows. The new one has to be lost too before no other is posted.
        """
        if was_there is not None:
            self._deleted = 0 if was_there else min(self._deleted + 1, FEW - 1)

    def longer(self) -> float:
        """Return the seconds until something that may pass is tried again."""
        return self._pause.longer()

    def tell(self, stuck: Stuck | None) -> None:
        """Say on panels why the message stands still, or that it doesn't."""
        self._table.tell(replace(self._table.notices, stuck=stuck))

    @property
    def _phase(self) -> tuple[int, Phase]:
        return self._table.session.round, self._table.session.phase
