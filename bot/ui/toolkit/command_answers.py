"""Answers to commands that aren't a table's: who may ask, and in which server."""

import logging
from collections.abc import Callable

import discord

from bot.ids import GuildId
from bot.screen import Block, Screen
from bot.text import Text
from bot.ui.connection import deadlines
from bot.ui.connection.responses import Interaction, NoServerError, answer, redrawn, went_out
from bot.ui.limits.errors import FAILURES
from bot.ui.render import components
from bot.ui.render.marks import Reader
from bot.ui.toolkit.invitation import is_absent, no_bot

log = logging.getLogger(__name__)


async def tell(interaction: Interaction, text: Text) -> None:
    """Answer in private, even after a deferral."""
    await answer(interaction, components.note(text, str(interaction.locale)))


async def edited(interaction: Interaction, text: Text) -> None:
    """Put words in place of the pressed message, after a press was deferred. A lost one is logged.

    Deferred with `interaction.response.defer`, which promises an edit.
    """
    await replaced(interaction, components.note(text, str(interaction.locale)))


async def replaced(interaction: Interaction, view: discord.ui.LayoutView) -> None:
    """Put a page in place of the pressed message, even after the press was deferred.

    A lost answer is logged.
    """
    if not interaction.response.is_done():
        await redrawn(interaction, view)
        return
    try:
        async with deadlines.later(interaction):
            await interaction.edit_original_response(view=view)
    except FAILURES as error:
        log.info("channel %s: answer lost: %r", interaction.channel_id, error)


async def allowed(interaction: Interaction, permission: str, *, everywhere: bool = False) -> bool:
    """Return whether this user has a permission here; tell those who lack it.

    `everywhere`: the permission must be theirs in the whole server, by a role.

    Discord hides the commands from others, but a button may outlive a role, and an override in the
    server's integrations should widen nothing.
    """
    if interaction.guild_id is None:
        await tell(interaction, Text("request.refused.no_server"))
        return False
    if everywhere and await is_absent(interaction.client, GuildId(interaction.guild_id)):
        await tell(interaction, no_bot(interaction))
        return False
    held = _in_server(interaction) if everywhere else interaction.permissions
    if getattr(held, permission):
        return True
    needed = Text(f"permission.{permission}")
    await tell(interaction, Text("request.refused.not_allowed", (("name", needed),)))
    return False


def _in_server(interaction: Interaction) -> discord.Permissions:
    """Return this user's permissions in the whole server; none while the server is not known."""
    user = interaction.user
    if isinstance(user, discord.Member) and interaction.guild is not None:
        return user.guild_permissions
    return discord.Permissions.none()


def guild_of(interaction: Interaction) -> GuildId:
    """Return the server that something is asked for in.

    Raises NoServerError for a direct message: a client may have kept an older version's commands
    and offer them there.
    """
    if interaction.guild_id is None:
        raise NoServerError
    return GuildId(interaction.guild_id)


def page(
    interaction: Interaction, to_id: Callable[[str], str], *blocks: Block
) -> discord.ui.LayoutView:
    """Return these blocks in the user's language; `to_id` makes the custom ids of their words."""
    return components.view(Screen(blocks), to_id, Reader(str(interaction.locale)))


async def defer_answer(interaction: Interaction) -> bool:
    """Defer the answer to a command that takes a moment; `tell` gives it later.

    Return whether Discord took that. If not, no answer can be given.
    """
    defer = interaction.response.defer
    return await went_out(interaction, lambda: defer(ephemeral=True, thinking=True))
