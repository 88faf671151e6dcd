"""Answers to interactions: sent once, in time, and without raising if they are lost."""

import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Any, TypeAlias, TypeVar

import discord
from discord import ui
from discord.utils import DISCORD_EPOCH

from bot.ids import MessageId
from bot.tables.state.message_refs import Token
from bot.text import Text
from bot.ui.connection import deadlines, fast_path
from bot.ui.connection.deadlines import TooLateError
from bot.ui.connection.lazy_interaction import LazyInteraction
from bot.ui.limits.errors import FAILURES, is_late, is_refusal
from bot.ui.render import components

log = logging.getLogger(__name__)

Interaction: TypeAlias = deadlines.Interaction
Drawn: TypeAlias = ui.LayoutView | Callable[[], ui.LayoutView]
"""A message, or what draws it: a second time if Discord refuses emojis that were deleted."""
T = TypeVar("T")


class NoServerError(Exception):
    """Something that only servers have is asked for in a direct message."""


def created(interaction: Interaction) -> float:
    """Return the Unix seconds at which Discord made an interaction: its id says so (PLATFORM 1)."""
    return ((interaction.id >> 22) + DISCORD_EPOCH) / 1000


def is_private(interaction: Interaction) -> bool:
    """Return whether a press came from a private message or a direct one, not a public one."""
    if isinstance(interaction, LazyInteraction):
        return interaction.is_private
    message = interaction.message
    return interaction.guild_id is None or (message is not None and message.flags.ephemeral)


def pressed_message(interaction: Interaction) -> MessageId | None:
    """Return the private message that was pressed; None if it was a public one."""
    message = interaction.message
    return MessageId(message.id) if message is not None and is_private(interaction) else None


def token(interaction: Interaction, message: MessageId | None) -> Token | None:
    """Return what edits a message that answers an interaction; None without a message."""
    if message is None:
        return None
    return Token(interaction.token, message, created(interaction))


def sent_id(interaction: Interaction) -> str:
    """Return the custom id of the pressed button or list; empty if there is none."""
    data: Any = interaction.data or {}
    return str(data.get("custom_id", ""))


def picked(interaction: Interaction) -> str | None:
    """Return the value picked from a list; None for a button."""
    data: Any = interaction.data or {}
    values = data.get("values")
    return str(values[0]) if isinstance(values, list) and len(values) == 1 else None


def filled_in(interaction: Interaction) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return what was chosen in each field of a form. Anything else that was sent is left out."""
    data: Any = interaction.data or {}
    parts: Any = data.get("components")
    found: list[tuple[str, tuple[str, ...]]] = []
    for part in parts if isinstance(parts, list) else ():
        field = part.get("component") if isinstance(part, dict) else None
        values = field.get("values") if isinstance(field, dict) else None
        if isinstance(field, dict) and isinstance(values, list):
            found.append((str(field.get("custom_id")), tuple(map(str, values))))
    return tuple(found)


async def asked(interaction: Interaction, form: ui.Modal) -> bool:
    """Answer with a form. Return False if Discord refuses it, which leaves the answer open.

    A lost answer counts as given: nothing else can be sent then.
    """
    try:
        async with deadlines.first(interaction):
            await interaction.response.send_modal(form)
    except FAILURES as error:
        if is_refusal(error):
            log.warning("channel %s: form refused: %s", interaction.channel_id, error)
            return False
        _lost(interaction, error)
    return True


def is_on_its_message(interaction: Interaction) -> bool:
    """Return whether the pressed message is private, or public and has the pressed component."""
    if is_private(interaction):
        return True
    if isinstance(interaction, LazyInteraction):
        return interaction.is_on_its_message
    parts = getattr(interaction.message, "components", ())
    return sent_id(interaction) in (getattr(one, "custom_id", None) for one in _all(parts))


def _all(parts: Iterable[Any]) -> Iterator[Any]:
    for one in parts:
        yield one
        yield from _all(getattr(one, "children", ()))
        if (accessory := getattr(one, "accessory", None)) is not None:
            yield accessory


async def private(interaction: Interaction, text: Text) -> None:
    """Answer with a short private message. Does nothing if the interaction is already answered."""
    view = components.note(text, str(interaction.locale))
    if not interaction.response.is_done():
        send = interaction.response.send_message
        await went_out(interaction, lambda: send(view=view, ephemeral=True))


async def older(interaction: Interaction) -> None:
    """Answer something only another version of the bot offered; autocomplete with no choices."""
    if interaction.type is discord.InteractionType.autocomplete:
        await went_out(interaction, lambda: interaction.response.autocomplete([]))
    else:
        await private(interaction, Text("request.refused.older"))


async def apologise(interaction: Interaction) -> None:
    """Tell the user that something of ours failed, even after a deferred answer.

    Whoever typed a command has no table to press at, perhaps: they are told to try it again.
    """
    is_command = interaction.type is discord.InteractionType.application_command
    said = Text("request.refused.failed" if is_command else "request.refused.broken")
    await answer(interaction, components.note(said, str(interaction.locale)))


async def answer(interaction: Interaction, view: Drawn) -> MessageId | None:
    """Answer privately, complete a deferred answer, or add a follow-up to an existing one.

    Return the message's id; None if the answer was lost. A call that hangs is cancelled once
    Discord no longer accepts it.
    """
    response = interaction.response
    try:
        if response.is_done():
            async with deadlines.later(interaction):
                return await sent(interaction, lambda: _add(interaction, _drawn(view)))
        async with deadlines.first(interaction):
            callback = await sent(
                interaction, lambda: response.send_message(view=_drawn(view), ephemeral=True)
            )
            message = callback.message_id
            return MessageId(message) if message is not None else None
    except FAILURES as error:
        _lost(interaction, error)
        return None


async def _add(interaction: Interaction, view: ui.LayoutView) -> MessageId:
    if interaction.response.type is discord.InteractionResponseType.deferred_channel_message:
        return MessageId((await interaction.edit_original_response(view=view)).id)
    sent = await interaction.followup.send(view=view, ephemeral=True, wait=True)
    return MessageId(sent.id)


async def redrawn(interaction: Interaction, view: Drawn) -> bool:
    """Answer by editing the pressed message. Return whether Discord accepted it.

    A public message without the pressed button was forged, so the answer is private instead.
    """
    if not is_on_its_message(interaction):
        return await answer(interaction, view) is not None
    return await went_out(interaction, lambda: fast_path.update(interaction, _drawn(view)))


async def went_out(interaction: Interaction, send: Callable[[], Awaitable[object]]) -> bool:
    """Send the first answer. Return whether Discord accepted it.

    Late and repeated answers don't raise. A call that hangs is cancelled once Discord no longer
    accepts it.
    """
    try:
        async with deadlines.first(interaction):
            await sent(interaction, send)
    except FAILURES as error:
        _lost(interaction, error)
        return False
    return True


async def sent(interaction: Interaction, send: Callable[[], Awaitable[T]]) -> T:
    """Send an answer, and once more if Discord refused it for emojis that were deleted.

    What is drawn the second time has words in their place. Raises what `send` raises.
    """
    try:
        return await send()
    except discord.HTTPException as error:
        if not interaction.client.owner.lost_emojis(error):
            raise
        return await send()


def _drawn(view: Drawn) -> ui.LayoutView:
    return view if isinstance(view, ui.LayoutView) else view()


def _lost(interaction: Interaction, error: Exception) -> None:
    """Log a lost answer; if it was too late, only count it, since there may be very many."""
    if isinstance(error, TooLateError):
        interaction.client.owner.answered_late()
    elif not is_late(error):
        log.info("channel %s: answer lost: %r", interaction.channel_id, error)
