"""The `/learn` command: a guided first hand of the card game, for one person alone."""

from collections.abc import Sequence
from functools import partial

import discord

from bot.games.ligretto import lesson_screens as lesson
from bot.ids import UserId
from bot.screen import Screen
from bot.tables.state.journal import TableId
from bot.tables.views.newcomer import First
from bot.tables.views.plain_words import in_plain_words
from bot.ui.connection.responses import Interaction, answer, redrawn
from bot.ui.panels.context import PanelContext
from bot.ui.render.components import view
from bot.ui.render.marks import Reader
from bot.ui.toolkit.command_router import CommandRouter, NotOursError, custom_id
from bot.ui.toolkit.command_words import command

SUBJECT = "learn"
TO_ID = partial(custom_id, SUBJECT)
NO_TABLE = TableId(0)
OPEN = "open"
"""The word of buttons on other messages: the lesson comes as a message of its own."""


class Learn:
    """The command and its buttons. The custom id has all there is to know, so nothing is kept."""

    def __init__(self, router: CommandRouter, context: PanelContext) -> None:
        self._context = context

        async def learn(interaction: discord.Interaction[discord.Client]) -> None:
            await self._open(interaction)

        router.offer(command(SUBJECT, learn))
        router.on_press(SUBJECT, self._press, in_private=True)

    async def _open(self, interaction: Interaction) -> None:
        await answer(interaction, partial(self._view, interaction, lesson.answer(lesson.BEGIN)))

    async def _press(self, interaction: Interaction, words: Sequence[str]) -> None:
        """Answer a press by the word of its button, and nothing else."""
        word = ":".join(words)
        if word == OPEN:
            await self._open(interaction)
            return
        try:
            screen = lesson.answer(word)
        except ValueError as error:
            raise NotOursError from error
        if lesson.is_over(word):
            # No table offers the lesson to somebody who has just taken it.
            self._context.newcomers.is_first(UserId(interaction.user.id), First.TABLE, NO_TABLE)
        await redrawn(interaction, partial(self._view, interaction, screen))

    def _view(self, interaction: Interaction, screen: Screen) -> discord.ui.LayoutView:
        """Return a message in the reader's language, in words alone for readers of plain text."""
        locale = str(interaction.locale)
        if UserId(interaction.user.id) in self._context.plain:
            return view(in_plain_words(screen), TO_ID, Reader(locale, plain=True))
        return view(screen, TO_ID, Reader(locale, faces=self._context.emojis.faces))
