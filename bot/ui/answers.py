"""Answers to an interaction: once, in private, and without trouble when they are lost."""

import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Any, TypeAlias

import discord
from discord import ui

from bot.games.screen import Text
from bot.ui import components, deadline, wire
from bot.ui.deadline import TooLateError
from bot.ui.errors import FAILURES, is_late

log = logging.getLogger(__name__)

Interaction: TypeAlias = deadline.Interaction


def is_private(interaction: Interaction) -> bool:
    """Whether a press came from a panel, and not from the message that everybody sees."""
    message = interaction.message
    return interaction.guild_id is None or (message is not None and message.flags.ephemeral)


def sent_id(interaction: Interaction) -> str:
    """The custom id of the button or list that was pressed."""
    data: Any = interaction.data or {}
    return str(data.get("custom_id", ""))


def picked(interaction: Interaction) -> str | None:
    """What was picked from a list; None for a button."""
    data: Any = interaction.data or {}
    values = data.get("values")
    return str(values[0]) if isinstance(values, list) and len(values) == 1 else None


def is_on_its_message(interaction: Interaction) -> bool:
    """Return whether a private message was pressed, or a public one that has what was pressed."""
    if is_private(interaction):
        return True
    parts = getattr(interaction.message, "components", ())
    return sent_id(interaction) in (getattr(one, "custom_id", None) for one in _all(parts))


def _all(parts: Iterable[Any]) -> Iterator[Any]:
    for one in parts:
        yield one
        yield from _all(getattr(one, "children", ()))
        if (accessory := getattr(one, "accessory", None)) is not None:
            yield accessory


async def private(interaction: Interaction, text: Text) -> None:
    """A short message for one person's eyes; nothing is done when it was answered already."""
    view = components.note(text, str(interaction.locale))
    if not interaction.response.is_done():
        send = interaction.response.send_message
        await went_out(interaction, lambda: send(view=view, ephemeral=True))


async def older(interaction: Interaction) -> None:
    """Answer what only another version of the bot has offered; suggestions with none."""
    if interaction.type is discord.InteractionType.autocomplete:
        await went_out(interaction, lambda: interaction.response.autocomplete([]))
    else:
        await private(interaction, Text("door.refused.older"))


async def apologise(interaction: Interaction) -> None:
    """Something of ours has failed. Also where an answer was promised before."""
    await answer(interaction, components.note(Text("door.refused.broken"), str(interaction.locale)))


async def answer(interaction: Interaction, view: ui.LayoutView) -> int | None:
    """Answer in private, fill in an answer that was promised, or add to one that is there. Return
    the message's id if it went out. What hangs is given up when Discord takes it no more.
    """
    response = interaction.response
    try:
        if response.is_done():
            async with deadline.later(interaction):
                return await _add(interaction, view)
        async with deadline.first(interaction):
            return (await response.send_message(view=view, ephemeral=True)).message_id
    except FAILURES as error:
        _lost(interaction, error)
        return None


async def _add(interaction: Interaction, view: ui.LayoutView) -> int:
    if interaction.response.type is discord.InteractionResponseType.deferred_channel_message:
        return (await interaction.edit_original_response(view=view)).id
    return (await interaction.followup.send(view=view, ephemeral=True, wait=True)).id


async def redrawn(interaction: Interaction, view: ui.LayoutView) -> bool:
    """Answer by the message that was pressed: it shows this. Whether it went out. A public message
    that hasn't the button stays as it is: the answer is private.
    """
    if not is_on_its_message(interaction):
        return await answer(interaction, view) is not None
    return await went_out(interaction, lambda: wire.update(interaction, view))


async def went_out(interaction: Interaction, send: Callable[[], Awaitable[object]]) -> bool:
    """Send the first answer. Return whether it reached Discord: a late or repeated one is no error
    of ours. One that hangs is given up when Discord takes it no more.
    """
    try:
        async with deadline.first(interaction):
            await send()
    except FAILURES as error:
        _lost(interaction, error)
        return False
    return True


def _lost(interaction: Interaction, error: Exception) -> None:
    """Late ones are only counted: there may be very many. The client counts what Discord says."""
    if isinstance(error, TooLateError):
        interaction.client.life.answered_late()
    elif not is_late(error):
        log.info("an answer was lost: %r", error)
