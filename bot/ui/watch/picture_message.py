"""Messages with a moving picture: in a gallery, or as an attachment where that stands still."""

import logging
from collections.abc import Awaitable, Callable
from io import BytesIO
from typing import Any, TypeAlias

import discord

from bot.i18n import say
from bot.screen import Screen
from bot.ui.connection import deadlines
from bot.ui.connection.deadlines import UPLOAD
from bot.ui.connection.responses import Interaction
from bot.ui.limits.errors import FAILURES, is_refusal
from bot.ui.render import components, marks
from bot.ui.render.marks import Reader
from bot.ui.watch.watch_screens import WatchedMatch

log = logging.getLogger(__name__)

NOBODY = discord.AllowedMentions.none()
_Send: TypeAlias = Callable[..., Awaitable[object]]


def is_plain(message: discord.Message | None) -> bool:
    """Return whether a message has its pictures as attachments, which it then keeps."""
    return message is not None and not message.flags.components_v2


async def edit(
    interaction: Interaction, one: WatchedMatch, screen: Screen, *, attached: bool
) -> bool:
    """Show a round in the answer to an interaction. Return whether Discord accepted it.

    An edit that brings a file to a gallery may be refused (PLATFORM 4): then the file is attached,
    or comes in a private message of its own if the answer has a gallery already.
    """
    locale = str(interaction.locale)
    change: _Send = interaction.edit_original_response
    is_own_message = interaction.message is not None and interaction.message.flags.ephemeral
    refused = await _sent(interaction, change, _edit(one, screen, locale, attached=attached))
    if not refused or attached or not one.watched.gif:
        return not refused
    if is_own_message and not is_plain(interaction.message):
        own = {**_parts(one, screen, locale, attached=False), "ephemeral": True}
        return not await _sent(interaction, interaction.followup.send, own)
    return not await _sent(interaction, change, _edit(one, screen, locale, attached=True))


async def post(
    interaction: Interaction, one: WatchedMatch, screen: Screen, locale: str, *, attached: bool
) -> bool:
    """Show a round to everybody in the channel. Return whether Discord accepted it."""
    parts = _parts(one, screen, locale, attached=attached)
    return not await _sent(interaction, interaction.followup.send, parts)


async def _sent(interaction: Interaction, send: _Send, parts: dict[str, Any]) -> bool:
    """Send a message. Return whether Discord surely refused it.

    A lost answer counts as given: it may have been carried out.
    """
    try:
        async with deadlines.later(interaction, UPLOAD):
            await send(**parts, allowed_mentions=NOBODY)
    except FAILURES as error:
        log.info("channel %s: moving picture not shown: %r", interaction.channel_id, error)
        return is_refusal(error)
    return False


def _edit(one: WatchedMatch, screen: Screen, locale: str, *, attached: bool) -> dict[str, Any]:
    """Return the parts of an edit, which replace all attachments."""
    parts = _parts(one, screen, locale, attached=attached)
    files = parts.pop("files")
    return {**parts, "attachments": files}


def _parts(one: WatchedMatch, screen: Screen, locale: str, *, attached: bool) -> dict[str, Any]:
    """Return a message's text if it has one, its components, and its file if there is one."""
    gif = one.watched.gif
    reader, listener = Reader(locale, plain=not gif), Reader(locale, plain=True)
    words = say(one.story, locale, marks.Code(listener))
    files = [discord.File(BytesIO(gif), one.file, description=words)] if gif else []
    if not attached:
        return {"view": components.view(screen, _itself, reader), "files": files}
    content, view = components.beside(screen, _itself, reader)
    return {"content": content, "view": view, "files": files}


def _itself(word: str) -> str:
    return word
