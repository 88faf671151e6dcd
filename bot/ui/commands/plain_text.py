"""The `/plain` command: plain-text panels for screen readers."""

import discord

from bot.ids import UserId
from bot.text import Text
from bot.ui.caches.plain_text_users import PlainTextUsers
from bot.ui.connection.responses import Interaction
from bot.ui.panels.panels import Panels
from bot.ui.toolkit.command_answers import tell
from bot.ui.toolkit.command_router import CommandRouter
from bot.ui.toolkit.command_words import command


class PlainText:
    """The `/plain` command, which toggles plain text and redraws the user's panels."""

    def __init__(
        self, router: CommandRouter, plain_text_users: PlainTextUsers, panels: Panels
    ) -> None:
        self._plain_text_users = plain_text_users
        self._panels = panels
        plain_text_users.changed = self._redraw

        async def plain(interaction: discord.Interaction[discord.Client]) -> None:
            await self._turn(interaction)

        router.offer(command("plain", plain))

    async def _turn(self, interaction: Interaction) -> None:
        user = UserId(interaction.user.id)
        on = await self._plain_text_users.turn(user)
        await tell(interaction, Text("plain.on" if on else "plain.off"))
        self._redraw(user)

    def _redraw(self, user: UserId) -> None:
        for panel in self._panels:
            if panel.user == user:
                panel.redraw_now()
