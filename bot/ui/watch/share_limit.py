"""The limits on shared pictures: of a person, of a channel, and of one round in a channel."""

from typing import NamedTuple

from bot.clock import Clock
from bot.ids import ChannelId, UserId
from bot.tables.presses.rate_limit import Rate
from bot.text import Text
from bot.ui.connection.responses import Interaction
from bot.ui.toolkit.command_limit import AGAIN_AFTER, PublicLimit

SHARED, WITHIN = 4, 60.0
"""Pictures shared in a channel, and the seconds in which they count."""


class SharedRound(NamedTuple):
    """A round in the channel in which it is shared. Numbers of matches are those of a server."""

    channel: ChannelId
    match: int
    round: int


class ShareLimit:
    """Counts what is shared, from the press on. Nothing is awaited in it."""

    def __init__(self, of_person: PublicLimit, clock: Clock) -> None:
        self._of_person = of_person
        self._of_channel: Rate[ChannelId] = Rate(SHARED, WITHIN)
        self._of_round: Rate[SharedRound] = Rate(1, AGAIN_AFTER)
        self._clock = clock

    def refuses(self, interaction: Interaction, shared: SharedRound) -> Text | None:
        """Return why this can't be shared now; None if it can, and counts."""
        user, now = UserId(interaction.user.id), self._clock.now()
        if self.is_shared(shared):
            where = (("round", shared.round), ("number", shared.match))
            return Text("watch.shared_already", where)
        if not self._of_person.allows(user):
            return Text("watch.too_often")
        if not self._of_channel.allows(shared.channel, now):
            self._of_person.take_back(user)
            return Text("watch.too_often")
        self._of_round.allows(shared, now)
        return None

    def take_back(self, interaction: Interaction, shared: SharedRound) -> None:
        """Stop counting what was not posted."""
        self._of_person.take_back(UserId(interaction.user.id))
        self._of_channel.take_back(shared.channel)
        self._of_round.take_back(shared)

    def is_shared(self, shared: SharedRound) -> bool:
        """Return whether a round is in this channel already, or on its way there."""
        return self._of_round.is_full(shared, self._clock.now())
