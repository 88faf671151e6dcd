"""Panels as direct messages, for tables whose host has chosen that."""

import asyncio
import logging

import discord

from bot.games.screen import Line, Text
from bot.tables.phrases import sentence
from bot.tables.places import Direct
from bot.ui import components
from bot.ui.answers import Interaction, answer, went_out
from bot.ui.errors import FAILURES
from bot.ui.panel import Panel

log = logging.getLogger(__name__)

PATIENCE = 10.0


async def send(interaction: Interaction, panel: Panel, said: Line) -> int | None:
    """Send the panel as a direct message, and say in the channel where it is.

    Somebody who takes no direct messages gets the panel in the channel and is told why; then
    the result is the panel's message there, to be kept live by this interaction's token.
    """
    if not interaction.response.is_done():
        await went_out(lambda: interaction.response.defer(ephemeral=True, thinking=True))
    letter = await _letter(interaction, panel, said)
    if letter is not None:
        panel.adopt_direct(letter)
        where = f"https://discord.com/channels/@me/{letter.channel}/{letter.message}"
        sent = Text("panel.sent", (("where", where),))
        await _complete(interaction, components.note(sent, panel.locale))
        return None
    screen = panel.answer(sentence("panel.no_letter"))
    return await _complete(interaction, components.layout(screen, panel.table.id, panel.reader))


async def _letter(interaction: Interaction, panel: Panel, said: Line) -> Direct | None:
    view = components.layout(panel.answer(said), panel.table.id, panel.reader)
    try:
        async with asyncio.timeout(PATIENCE):
            channel = await interaction.user.create_dm()
            message = await channel.send(view=view, allowed_mentions=discord.AllowedMentions.none())
    except FAILURES as error:
        log.info("table %d: a panel cannot be a direct message: %r", panel.table.id, error)
        return None
    return Direct(channel.id, message.id)


async def _complete(interaction: Interaction, view: discord.ui.LayoutView) -> int | None:
    """Fill in the answer that was promised, or add to the answer of a command."""
    if interaction.response.type is not discord.InteractionResponseType.deferred_channel_message:
        return await answer(interaction, view)
    try:
        return (await interaction.edit_original_response(view=view)).id
    except FAILURES as error:
        log.info("an answer was lost: %r", error)
        return None
