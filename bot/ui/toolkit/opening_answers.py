"""The answer to a command that opens something: the message that everybody sees from then on."""

import logging
from enum import Enum, auto

import discord
from discord import ui

from bot.ids import MessageId
from bot.ui.connection import deadlines
from bot.ui.connection.responses import Interaction
from bot.ui.limits.errors import FAILURES, is_answered_already, is_refusal

log = logging.getLogger(__name__)


class Unanswered(Enum):
    """The reason why a command has no message: Discord took no answer, or nobody knows."""

    REFUSED = auto()
    LOST = auto()


async def opened_with(
    interaction: Interaction, view: ui.LayoutView, what: object
) -> MessageId | Unanswered:
    """Answer a command with a message for everybody, and return its id (PLATFORM 1).

    `what`: what was opened, for the log. Nobody is mentioned.
    """
    try:
        async with deadlines.first(interaction):
            answer = await interaction.response.send_message(
                view=view, allowed_mentions=discord.AllowedMentions.none()
            )
    except FAILURES as error:
        log.warning("%s: command not answered: %r", what, error)
        is_told_no = is_refusal(error) and not is_answered_already(error)
        is_refused = is_told_no or isinstance(error, deadlines.TooLateError)
        return Unanswered.REFUSED if is_refused else Unanswered.LOST
    if answer.message_id is None:
        log.warning("%s: Discord's answer names no message", what)
        return Unanswered.LOST
    return MessageId(answer.message_id)
