"""A bare discord.py bot, as its documentation shows one."""

import json
import os
from typing import Any

import discord
import uvloop
from discord import app_commands, ui

SHAPE: list[dict[str, Any]] = json.loads(os.environ.get("SHAPE", "[]"))
Press = discord.Interaction[Any]


class Panel(ui.LayoutView):
    """Text, rules and rows of buttons. Every button counts."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        self.hits = 0
        self.number = 0
        self.told = ui.TextDisplay["Panel"]("hits: 0")
        box = ui.Container["Panel"](*(self._block(one) for one in SHAPE))
        box.add_item(self.told)
        self.add_item(box)

    def _block(self, block: dict[str, Any]) -> ui.Item["Panel"]:
        if "text" in block:
            return ui.TextDisplay(block["text"])
        if "buttons" in block:
            return ui.ActionRow(*(self._button(one) for one in block["buttons"]))
        return ui.Separator()

    def _button(self, button: dict[str, Any]) -> ui.Button["Panel"]:
        made = ui.Button["Panel"](
            label=button["label"],
            emoji="🎲" if button["emoji"] else None,
            disabled=button["disabled"],
            custom_id=f"hit:{self.number}",
        )
        self.number += 1
        made.callback = self.hit  # type: ignore[method-assign]
        return made

    async def hit(self, interaction: Press) -> None:
        self.hits += 1
        self.told.content = f"hits: {self.hits}"
        await interaction.response.edit_message(view=self)


class Bare(discord.Client):
    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self.tree = app_commands.CommandTree(self)

    async def setup_hook(self) -> None:
        @self.tree.command(name="panel", description="a panel of one's own")
        async def panel(interaction: Press) -> None:
            await interaction.response.send_message(view=Panel(), ephemeral=True)

        # For a press that is here before the answer that tells which message a panel is.
        self.add_view(Panel())
        _ = await self.tree.sync()


if __name__ == "__main__":
    uvloop.install()
    Bare().run(os.environ["DISCORD_TOKEN"], log_level=30)
