"""The parts by which a person is one person in all groups. A bot of one process has none of them.

They are imported only where there are other groups: they need Valkey's client.
"""

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from bot.composition.core import Core
from bot.tasks import Ticking
from bot.ui.caches.plain_text_users import OwnPlainTextUsers, PlainTextUsers
from bot.ui.connection.client import Client
from bot.ui.daily.parts import DailyParts
from bot.ui.daily.secrets import Agree
from bot.ui.people.everywhere import Everywhere
from bot.ui.people.one_process import OneProcess
from bot.ui.people.own_data import OwnData, Remembered
from bot.ui.presses.fence import fence

if TYPE_CHECKING:
    from bot.composition.people_of_groups import PeopleOfGroups

Work: TypeAlias = Callable[[], Coroutine[Any, Any, None]]


@dataclass(frozen=True, slots=True)
class Shared:
    """The parts shared with other groups. `groups` is None if there are none."""

    plain: PlainTextUsers
    groups: "PeopleOfGroups | None" = None

    def everywhere(self, core: Core, remembered: Sequence[Remembered]) -> Everywhere:
        """Return what `/privacy` asks. Called once. `remembered`: what is in memory of people."""
        own = OwnData(core.archive, core.tables, core.arenas, remembered)
        return OneProcess(own) if self.groups is None else self.groups.everywhere(own)

    @property
    def agree(self) -> Agree | None:
        """The way in which groups agree on chains of dailies; None if there are no others."""
        return None if self.groups is None else self.groups.agree

    def join(self, daily: DailyParts, client: Client) -> DailyParts:
        """Have each person's dailies in one group, and return the same parts. Called once."""
        if self.groups is not None:
            self.groups.join(daily, client)
        return daily

    async def begin(self, keep_up: Callable[[Work, str], None]) -> None:
        """Do what was missed, before presses are taken, and keep up the work that goes on."""
        if self.groups is not None:
            await self.groups.begin()
            for work, name in self.groups.work:
                keep_up(work, name)

    @property
    def ticking(self) -> tuple[Ticking, ...]:
        return () if self.groups is None else tuple(self.groups.ticking)


def shared_of(core: Core, client: Client) -> Shared:
    """Build what is shared. Nothing is read or written."""
    if core.group.valkey is None:
        return Shared(OwnPlainTextUsers(core.archive))
    from bot.composition.people_of_groups import PeopleOfGroups  # noqa: PLC0415 it needs redis

    fence(client, core.group.is_sure)
    groups = PeopleOfGroups(core)
    return Shared(groups.plain, groups)
