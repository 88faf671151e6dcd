"""Messages with a moving picture: in a gallery, or as an attachment where that stands still."""

from io import BytesIO
from typing import Any

import discord
from discord import ui

from bot.i18n import say
from bot.screen import Screen
from bot.ui.connection import deadlines
from bot.ui.connection.deadlines import UPLOAD
from bot.ui.connection.responses import Interaction
from bot.ui.limits.errors import FAILURES
from bot.ui.render import components, marks
from bot.ui.render.marks import Reader
from bot.ui.watch.watch_screens import WatchedMatch

NOBODY = discord.AllowedMentions.none()


def is_plain(message: discord.Message | None) -> bool:
    """Return whether a message has its pictures as attachments, which it then keeps."""
    return message is not None and not message.flags.components_v2


async def edit(
    interaction: Interaction, one: WatchedMatch, screen: Screen, *, attached: bool
) -> bool:
    """Show a round in the answer to an interaction. Return whether Discord accepted it."""
    content, view, files = _parts(one, screen, str(interaction.locale), attached=attached)
    change: Any = interaction.edit_original_response
    try:
        async with deadlines.later(interaction, UPLOAD):
            await change(**content, view=view, attachments=files, allowed_mentions=NOBODY)
    except FAILURES:
        return False
    return True


async def post(
    interaction: Interaction, one: WatchedMatch, screen: Screen, locale: str, *, attached: bool
) -> bool:
    """Show a round to everybody in the channel. Return whether Discord accepted it."""
    content, view, files = _parts(one, screen, locale, attached=attached)
    send: Any = interaction.followup.send
    try:
        async with deadlines.later(interaction, UPLOAD):
            await send(**content, view=view, files=files, allowed_mentions=NOBODY, wait=True)
    except FAILURES:
        return False
    return True


def _parts(
    one: WatchedMatch, screen: Screen, locale: str, *, attached: bool
) -> tuple[dict[str, str], ui.LayoutView, list[discord.File]]:
    """Return a message's text if it has one, its components, and its file if there is one."""
    gif = one.watched.gif
    reader, listener = Reader(locale, plain=not gif), Reader(locale, plain=True)
    words = say(one.story, locale, marks.Code(listener))
    files = [discord.File(BytesIO(gif), one.file, description=words)] if gif else []
    if not attached:
        return {}, components.view(screen, _itself, reader), files
    content, view = components.beside(screen, _itself, reader)
    return {"content": content}, view, files


def _itself(word: str) -> str:
    return word
