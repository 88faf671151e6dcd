"""The permissions that the bot needs in a channel: to post there, and to begin a thread."""

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


def missing_to_post(interaction: Interaction) -> tuple[Text, ...]:
    """Return the permissions that a public message needs and the bot lacks in this channel."""
    may = interaction.app_permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    sending = "send_messages_in_threads" if in_thread else "send_messages"
    needed = {"view_channel": may.view_channel, sending: getattr(may, sending)}
    return tuple(Text(f"permission.{name}") for name, there in needed.items() if not there)
