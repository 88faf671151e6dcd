"""The limits on how often one user may use commands, and post public messages."""

from bot.clock import Clock
from bot.ids import UserId
from bot.tables.presses.rate_limit import Rate
from bot.text import Text
from bot.ui.connection.responses import Interaction, private

ASKED, WITHIN = 20, 10.0
"""Commands and presses on the records, in seconds. Each may read the whole history of a server."""
PUBLIC, PUBLIC_WITHIN = 3, 60.0
"""Public answers per person, and the seconds in which they count."""

AGAIN_AFTER = 600.0
"""Seconds after which the same thing can be shared in the same channel again."""


class PublicLimit:
    """A limit on a person's public messages: new tables and leaderboards."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._rate: Rate[UserId] = Rate(PUBLIC, PUBLIC_WITHIN)

    def allows(self, user: UserId) -> bool:
        """Return whether one more is within the limit, and count it if it is."""
        return self._rate.allows(user, self._clock.now())

    def take_back(self, user: UserId) -> None:
        """Stop counting the newest one: it was not sent."""
        self._rate.take_back(user)


class CommandLimit:
    """A limit per user. Calls over it are refused with an answer, and not counted."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._rate: Rate[UserId] = Rate(ASKED, WITHIN)

    async def lets_in(self, interaction: Interaction) -> bool:
        if self._rate.allows(UserId(interaction.user.id), self._clock.now()):
            return True
        await private(interaction, Text("request.refused.too_often"))
        return False
