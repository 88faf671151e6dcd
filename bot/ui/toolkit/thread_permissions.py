"""Channels in which a table can have a thread of its own, by kind and by the bot's permissions."""

import discord

from bot.games.values import Refused
from bot.tables.presses.router import PressRefusal
from bot.text import Joined, Text
from bot.ui.connection.responses import Interaction

WITH_THREADS = frozenset({discord.ChannelType.text, discord.ChannelType.news})


def no_thread(interaction: Interaction) -> Refused | None:
    """Return why a table can have no thread of its own in this channel; None where it can."""
    if interaction.channel is None or interaction.channel.type not in WITH_THREADS:
        return Refused(PressRefusal.THREADS_HERE)
    may = interaction.app_permissions
    needed = {
        "create_public_threads": may.create_public_threads,
        "send_messages_in_threads": may.send_messages_in_threads,
    }
    missing = tuple(Text(f"permission.{name}") for name, there in needed.items() if not there)
    return Refused(PressRefusal.NO_THREAD, (("names", Joined(missing)),)) if missing else None
