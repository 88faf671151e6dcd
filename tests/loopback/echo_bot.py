"""The smallest bot: /panel posts a message with a persistent button, each click edits it.

ECHO_CLIENT=1 makes it a plain discord.Client, ECHO_SHARDS=1 an AutoShardedBot.
"""

import os
from typing import Any

import discord
from discord import app_commands, ui
from discord.ext import commands

INTENTS = discord.Intents.default()


class Hits(ui.View):
    def __init__(self) -> None:
        super().__init__(timeout=None)
        self.count = 0

    @ui.button(label="hit", custom_id="hit")
    async def hit(self, interaction: discord.Interaction, button: ui.Button["Hits"]) -> None:
        self.count += 1
        await interaction.response.edit_message(content=f"hits: {self.count}")


@app_commands.command(name="panel", description="post a panel")
async def panel(interaction: discord.Interaction) -> None:
    await interaction.response.send_message("hits: 0", view=Hits())


class EchoClient(discord.Client):
    def __init__(self) -> None:
        super().__init__(intents=INTENTS)
        self.tree = app_commands.CommandTree(self)

    async def setup_hook(self) -> None:
        await prepare(self, self.tree)


class EchoBot(commands.Bot):
    def __init__(self) -> None:
        super().__init__(command_prefix=commands.when_mentioned, intents=INTENTS)

    async def setup_hook(self) -> None:
        await prepare(self, self.tree)


class EchoShardedBot(commands.AutoShardedBot):
    def __init__(self) -> None:
        super().__init__(command_prefix=commands.when_mentioned, intents=INTENTS)

    async def setup_hook(self) -> None:
        await prepare(self, self.tree)


async def prepare(client: discord.Client, tree: app_commands.CommandTree[Any]) -> None:
    client.add_view(Hits())
    tree.add_command(panel)
    await tree.sync()


def main() -> None:
    client: discord.Client
    if os.environ.get("ECHO_CLIENT"):
        client = EchoClient()
    elif os.environ.get("ECHO_SHARDS"):
        client = EchoShardedBot()
    else:
        client = EchoBot()
    client.run(os.environ["DISCORD_TOKEN"], log_level=30)


if __name__ == "__main__":
    main()
