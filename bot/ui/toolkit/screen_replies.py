"""Replies that are whole screens: their language, their pages, and sending them."""

from collections.abc import Callable, Sequence
from typing import Any

import discord
from discord import ui

from bot.records.archive import Archive
from bot.screen import Choice, Row, Screen
from bot.text import Text
from bot.ui.caches.guild_settings import public_locale
from bot.ui.connection.responses import Interaction, is_private, redrawn, went_out
from bot.ui.render.components import view
from bot.ui.render.marks import Reader
from bot.ui.toolkit.command_answers import guild_of


async def public_locale_of(interaction: Interaction, archive: Archive) -> str:
    """Return the locale of this server's public messages."""
    settings = await archive.settings(guild_of(interaction))
    return public_locale(settings, interaction.guild_locale and str(interaction.guild_locale))


async def locale_of(interaction: Interaction, archive: Archive) -> str:
    """Return the locale of the pressed message: its reader's if private, else the server's."""
    if is_private(interaction):
        return str(interaction.locale)
    return await public_locale_of(interaction, archive)


def paging(
    page: int, pages: int, to_id: Callable[[int], str], *, always: bool = False
) -> tuple[Row, ...]:
    """Return a row of buttons to the previous and next page.

    No row if there is only one page, unless `always`. The two custom ids differ even when a
    button is disabled, as Discord requires.
    """
    if pages == 1 and not always:
        return ()
    before, after = to_id(max(0, page - 1)), to_id(page + 1)
    return (
        Row(
            (
                Choice(Text("button.previous"), before, off=page == 0),
                Choice(Text("button.next"), after, off=page + 1 >= pages),
            )
        ),
    )


def _itself(word: str) -> str:
    return word


async def show(
    interaction: Interaction,
    screen: Screen,
    locale: str,
    *below: ui.Item[Any],
    files: Sequence[discord.File] = (),
    everybody: bool = False,
) -> None:
    """Answer with a screen whose button words are complete custom ids. Pings nobody."""
    shown = view(screen, _itself, Reader(locale), *below)
    await went_out(
        interaction,
        lambda: interaction.response.send_message(
            view=shown,
            files=files,
            ephemeral=not everybody,
            allowed_mentions=discord.AllowedMentions.none(),
        ),
    )


async def turn_to(interaction: Interaction, screen: Screen, locale: str) -> None:
    """Replace the pressed message with this screen."""
    shown = view(screen, _itself, Reader(locale))
    await redrawn(interaction, shown)
