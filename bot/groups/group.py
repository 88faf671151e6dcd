"""A process within its bot."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.groups.layout import WHOLE, Layout

if TYPE_CHECKING:
    from bot.groups.valkey import Valkey


@dataclass(frozen=True, slots=True)
class Group:
    """A process's part of the bot.

    `number`: leased once for its database, and never another's; 0 for a bot that is one process.
    `valkey`: the way to the other groups; None if there are none. `start`: the count of this start.
    `is_sure`: False while another process may have been started as this group.
    """

    layout: Layout = WHOLE
    number: int = 0
    valkey: "Valkey | None" = None
    start: int = 0
    is_sure: Callable[[], bool] = lambda: True

    @property
    def is_alone(self) -> bool:
        return self.valkey is None

    def __str__(self) -> str:
        """Return `group 3, shards 0-1 of 8`."""
        return f"group {self.number}, {self.layout}"

    def figures(self) -> dict[str, float]:
        """Return the metrics of what crosses groups, by name; none for a bot of one process."""
        return {} if self.valkey is None else self.valkey.figures()


ALONE = Group()
