"""What a press may do by where it comes from. The id of a button is no authority: whoever writes
their own client can send any id from any message they see.

Plain functions of the interaction: nothing is awaited, and nothing is looked up elsewhere.
"""

from enum import StrEnum

from bot.tables.session import Session
from bot.ui.answers import Interaction, is_private


class Whose(StrEnum):
    """Why a press is refused for the message it is on. The value is a key of words."""

    ANOTHERS = "door.refused.anothers"


def is_anothers(interaction: Interaction) -> bool:
    """Return whether the pressed message is private and was sent to somebody else. Discord says
    with each private message whose interaction it answers (PLATFORM 1).
    """
    message = interaction.message
    asked = message.interaction_metadata if message is not None else None
    return asked is not None and is_private(interaction) and asked.user.id != interaction.user.id


def comes_from(interaction: Interaction, session: Session, *, has_panel: bool) -> bool:
    """Return whether a press is made where its table is: in its channel, in the channel that it has
    come from or whose thread it is in; by somebody who has a panel or a seat, anywhere in its
    server or in their direct messages.
    """
    if interaction.guild_id not in (None, session.opened.guild):
        return False
    if has_panel or session.seat_of(interaction.user.id) is not None:
        return True
    return interaction.channel_id in (session.channel, session.parent, session.opened.channel)
