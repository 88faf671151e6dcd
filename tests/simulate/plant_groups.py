"""Faults between the groups of a bot: leases, hops, turns, numbers, and news of people."""

import asyncio
import random
from collections.abc import Iterable, Mapping
from typing import Any

from bot.groups.hops.press import HandedPress
from bot.groups.hops.sender import Sender
from bot.groups.lease.leases import Leases, Used
from bot.groups.lease.own_group import OwnGroup
from bot.groups.people.claims import Claims
from bot.groups.people.switches import Switch, Switches
from bot.ids import UserId
from bot.store.tables.journal import SqliteJournal
from bot.ui.limits.shared import grouped
from bot.ui.people.all_groups import AllGroups
from bot.ui.people.everywhere import Part, Why

LATER = 0.3
"""Seconds by which one press is handed over later than another, at most."""


def ignores_leases() -> None:
    """A group starts, and goes on, whoever has its lease.

    Breaks: a table has one owner.
    """

    def outcome(self: Leases, said: list[str], own: OwnGroup) -> Used:
        return frozenset()

    Leases._outcome = outcome  # type: ignore[method-assign]


def hands_over_in_any_order() -> None:
    """Each press takes a way of its own to the group that has its table.

    Breaks: the order of arrival decides.
    """
    put = Sender.put

    def later(self: Sender, press: HandedPress) -> None:
        pause = random.Random(press.payload["id"]).uniform(0, LATER)
        asyncio.get_running_loop().call_later(pause, put, self, press)

    Sender.put = later  # type: ignore[method-assign]


def doubles_the_floor() -> None:
    """Each group calls Discord twice as often as it may without Valkey.

    Breaks: the limit of all calls.
    """
    grouped.FLOOR *= 2


def reuses_numbers() -> None:
    """All groups give numbers as the first one.

    Breaks: a number names one table.
    """
    begin = SqliteJournal.__init__

    def begun(self: SqliteJournal, db: Any, writer: Any, group: int = 0) -> None:
        begin(self, db, writer, min(group, 1))

    SqliteJournal.__init__ = begun  # type: ignore[method-assign]


def hears_no_choices() -> None:
    """No group takes over what was chosen in another.

    Breaks: a choice holds in every group.
    """

    async def take(self: Switches, told: Iterable[Switch]) -> None:
        pass

    Switches._take = take  # type: ignore[method-assign]


def forgets_here_alone() -> None:
    """A group that has forgotten somebody doesn't wait for the others before it says so.

    Breaks: nobody counts as forgotten too early.
    """

    async def left(self: AllGroups, user: UserId) -> Mapping[Part, Why]:
        return {}

    AllGroups.left = left  # type: ignore[method-assign]


def claims_nothing() -> None:
    """A group begins a daily without asking whether another has it.

    Breaks: a person's daily is one group's.
    """

    async def take(self: Claims, date: str, mark: str, begins: float) -> int:
        return self._feed.number

    async def holder(self: Claims, date: str, mark: str) -> int | None:
        return None

    Claims.take, Claims.holder = take, holder  # type: ignore[method-assign]
