"""The panels of arenas, as presses at tables know them: where one is when its round is over."""

from collections.abc import Awaitable
from typing import Protocol

from bot.tables.registry.outcome import Outcome
from bot.ui.connection.responses import Interaction


class BetweenRounds(Protocol):
    """Whatever has a player's panel before and after their round at an arena's table."""

    def answers(self, interaction: Interaction, outcome: Outcome) -> Awaitable[None] | None:
        """Return what answers a press at a table whose round is over, if that was an arena's.

        Return None for any other press.
        """

    def after(self, interaction: Interaction, outcome: Outcome) -> None:
        """Note that a press at a table has been answered: its panel may be the arena's by now."""


class NoArenas:
    """No arena has a panel."""

    def answers(self, _: Interaction, __: Outcome) -> None: ...

    def after(self, _: Interaction, __: Outcome) -> None: ...
