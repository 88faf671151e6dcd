"""The `/plain` command: plain-text panels for screen readers."""

import discord

from bot.games.screen import Text
from bot.ui.answers import Interaction
from bot.ui.asking import command, tell
from bot.ui.desk import Desk
from bot.ui.panels import Panels
from bot.ui.readers import PlainReaders


class PlainText:
    """The `/plain` command, which toggles plain text and redraws the user's panels."""

    def __init__(self, desk: Desk, readers: PlainReaders, panels: Panels) -> None:
        self._readers = readers
        self._panels = panels

        async def plain(interaction: discord.Interaction[discord.Client]) -> None:
            await self._turn(interaction)

        desk.offer(command("plain", plain))

    async def _turn(self, interaction: Interaction) -> None:
        user = interaction.user.id
        on = await self._readers.turn(user)
        await tell(interaction, Text("plain.on" if on else "plain.off"))
        for panel in self._panels:
            if panel.user == user:
                panel.draw_anew()
