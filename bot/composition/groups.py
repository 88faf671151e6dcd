"""The parts of a process that reach the other groups of its bot. Alone, it loads none of them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from bot.composition.core import Core
from bot.ids import ChannelId
from bot.store.tables.origins import SqliteOrigins
from bot.store.tables.paces import SqlitePaces
from bot.tasks import Ticking, Work
from bot.ui.caches.plain_text_users import OwnPlainTextUsers, PlainTextUsers
from bot.ui.connection.client import Client
from bot.ui.daily.parts import DailyParts
from bot.ui.daily.secrets import Agree
from bot.ui.limits.edit_budget import Budget
from bot.ui.people.everywhere import Everywhere
from bot.ui.people.one_process import OneProcess
from bot.ui.people.own_data import OwnData


class Across(Protocol):
    """The parts that are the whole bot's, whether it is one process or several groups.

    `budget`: of calls to Discord; `rate_limited`: call it after a rate limit, with its channel,
    None if it is the whole bot's. `plain`: who reads plain text. `agree`: how groups agree on
    chains of dailies; None if there are no others. `ticking`: what has time limits; `work`: what
    runs for as long as the bot does, by name.
    """

    @property
    def budget(self) -> Budget: ...
    @property
    def rate_limited(self) -> Callable[[ChannelId | None], None]: ...
    @property
    def plain(self) -> PlainTextUsers: ...
    @property
    def agree(self) -> Agree | None: ...
    @property
    def ticking(self) -> Sequence[Ticking]: ...
    @property
    def work(self) -> Mapping[str, Work]: ...

    def everywhere(self, own: OwnData) -> Everywhere:
        """Return what `/privacy` asks. Called once. `own`: a person's data in this process."""

    def join(self, daily: DailyParts) -> None:
        """Have each person's dailies in one group. Called once."""

    async def begin(self) -> None:
        """Do what was missed, before presses are taken."""


class OneProcessAcross:
    """The parts of a bot that is one process."""

    agree = None
    ticking: Sequence[Ticking] = ()
    work: Mapping[str, Work] = {}

    def __init__(self, core: Core) -> None:
        self.budget = Budget(core.clock, SqlitePaces(core.database.writing, core.writer))
        self.rate_limited = self.budget.rate_limited
        self.plain = OwnPlainTextUsers(core.archive)

    def everywhere(self, own: OwnData) -> Everywhere:
        return OneProcess(own)

    def join(self, daily: DailyParts) -> None:
        """There is no other group."""

    async def begin(self) -> None:
        """Nothing was missed."""


async def across_of(core: Core, client: Client) -> Across:
    """Build what crosses groups. Nothing is started or written."""
    if core.group.is_alone:
        return OneProcessAcross(core)
    from bot.composition.several_groups import SeveralGroups  # noqa: PLC0415 it needs Valkey's client

    stored = SqliteOrigins(core.database.reading)
    return SeveralGroups(core, client, stored, await stored.origins())
