"""What a process is within its bot."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.groups.layout import WHOLE, Layout

if TYPE_CHECKING:
    from bot.groups.people.known import Groups
    from bot.groups.valkey import Valkey


@dataclass(frozen=True, slots=True)
class Group:
    """A process's part of the bot.

    `number`: leased once for its database, and never another's; 0 for a bot that is one process.
    `valkey`: the way to the other groups, and `groups` which there are; None if there are none.
    """

    layout: Layout = WHOLE
    number: int = 0
    valkey: "Valkey | None" = None
    groups: "Groups | None" = None

    @property
    def is_alone(self) -> bool:
        return self.valkey is None


ALONE = Group()
