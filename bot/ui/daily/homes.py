"""The group in which a person plays a date's daily. In a bot of one process, that is this one."""

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias

from bot.daily.dates import DayNumber
from bot.ids import GuildId, UserId
from bot.ui.connection.responses import Interaction

HandOver: TypeAlias = Callable[[int], Awaitable[None]]
"""Hands the interaction that is being answered to a group, which answers it."""


class AwayError(Exception):
    """Another group can't be asked, or reached, and nothing may be decided without it."""


async def nowhere(group: int) -> None:
    """Hand nothing over: there is no interaction that another group could answer."""
    raise AwayError(f"group {group} can't answer this")


class Homes(Protocol):
    """The homes of everybody's days. Every question raises AwayError."""

    async def elsewhere(self, user: UserId, day: DayNumber) -> int | None:
        """Return the other group that has a person's day; None if this one has it, or nobody."""

    async def last_elsewhere(self, user: UserId, today: DayNumber) -> int | None:
        """Return the other group that has today, or else had the day before and runs."""

    async def claim(self, user: UserId, day: DayNumber) -> int | None:
        """Claim a person's day before a round of it begins. Return the other group that has it."""

    def hand_over(self, interaction: Interaction) -> HandOver:
        """Return what hands an interaction over. It raises AwayError unless that group runs."""

    def is_away(self, guild: GuildId) -> bool:
        """Return whether a server is another group's."""

    def ended(self) -> None:
        """Have other groups told of results on their servers."""


class OneHome:
    """The homes in a bot that is one process."""

    async def elsewhere(self, user: UserId, day: DayNumber) -> int | None:  # noqa: ARG002
        return None

    async def last_elsewhere(self, user: UserId, today: DayNumber) -> int | None:  # noqa: ARG002
        return None

    async def claim(self, user: UserId, day: DayNumber) -> int | None:  # noqa: ARG002
        return None

    def hand_over(self, interaction: Interaction) -> HandOver:  # noqa: ARG002
        return nowhere

    def is_away(self, guild: GuildId) -> bool:  # noqa: ARG002
        return False

    def ended(self) -> None:
        pass
