"""The router for commands and buttons that don't belong to a table: records, rules, privacy."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.clock import Clock
from bot.records.archive import Archive
from bot.screen import ASIDE
from bot.tables.presses.router import PressRefusal
from bot.tables.registry.registry import Tables
from bot.text import Text
from bot.ui.caches.champions import Champions
from bot.ui.connection.press_origin import is_anothers
from bot.ui.connection.responses import (
    Interaction,
    NoServerError,
    apologise,
    is_private,
    private,
    sent_id,
)
from bot.ui.toolkit.command_limit import PublicLimit

log = logging.getLogger(__name__)

OLDER = Text("request.refused.older_button")

Offered: TypeAlias = (
    app_commands.Command[Any, Any, None] | app_commands.Group | app_commands.ContextMenu
)
"""A command that people type, or choose in a menu."""
Handler: TypeAlias = Callable[[Interaction, Sequence[str]], Awaitable[None]]
"""A handler of presses, given the words of the custom id."""


def custom_id(subject: str, *words: str | int) -> str:
    """Return the custom id `lr1:<subject>:<words>`; words that begin so are one already."""
    said = ":".join(map(str, words))
    return said if said.startswith(f"{ASIDE}:") else f"{ASIDE}:{subject}:{said}"


class NotOursError(Exception):
    """A custom id that begins like ours, and that no button of this version has."""


class CommandRouter:
    """The commands and button handlers, by subject: the first word of a custom id."""

    def __init__(
        self, archive: Archive, tables: Tables, clock: Clock, champions: Champions
    ) -> None:
        self.archive = archive
        self.tables = tables
        self.clock = clock
        self.champions = champions
        self.public = PublicLimit(clock)
        self._handlers: dict[str, Handler] = {}
        self._personal: set[str] = set()
        self._opening: set[str] = set()
        self._commands: list[Offered] = []

    def on_press(
        self, subject: str, handler: Handler, *, in_private: bool = False, opens: bool = False
    ) -> None:
        """Register the handler for presses on a subject.

        `in_private`: refuse presses on public messages, which never have such buttons. `opens`: the
        handler opens a table, and gives it the press.
        """
        self._handlers[subject] = handler
        if opens:
            self._opening.add(subject)
        if in_private:
            self._personal.add(subject)

    def offer(self, command: Offered) -> None:
        """Register a command. The tree logs its errors and apologises."""
        self._commands.append(command)

    def add_to(self, tree: app_commands.CommandTree[discord.Client]) -> None:
        for command in self._commands:
            tree.add_command(command)

    def is_for(self, interaction: Interaction) -> bool:
        return sent_id(interaction).startswith(f"{ASIDE}:")

    def opens(self, interaction: Interaction) -> bool:
        """Return whether a press opens a table, which hears of it then and not before."""
        return sent_id(interaction).split(":")[1] in self._opening

    async def press(self, interaction: Interaction) -> None:
        """Answer a press, or refuse somebody else's. Errors are logged, and met with an apology.

        A button that this version doesn't have is an older version's, or forged.
        """
        _, subject, *words = sent_id(interaction).split(":")
        handler = self._handlers.get(subject)
        try:
            if is_anothers(interaction):
                await private(interaction, Text(PressRefusal.ANOTHERS))
            elif not self._may_press(interaction, subject):
                await private(interaction, Text("request.refused.unknown"))
            elif handler is None:
                await private(interaction, OLDER)
            else:
                await handler(interaction, words)
        except NoServerError:
            await private(interaction, Text("request.refused.no_server"))
        except NotOursError:
            await private(interaction, OLDER)
        except Exception:
            where, sent = interaction.channel_id, sent_id(interaction)
            log.exception("channel %s: press failed: %s", where, sent)
            await apologise(interaction)

    def _may_press(self, interaction: Interaction, subject: str) -> bool:
        return subject not in self._personal or is_private(interaction)
