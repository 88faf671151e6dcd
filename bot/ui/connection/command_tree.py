"""The command tree: lets commands in, and answers unknown or failed ones."""

import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any

import discord
from discord import app_commands

from bot.text import Text
from bot.ui.connection.deadlines import note_arrival
from bot.ui.connection.responses import Interaction, NoServerError, apologise, older, private
from bot.ui.connection.typed_options import unfit

log = logging.getLogger(__name__)

OLDER = (
    app_commands.CommandNotFound,
    app_commands.CommandSignatureMismatch,
    app_commands.TransformerError,
)
"""discord.py's errors for a command, a group, a menu or a choice that this version doesn't have."""


class Tree(app_commands.CommandTree[Any]):
    """Every command. `answering` is called in the task that answers one.

    `begun` is awaited before: until then, commands may not be known.
    """

    def __init__(
        self,
        client: discord.Client,
        answering: Callable[[], None],
        begun: Callable[[], Awaitable[object]],
        lets_in: Callable[[Interaction], Awaitable[bool]],
    ) -> None:
        super().__init__(client)
        self._answering = answering
        self._begun = begun
        self._lets_in = lets_in

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Return whether to go on. Suggestions while somebody types are no commands yet."""
        note_arrival(interaction)
        self._answering()
        await self._begun()
        if interaction.type is not discord.InteractionType.autocomplete:
            return await self._lets_in(interaction) and await self._fits(interaction)
        if not suggests(interaction):
            await older(interaction)
            return False
        return True

    async def _fits(self, interaction: Interaction) -> bool:
        """Return whether the typed options fit this version; if not, tell the user.

        A command that isn't known is left to discord.py.
        """
        command = interaction.command
        if not isinstance(command, app_commands.Command):
            return True
        name = unfit(command, interaction.data or {})
        if name is None:
            return True
        where, said = interaction.guild_id, command.qualified_name
        log.info("server %s: /%s refused, no such option in this version: %s", where, said, name)
        await older(interaction)
        return False

    async def on_error(
        self, interaction: Interaction, error: app_commands.AppCommandError, /
    ) -> None:
        """Answer a command that failed.

        An older version's command, and one that needs a server, get an answer that says so.
        Anything else is logged, and answered with an apology.
        """
        if isinstance(error, OLDER):
            await older(interaction)
            return
        if isinstance(error.__cause__, NoServerError):
            await private(interaction, Text("request.refused.no_server"))
            return
        command = interaction.command
        name = command.qualified_name if command else "?"
        log.error("server %s: /%s failed", interaction.guild_id, name, exc_info=error)
        await apologise(interaction)


def suggests(interaction: Interaction) -> bool:
    """Return whether this version has the option that somebody types, and suggestions for it."""
    command = interaction.command
    if not isinstance(command, app_commands.Command):
        return False
    offered = {one.display_name: one.autocomplete for one in command.parameters}
    return any(offered.get(name) for name in _typed(interaction.data or {}))


def _typed(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the name of the option that somebody types, even in a subcommand."""
    for option in data.get("options", ()):
        if option.get("focused"):
            yield option["name"]
        yield from _typed(option)
