"""Common ground of the commands beside the tables: words, permissions, and answers."""

from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.i18n import FALLBACK, languages, say
from bot.ids import GuildId
from bot.screen import Block, Screen
from bot.text import Text
from bot.ui.connection.responses import Interaction, NoServerError, answer, went_out
from bot.ui.render import components
from bot.ui.render.marks import Reader
from bot.ui.toolkit.invitation import is_absent, no_bot

IN_SERVERS = app_commands.AppCommandContext(guild=True)
INSTALLED = app_commands.AppInstallationType(guild=True)

Callback: TypeAlias = Callable[..., Coroutine[Any, Any, None]]


def words(key: str) -> app_commands.locale_str:
    """Return the English words of a command, by which the translator finds other languages'."""
    return app_commands.locale_str(say(Text(key), FALLBACK), key=key)


class Translator(app_commands.Translator):
    """Names of commands, options and choices in every language there is.

    A client in another language shows the English words.
    """

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,  # noqa: ARG002 the words do not depend on it
    ) -> str | None:
        key = string.extras.get("key")
        if key is None or locale.value.partition("-")[0] not in languages():
            return None
        return say(Text(key), locale.value)


async def tell(interaction: Interaction, text: Text) -> None:
    """Answer in private, even if an answer was promised before."""
    await answer(interaction, components.note(text, str(interaction.locale)))


async def allowed(interaction: Interaction, permission: str, *, everywhere: bool = False) -> bool:
    """Return whether this user has a permission here; tell those who lack it.

    `everywhere`: the permission must be theirs in the whole server, by a role.

    Discord hides the commands from others, but a button may outlive a role, and an override in the
    server's integrations should widen nothing.
    """
    if interaction.guild_id is None:
        await tell(interaction, Text("door.refused.no_server"))
        return False
    if everywhere and await is_absent(interaction.client, GuildId(interaction.guild_id)):
        await tell(interaction, no_bot(interaction))
        return False
    held = _in_server(interaction) if everywhere else interaction.permissions
    if getattr(held, permission):
        return True
    needed = Text(f"permission.{permission}")
    await tell(interaction, Text("door.refused.not_allowed", (("name", needed),)))
    return False


def _in_server(interaction: Interaction) -> discord.Permissions:
    """Return this user's permissions in the whole server; none while the server is not known."""
    user = interaction.user
    if isinstance(user, discord.Member) and interaction.guild is not None:
        return user.guild_permissions
    return discord.Permissions.none()


def command(name: str, callback: Callback, **options: str) -> app_commands.Command[Any, Any, None]:
    """Return a slash command of servers, with its words.

    `options`: the key of each one's description.
    """
    if options:
        app_commands.rename(**{name: words(f"option_name.{name}") for name in options})(callback)
        app_commands.describe(**{name: words(key) for name, key in options.items()})(callback)
    return app_commands.Command(
        name=words(f"name.{name}"),
        description=words(f"command.{name}"),
        callback=callback,
        allowed_contexts=IN_SERVERS,
        allowed_installs=INSTALLED,
    )


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


async def promise(interaction: Interaction) -> bool:
    """Tell Discord that an answer takes a moment; `answer` gives it.

    Return whether Discord has heard it: else nothing can be told.
    """
    defer = interaction.response.defer
    return await went_out(interaction, lambda: defer(ephemeral=True, thinking=True))
