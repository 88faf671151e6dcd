"""The authority of a press by where it comes from.

The id of a button is no authority: a self-written client can send any id from any message it sees.

Plain functions of the interaction: nothing is awaited, and nothing is looked up elsewhere.
"""

from enum import StrEnum

import discord

from bot.games.values import Refused
from bot.tables.presses.router import Why
from bot.tables.state.session import Session
from bot.text import Joined, Text
from bot.ui.connection.responses import Interaction, is_private

WITH_THREADS = frozenset({discord.ChannelType.text, discord.ChannelType.news})


class PressRefusal(StrEnum):
    """The reason to refuse a press for the message it is on. The value is a catalogue key."""

    ANOTHERS = "door.refused.anothers"


def is_anothers(interaction: Interaction) -> bool:
    """Return whether the pressed message is private and was sent to somebody else.

    Discord says with each private message whose interaction it answers (PLATFORM 1).
    """
    message = interaction.message
    asked = message.interaction_metadata if message is not None else None
    return asked is not None and is_private(interaction) and asked.user.id != interaction.user.id


def comes_from(interaction: Interaction, session: Session, *, has_panel: bool) -> bool:
    """Return whether a press is made where its table is.

    That is in the table's channel, in the channel it came from, or in the parent of its thread.
    Players who have a panel or a seat, or have left the match, may press anywhere in its server and
    in their direct messages.
    """
    if interaction.guild_id not in (None, session.opened.guild):
        return False
    if has_panel or any(chair.user == interaction.user.id for chair in session.chairs):
        return True
    return interaction.channel_id in (session.channel, session.parent, session.opened.channel)


def no_thread(interaction: Interaction) -> Refused | None:
    """Return why a table can have no thread of its own in this channel; None where it can."""
    if interaction.channel is None or interaction.channel.type not in WITH_THREADS:
        return Refused(Why.THREADS_HERE)
    may = interaction.app_permissions
    needed = {
        "create_public_threads": may.create_public_threads,
        "send_messages_in_threads": may.send_messages_in_threads,
    }
    missing = tuple(Text(f"permission.{name}") for name, there in needed.items() if not there)
    return Refused(Why.NO_THREAD, (("names", Joined(missing)),)) if missing else None
