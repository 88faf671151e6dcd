"""The limit on how often one user may ask: commands, and what they lead to."""

from bot.clock import Clock
from bot.tables.presses.rate_limit import Rate
from bot.text import Text
from bot.ui.connection.responses import Interaction, private

ASKED, WITHIN = 20, 10.0
"""Commands and presses on the records, in seconds. Each may read the whole history of a server."""


class CommandLimit:
    """A limit per user. Calls over it are refused with an answer, and not counted."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._rate = Rate(ASKED, WITHIN)

    async def lets_in(self, interaction: Interaction) -> bool:
        if self._rate.allows(interaction.user.id, self._clock.now()):
            return True
        await private(interaction, Text("door.refused.too_often"))
        return False
