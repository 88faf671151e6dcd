"""The private answers to Watch: a newer one to the same person takes the place of an older one."""

import logging
from collections import OrderedDict
from typing import NamedTuple

from bot.clock import Clock
from bot.ids import ChannelId, UserId
from bot.tables.state.message_refs import TOKEN_LIFE
from bot.ui.connection import deadlines
from bot.ui.connection.responses import Interaction
from bot.ui.limits.errors import FAILURES

log = logging.getLogger(__name__)

KEPT = 256
"""Answers that are remembered."""


class _Answered(NamedTuple):
    interaction: Interaction
    at: float


class LatestAnswers:
    """The newest answer to each person in a channel about a match, while its token lives."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._latest: OrderedDict[tuple[UserId, ChannelId, int], _Answered] = OrderedDict()

    async def replace(self, interaction: Interaction, match: int) -> None:
        """Note a new answer, and delete the one before it, which shows rounds of the same match.

        An answer that can't be deleted stays: its token is dead, or the person has dismissed it.
        """
        now = self._clock.now()
        while self._latest and next(iter(self._latest.values())).at <= now - TOKEN_LIFE:
            self._latest.popitem(last=False)
        key = (UserId(interaction.user.id), ChannelId(interaction.channel_id or 0), match)
        before = self._latest.pop(key, None)
        self._latest[key] = _Answered(interaction, now)
        if len(self._latest) > KEPT:
            self._latest.popitem(last=False)
        if before is not None:
            await _delete(before.interaction)


async def _delete(interaction: Interaction) -> None:
    try:
        async with deadlines.later(interaction):
            await interaction.delete_original_response()
    except FAILURES as error:
        log.info("channel %s: old picture not deleted: %r", interaction.channel_id, error)
