"""Problems of a bot that only its owner can solve, and which of them are news."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.groups.group import Group

DAY = 24 * 60 * 60.0
"""Seconds without a problem after which it counts as solved: one that comes and goes is one."""
FAILING = 2 * DAY
"""Seconds of failed backups after which they are a problem."""


@dataclass(frozen=True, slots=True)
class Known:
    """The memory of a bot of its problems, across restarts. Times are Unix seconds.

    `failing`: since when backups have failed. `told`: when each problem its owner was told of was
    last there.
    """

    failing: float | None = None
    told: Mapping[str, float] = field(default_factory=dict)

    def backups(self, failure: str | None, now: float) -> "Known":
        """Return what is known after a look at the backups.

        `failure`: why the last one failed, empty if it didn't, and None before there was any.
        """
        if failure is None:
            return self
        return Known((self.failing or now) if failure else None, self.told)

    def has_failed_for_days(self, now: float) -> bool:
        return self.failing is not None and now - self.failing >= FAILING

    def told_of(self, found: Mapping[str, str], now: float) -> "Known":
        """Return what is known once the owner has been told of these problems."""
        kept = {key: seen for key, seen in self.told.items() if abs(now - seen) < DAY}
        return Known(self.failing, kept | dict.fromkeys(found, now))

    def news(self, found: Mapping[str, str], now: float) -> tuple[str, ...]:
        """Return what the owner has to be told: the problems that are new."""
        told = self.told_of({}, now).told
        return tuple(said for key, said in found.items() if key not in told)

    def stored(self) -> str:
        return json.dumps([self.failing, dict(self.told)])


def restored(stored: str | None) -> Known:
    """Return what was stored. What can't be read is forgotten."""
    try:
        failing, told = json.loads(stored or "[null, {}]")
        times = {str(key): float(seen) for key, seen in told.items()}
        return Known(None if failing is None else float(failing), times)
    except (ValueError, TypeError, AttributeError):
        return Known()


def heading(group: Group) -> str:
    """Return the line that says whose problems they are; none if the bot is one process."""
    return "" if group.is_alone else f"Group {group.number} ({group.layout}):\n"
