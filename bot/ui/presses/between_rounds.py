"""The panels of arenas, as presses at tables know them: where one is when its round is over."""

from typing import Protocol

from bot.tables.registry.outcome import Outcome
from bot.ui.connection.responses import Interaction


class BetweenRounds(Protocol):
    """Whatever has a player's panel before and after their round at an arena's table."""

    async def answers(self, interaction: Interaction, outcome: Outcome) -> bool:
        """Answer a press at a table whose round is over, if that was an arena's.

        Return False for any other press; nothing is answered then.
        """

    def after(self, interaction: Interaction, outcome: Outcome) -> None:
        """Note that a press at a table has been answered: its panel may be the arena's by now."""


class NoArenas:
    """No arena has a panel."""

    async def answers(self, _: Interaction, __: Outcome) -> bool:
        return False

    def after(self, _: Interaction, __: Outcome) -> None: ...
