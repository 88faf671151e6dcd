"""Counts the interactions that a connected bot did not answer in time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.fakediscord.gateway import Conn
    from bot.fakediscord.model import Interaction


class Deadlines:
    """Each interaction counts once, when refused for its deadline or when left unanswered.

    Those whose connection breaks before the deadline count only if an answer is refused.
    """

    def __init__(self) -> None:
        self._late = 0
        self._awaited: dict[Interaction, Conn] = {}  # delivered, not answered, not yet counted

    def delivered(self, rec: Interaction, conn: Conn) -> None:
        if rec.cb_type is None and not rec.late:
            self._awaited[rec] = conn

    def answered(self, rec: Interaction) -> None:
        self._awaited.pop(rec, None)

    def missed(self, rec: Interaction) -> None:
        self._awaited.pop(rec, None)
        if not rec.late:
            rec.late = True
            self._late += 1

    def disconnected(self, conn: Conn) -> None:
        self._count_overdue()
        for rec in [rec for rec, via in self._awaited.items() if via is conn]:
            del self._awaited[rec]

    @property
    def late(self) -> int:
        self._count_overdue()
        return self._late

    def _count_overdue(self) -> None:
        now = time.perf_counter()
        for rec in list(self._awaited):
            if now - rec.created > rec.deadline:
                self.missed(rec)
