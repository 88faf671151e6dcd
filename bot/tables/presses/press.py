"""A press as it arrives, and the reasons not to look at it."""

from dataclasses import dataclass, field
from enum import StrEnum

from bot.ids import UserId

IN_LINE = 2.0
"""Seconds that a press may wait for its turn at a table. Later, its answer would be too late."""


class Stale(StrEnum):
    """The reason a press was not looked at. Each value is the key of its words."""

    SEEN = "press.refused.seen"
    TOO_OLD = "press.refused.too_old"
    TOO_MANY = "press.refused.too_many"


@dataclass(frozen=True, slots=True)
class Press:
    """A press or a command: the interaction, the person, and its time by Discord's clock and ours.

    `created`: Unix seconds. `arrived`: the monotonic time, read first thing. `token`: of a command
    that opens a table. After a crash it finds the answer, which is the table message.
    """

    interaction: int
    user: UserId
    name: str
    created: float
    arrived: float
    token: str | None = field(default=None, repr=False)

    def is_late(self, now: float) -> bool:
        """Return whether it has waited for its turn too long. `now`: monotonic seconds."""
        return now - self.arrived > IN_LINE

    def patience(self, now: float) -> float:
        """Return the seconds that it may still wait. `now`: monotonic seconds."""
        return max(0.0, self.arrived + IN_LINE - now)
