"""A press as it arrives, and whether it is fresh: seen before, or too old to count."""

from dataclasses import dataclass, field
from enum import StrEnum

IN_LINE = 2.0
"""Seconds that a press may wait for its turn at a table; then its answer would come too late."""


class Stale(StrEnum):
    """Why a press was not looked at. Each value is the key of its words."""

    SEEN = "press.refused.seen"
    TOO_OLD = "press.refused.too_old"
    TOO_MANY = "press.refused.too_many"


@dataclass(frozen=True, slots=True)
class Press:
    """Who pressed, which interaction it is, and when: by Discord's clock and by ours.

    `created` is in Unix seconds, `arrived` is the monotonic time read first thing. `token`: of a
    command that opens a table. After a crash it finds the answer, which is the table's message.
    """

    interaction: int
    user: int
    name: str
    created: float
    arrived: float
    token: str | None = field(default=None, repr=False)

    def is_late(self, now: float) -> bool:
        """Whether it has waited for its turn too long. `now`: on the monotonic clock."""
        return now - self.arrived > IN_LINE

    def patience(self, now: float) -> float:
        """Seconds that it may still wait for."""
        return max(0.0, self.arrived + IN_LINE - now)
