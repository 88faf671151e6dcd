"""The origin of a press: whose message it is on, and whether that message is where its table is.

A button's custom id proves nothing, since a self-written client can send any id from any message
that it sees. These are plain functions of the interaction: nothing is awaited.
"""

from bot.tables.state.session import Session
from bot.ui.connection.responses import Interaction, is_private


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
