"""What every answer about the records needs: its language, and how it is sent."""

from collections.abc import Callable, Sequence
from typing import Any

import discord
from discord import app_commands, ui

from bot.games import GAMES
from bot.games.screen import Choice, Row, Screen, Text
from bot.records.archive import Archive
from bot.ui.answers import Interaction, is_private, redrawn, went_out
from bot.ui.asking import guild_of, words
from bot.ui.components import view
from bot.ui.marks import Reader
from bot.ui.preferences import spoken


def game_choices() -> list[app_commands.Choice[str]]:
    """Return every game as a choice of a command's option."""
    return [app_commands.Choice(name=words(f"game.{game}"), value=game) for game in GAMES]


async def public_locale(interaction: Interaction, archive: Archive) -> str:
    """The language of what everybody reads here."""
    settings = await archive.settings(guild_of(interaction))
    return spoken(settings, interaction.guild_locale and str(interaction.guild_locale))


async def locale_of(interaction: Interaction, archive: Archive) -> str:
    """The language of the message that was pressed: a private one is in its reader's."""
    if is_private(interaction):
        return str(interaction.locale)
    return await public_locale(interaction, archive)


# -- sending ---------------------------------------------------------------------------------


def paging(
    page: int, pages: int, to_id: Callable[[int], str], *, always: bool = False
) -> tuple[Row, ...]:
    """Buttons to the pages before and after. Without a second page there are none, unless
    `always`; each has an id of its own, also where it does nothing.
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
    """Answer with a screen whose words are whole custom ids. Nobody is pinged."""
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
    """The message that was pressed shows this screen instead."""
    shown = view(screen, _itself, Reader(locale))
    await redrawn(interaction, shown)
