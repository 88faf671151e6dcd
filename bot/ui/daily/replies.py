"""The screens of dailies as their player reads them, and the answers that carry them."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeAlias

import discord

from bot.daily.result import streak
from bot.daily.screens import over, playing
from bot.daily.store import DailyStore, Leaderboard, RoundKey
from bot.games.values import Refused
from bot.ids import GuildId, UserId
from bot.screen import Screen
from bot.tables.views.plain_words import in_plain_words
from bot.ui.connection.responses import Interaction, answer, redrawn
from bot.ui.daily.rounds import Answer
from bot.ui.daily.secrets import DailySecrets
from bot.ui.panels.context import PanelContext
from bot.ui.render.components import view
from bot.ui.render.marks import Reader
from bot.ui.render.robots import robot
from bot.ui.toolkit.command_answers import tell

FindLeaderboard: TypeAlias = Callable[[GuildId, RoundKey], Awaitable[Leaderboard | None]]
"""Returns a server's leaderboard; None if it can't be had now."""
PREFIX = "ld1:"
"""The beginning of every custom id of a move in a daily."""
ROBOT_NUMBERS = (1, 2)


def move_id(key: RoundKey, word: str) -> str:
    """Return the custom id of a move: `ld1:<day>:<game>:<move>`. Complete ids stay as they are."""
    return word if word.startswith("lr1:") else f"{PREFIX}{key.day}:{key.game}:{word}"


class DailyReplies:
    """The answers to everything about dailies. Nothing is pushed: a daily changes by presses."""

    def __init__(self, store: DailyStore, secrets: DailySecrets, context: PanelContext) -> None:
        self._store = store
        self._secrets = secrets
        self._context = context
        self.leaderboard: FindLeaderboard = store.leaderboard

    async def round(
        self, interaction: Interaction, key: RoundKey, found: Answer, *, anew: bool = False
    ) -> None:
        """Answer with a round: on the pressed message, or `anew` as a private one."""
        if found.round is None:
            assert isinstance(found.said, Refused), "there is a round, or a reason"
            await tell(interaction, found.said.text)
            return
        screen = await self._screen(interaction, key, found)
        await self.show(interaction, screen, partial(move_id, key), anew=anew)

    async def show(
        self, interaction: Interaction, screen: Screen, to_id: "partial[str]", *, anew: bool
    ) -> None:
        drawn = partial(self._view, interaction, screen, to_id)
        if anew:
            await answer(interaction, drawn)
        else:
            await redrawn(interaction, drawn)

    def _view(
        self, interaction: Interaction, screen: Screen, to_id: "partial[str]"
    ) -> discord.ui.LayoutView:
        """Return a message in the reader's language, in words alone for readers of plain text."""
        locale = str(interaction.locale)
        if UserId(interaction.user.id) in self._context.plain:
            return view(in_plain_words(screen), to_id, Reader(locale, plain=True))
        return view(screen, to_id, Reader(locale, faces=self._context.emojis.faces))

    async def _screen(self, interaction: Interaction, key: RoundKey, found: Answer) -> Screen:
        one, locale = found.round, str(interaction.locale)
        assert one is not None, "there is a round to draw"
        robots = tuple(robot(locale, number) for number in ROBOT_NUMBERS)
        if one.ending is None and not found.is_closed:
            return playing(one, found.said, robots)
        said = found.said if isinstance(found.said, Refused) else None
        days = await self._store.finished(key.user)
        return over(
            one,
            robots,
            await self._leaderboard(interaction, key),
            streak=streak(days, self._secrets.today),
            said=said,
            shares=interaction.guild_id is not None,
        )

    async def _leaderboard(self, interaction: Interaction, key: RoundKey) -> Leaderboard | None:
        """Return the leaderboard of this server, for those who are on it."""
        if interaction.guild_id is None:
            return None
        found = await self.leaderboard(GuildId(interaction.guild_id), key)
        return found if found is not None and found.own is not None else None
