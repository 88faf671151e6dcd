"""A press on a move of a daily: into its player's line first, then one answer."""

import logging
import re
from collections.abc import Awaitable

from bot.clock import Clock
from bot.daily.dates import DayNumber
from bot.daily.store import RoundKey, Where
from bot.games import GAMES
from bot.games.values import Refused
from bot.ids import ChannelId, GuildId, UserId
from bot.tables.presses.press import Stale
from bot.tables.presses.router import PressRefusal
from bot.tables.registry.outcome import Outcome
from bot.tables.registry.registry import Tables
from bot.text import Text
from bot.ui.connection.load_shedding import Load
from bot.ui.connection.press_origin import is_anothers
from bot.ui.connection.responses import Interaction, is_private, private, sent_id
from bot.ui.daily.replies import PREFIX, DailyReplies
from bot.ui.daily.rounds import Answer, DailyRounds
from bot.ui.presses.presses import NAME, heard, read

log = logging.getLogger(__name__)

_CUSTOM_ID = re.compile(PREFIX + r"([0-9]{1,6}):([a-z]{1,20}):([ -~]{1,73})")


def where(interaction: Interaction) -> Where | None:
    """Return the server that somebody plays in; None in a direct message."""
    if interaction.guild_id is None:
        return None
    return Where(GuildId(interaction.guild_id), interaction.user.display_name[:NAME])


class DailyPresses:
    """The presses on moves, by nothing but the custom id: they work after a restart."""

    def __init__(
        self,
        tables: Tables,
        rounds: DailyRounds,
        replies: DailyReplies,
        load: Load,
        clock: Clock,
    ) -> None:
        self._tables = tables
        self._rounds = rounds
        self._replies = replies
        self._load = load
        self._clock = clock

    def is_for(self, interaction: Interaction) -> bool:
        return sent_id(interaction).startswith(PREFIX)

    def handle(self, interaction: Interaction) -> Awaitable[None]:
        """Put the press in its player's line, and return the awaitable that answers it.

        An ordinary function: nothing can be awaited before the press is in line.
        """
        if self._load.is_full(lambda: True):  # whoever has this button plays a round
            self._load.drop()
            return _nothing()
        press = read(interaction, self._clock)
        barred = self._tables.barred(press)
        if barred is not None and barred.refused is not None:
            return self._barred(interaction, barred.refused)
        match = _CUSTOM_ID.fullmatch(sent_id(interaction))
        if match is None or match[2] not in GAMES:
            return private(interaction, Refused(PressRefusal.UNKNOWN).text)
        if is_anothers(interaction) or not is_private(interaction):
            return private(interaction, Refused(PressRefusal.ANOTHERS).text)
        key = RoundKey(UserId(interaction.user.id), DayNumber(int(match[1])), match[2])
        here = self._tables.attends(ChannelId(interaction.channel_id or 0), press)
        over = self._rounds.homes.hand_over(interaction)
        found = self._rounds.press(key, match[3], press, where(interaction), over)
        return self._answered(interaction, key, found, here)

    async def _barred(self, interaction: Interaction, refused: Refused) -> None:
        """Answer a press that isn't looked at: one seen before or too old gets no answer."""
        if refused.why is Stale.TOO_OLD:
            self._load.drop()
        elif refused.why is not Stale.SEEN:
            await private(interaction, refused.text)

    async def _answered(
        self,
        interaction: Interaction,
        key: RoundKey,
        found: Awaitable[Answer],
        here: Awaitable[Outcome],
    ) -> None:
        try:
            with self._load.working() as goes_out:
                answer = await found
                goes_out()
                if answer.is_handed:
                    return
                if isinstance(answer.said, Refused) and answer.said.why is Stale.TOO_OLD:
                    self._load.drop()
                    return
                await self._replies.round(interaction, key, answer)
        except Exception:
            log.exception("daily in channel %s: press failed", interaction.channel_id)
            await private(interaction, Text("daily.refused.broken"))
        await heard(here)


async def _nothing() -> None:
    """Answer nothing: the press is dropped."""
