"""Panels as direct messages, for tables whose host has chosen that."""

import logging
from collections.abc import Awaitable, Callable

import discord

from bot.ids import ChannelId, MessageId
from bot.screen import Line, Screen
from bot.tables.state.message_refs import Direct
from bot.text import Text
from bot.ui.connection import fast_path
from bot.ui.connection.responses import Interaction, answer, sent, went_out
from bot.ui.limits.answers import answered_within
from bot.ui.limits.errors import FAILURES
from bot.ui.panels.panel import Panel
from bot.ui.render import components

log = logging.getLogger(__name__)


async def send(
    interaction: Interaction, panel: Panel, said: Line | None, turn: Callable[[], Awaitable[None]]
) -> bool:
    """Send the panel as a direct message, and say in the channel where it is.

    `turn`: wait until the bot may make a call of its own.

    Return False for a player who takes none: the answer is promised then, and still to be
    completed.
    """
    if not interaction.response.is_done():
        defer = interaction.response.defer
        await went_out(interaction, lambda: defer(ephemeral=True, thinking=True))
    async with panel.posting:
        if (channel := await _channel(interaction, panel, turn)) is None:
            return False
        await turn()
        with panel.answer(said) as delivery:
            direct = await _delivered(interaction, panel, delivery.screen, channel)
            panel.answered(delivery, direct)
    if direct is not None:
        where = f"https://discord.com/channels/@me/{direct.channel}/{direct.message}"
        told = Text("panel.sent", (("where", where),))
        await answer(interaction, components.note(told, panel.screen.locale))
    return direct is not None


async def _channel(
    interaction: Interaction, panel: Panel, turn: Callable[[], Awaitable[None]]
) -> discord.DMChannel | None:
    """Return the channel of the player's direct messages; None if Discord doesn't name it."""
    if (known := interaction.user.dm_channel) is not None:
        return known
    await turn()
    try:
        async with answered_within():
            return await interaction.user.create_dm()
    except FAILURES as error:
        log.info("table %d: channel of direct messages not found: %r", panel.table.id, error)
        return None


async def _delivered(
    interaction: Interaction, panel: Panel, screen: Screen, channel: discord.DMChannel
) -> Direct | None:
    try:
        async with answered_within():
            message = await sent(
                interaction,
                lambda: channel.send(
                    view=panel.screen.layout(screen), allowed_mentions=fast_path.NOBODY
                ),
            )
    except FAILURES as error:
        log.info("table %d: panel not sent as a direct message: %r", panel.table.id, error)
        return None
    return Direct(ChannelId(channel.id), MessageId(message.id))
