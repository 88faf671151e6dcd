"""Definitions of commands: their names, descriptions, options and choices, in every language."""

from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.games import GAMES
from bot.i18n import FALLBACK, languages, say
from bot.text import Text

IN_SERVERS = app_commands.AppCommandContext(guild=True)
ANYWHERE = app_commands.AppCommandContext(guild=True, dm_channel=True)
"""For a command that is nobody's but its user's, so that it works in direct messages too."""
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


def command(name: str, callback: Callback, **options: str) -> app_commands.Command[Any, Any, None]:
    """Return a slash command for servers, with its name and description in every language.

    `options`: by name, the key of each description.
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


def menu(name: str, callback: Callback) -> app_commands.ContextMenu:
    """Return a command of a person's Apps menu, with its name in every language."""
    made = app_commands.ContextMenu(
        name=words(f"name.{name}"), callback=callback, type=discord.AppCommandType.user
    )
    made.allowed_contexts, made.allowed_installs = IN_SERVERS, INSTALLED
    return made


def game_choices() -> list[app_commands.Choice[str]]:
    """Return every game as a choice of a command's option."""
    return [app_commands.Choice(name=words(f"game.{game}"), value=game) for game in GAMES]
