"""The backoff for a table's message: when to retry, when to give up, and when to tell players."""

import logging
from dataclasses import replace

from bot.tables.running.table import Table
from bot.tables.state.notices import Stuck
from bot.tables.state.session import Phase
from bot.ui.limits.backoff import SHORTEST, Pause
from bot.ui.limits.errors import Trouble, trouble

log = logging.getLogger(__name__)

TRIES = 6
"""Consecutive refusals after which nothing is tried again in the same phase."""
FEW = 3
"""Consecutive messages found deleted, after which none is posted: somebody doesn't want them.

No time counts. The bot replaces each message within an hour (`upkeep.REPOSTED_AFTER`), and one that
is still there when it is replaced ends the row. So any deleter is found out, however slow.
"""
FEW_TOO_OLD = 3
"""Consecutive messages that took no edit, after which none is posted in their place."""
LATE = 3
"""Consecutive failed edits after which players are told."""
QUICK = 12
"""Consecutive failed edits after which pauses grow: a trouble of a minute costs nobody another."""


class Refusals:
    """The failures of one table's message, and the growing pauses between attempts.

    Players are told once, by a notice on their panels that stays until the message recovers.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._pause = Pause()
        self._refused = self._late = 0
        self._deleted = self._too_old = 0  # consecutive messages
        self._rests_in: tuple[int, Phase] | None = None
        self.times_asked = 0

    @property
    def is_resting(self) -> bool:
        """True while nothing is sent.

        It ends when somebody asks for the message or, after refusals, with the next phase.
        """
        return self._deleted >= FEW or self._rests_in == self._phase

    @property
    def is_stuck(self) -> bool:
        """True while the message can't be updated, so players are told on their panels."""
        return self._table.notices.stuck is not None

    def over(self, *, is_new: bool = False) -> None:
        """Reset the pauses and the notice after a success.

        `is_new`: of a posting, which says nothing of edits.
        """
        self._pause.over()
        self._refused, self._late, self._rests_in = 0, 0, None
        self._too_old = self._too_old if is_new else 0
        self.tell(None)

    def asked(self) -> None:
        """Allow one more attempt, since somebody asked for the message."""
        self.times_asked += 1
        self._deleted, self._too_old = (
            min(self._deleted, FEW - 1),
            min(self._too_old, FEW_TOO_OLD - 1),
        )
        self._refused, self._rests_in = min(self._refused, TRIES - 1), None

    def failed(self, error: Exception) -> float | None:
        """Return the seconds until a retry; None if only a changed screen is worth sending.

        Logs the failure and updates the notice.
        """
        match trouble(error):
            case Trouble.BUG:
                log.error("%s: message invalid, Discord refused it: %s", self._table, error)
                self.tell(Stuck.REFUSED)
                return None
            case Trouble.REFUSED:
                return self._refusal(error)
            case Trouble.LATER:
                pause = SHORTEST if self._late < QUICK else self.longer()
                log.warning("%s: edit timed out, retrying in %d s: %r", self._table, pause, error)
                self._late += 1
                if self._late >= LATE and not self.is_stuck:
                    self.tell(Stuck.LATE)
                return pause
            case _:  # a permission is missing or the bot is timed out; either may end any time
                pause = self.longer()
                log.warning("%s: edit forbidden, retrying in %d s: %s", self._table, pause, error)
                self.tell(Stuck.FORBIDDEN)
                return pause

    def _refusal(self, error: Exception) -> float | None:
        self.tell(Stuck.REFUSED)
        self._refused += 1
        if self._refused < TRIES:
            pause = self.longer()
            log.warning("%s: message refused, retrying in %d s: %s", self._table, pause, error)
            return pause
        self._rests_in = self._phase
        log.warning("%s: message refused, no retry in this phase: %s", self._table, error)
        return None

    def deleted(self) -> None:
        """Count a message that somebody deleted. After `FEW` in a row, none is posted."""
        self._deleted += 1
        if self._deleted >= FEW:
            log.warning("%s: message deleted %d times, no longer posted", self._table, FEW)
            self.tell(Stuck.DELETED)

    def too_old(self) -> float | None:
        """Count a message that takes no edits for a while.

        Return None if another is to be posted in its place, or the seconds until it is edited
        again, where those before took none either.
        """
        self._too_old += 1
        if self._too_old < FEW_TOO_OLD:
            return None
        pause = self.longer()
        log.warning("%s: message takes no edits, retrying in %d s", self._table, pause)
        self.tell(Stuck.LATE)
        return pause

    def replaced(self, *, was_there: bool | None) -> None:
        """Note a new message. It has to be lost too before posting stops.

        `was_there`: true if the one before was there until now, False if it was found deleted, None
        if nobody knows.
        """
        if was_there is not None:
            self._deleted = 0 if was_there else min(self._deleted + 1, FEW - 1)

    def longer(self) -> float:
        """Return the next, longer pause in seconds."""
        return self._pause.longer()

    def tell(self, stuck: Stuck | None) -> None:
        """Set the notice on panels about a message that can't be updated; None removes it."""
        self._table.tell(replace(self._table.notices, stuck=stuck))

    @property
    def _phase(self) -> tuple[int, Phase]:
        return self._table.session.round, self._table.session.phase
