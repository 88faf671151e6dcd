"""What Discord has refused of a table's message: when to try again, and what people are told."""

import logging
from dataclasses import replace

from bot.tables.clock import Clock
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
"""Messages in a row that were deleted young: then somebody or something wants none here."""
LATE = 3
"""Edits in a row that nothing came of, after which people are told."""
YOUNG = 60.0
"""Seconds that such a message has lived at most when it is found deleted."""


class Setbacks:
    """Grows pauses from try to try, and ends them. What people are told is told once: it stands
    on their panels until the message is well again.
    """

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock
        self._pause = Pause()
        self._refused = self._late = 0
        self._posted_at = clock.now()
        self._young = 0  # messages in a row that were deleted young
        self._rests_in: tuple[int, Phase] | None = None

    @property
    def is_resting(self) -> bool:
        """Return whether nothing is sent for now: until somebody asks for the message or, where it
        was refused, until the next phase.
        """
        return self._young >= FEW or self._rests_in == self._phase

    @property
    def is_stuck(self) -> bool:
        """Return whether people cannot be told anything on the message."""
        return self._table.notices.stuck is not None

    def over(self, *, posted: bool) -> None:
        """The message is as it should be. `posted`: it is a new one."""
        now = self._clock.now()
        if posted:
            self._posted_at = now
        elif now - self._posted_at > YOUNG:
            self._young = 0
        self._pause.over()
        self._refused, self._late, self._rests_in = 0, 0, None
        self.tell(None)

    def asked(self) -> None:
        """Somebody asks for the message: it is tried once more."""
        self._young = min(self._young, FEW - 1)
        self._refused, self._rests_in = min(self._refused, TRIES - 1), None

    def failed(self, error: Exception) -> float | None:
        """Return the seconds until it is tried again; None where nothing is, but for a change."""
        match trouble(error):
            case Trouble.BUG:
                log.error("%s: Discord refused its message: %s", self._table, error)
                self.tell(Stuck.REFUSED)
                return None
            case Trouble.REFUSED:
                return self._refusal(error)
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

    def _refusal(self, error: Exception) -> float | None:
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
        is_young = self._clock.now() - self._posted_at <= YOUNG
        self._young = self._young + 1 if is_young else 0
        if self._young >= FEW:
            log.warning("%s: its messages are deleted, and not posted any more", self._table)
            self.tell(Stuck.DELETED)

    def longer(self) -> float:
        """Return the seconds until something that may pass is tried again."""
        return self._pause.longer()

    def tell(self, stuck: Stuck | None) -> None:
        """Say on panels why the message stands still, or that it doesn't."""
        self._table.tell(replace(self._table.notices, stuck=stuck))

    @property
    def _phase(self) -> tuple[int, Phase]:
        return self._table.session.round, self._table.session.phase
