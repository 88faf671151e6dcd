"""The router for commands and buttons that don't belong to a table: records, rules, privacy."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.games.screen import ASIDE, Text
from bot.records.archive import Archive
from bot.tables.clock import Clock
from bot.tables.registry import Tables
from bot.ui.answers import Interaction, apologise, is_private, private, sent_id
from bot.ui.authority import Whose, is_anothers

log = logging.getLogger(__name__)

Turn: TypeAlias = Callable[[Interaction, Sequence[str]], Awaitable[None]]
"""A handler of presses, given the words of the custom id."""


def custom_id(subject: str, *words: str | int) -> str:
    """Return the custom id `lr1:<subject>:<words>`."""
    return ":".join((ASIDE, subject, *map(str, words)))


class NotOursError(Exception):
    """A custom id that no button of ours has, so somebody forged it."""


class Desk:
    """The commands and button handlers, by subject: the first word of a custom id."""

    def __init__(self, archive: Archive, tables: Tables, clock: Clock) -> None:
        self.archive = archive
        self.tables = tables
        self.clock = clock
        self._turns: dict[str, Turn] = {}
        self._personal: set[str] = set()
        self._commands: list[app_commands.Command[Any, Any, None] | app_commands.Group] = []

    def answer(self, subject: str, turn: Turn, *, in_private: bool = False) -> None:
        """Register the handler for presses on a subject.

        `in_private`: refuse presses on public messages, which never have such buttons.
        """
        self._turns[subject] = turn
        if in_private:
            self._personal.add(subject)

    def offer(self, command: app_commands.Command[Any, Any, None] | app_commands.Group) -> None:
        """Register a command. The tree logs its errors and apologises."""
        self._commands.append(command)

    def add_to(self, tree: app_commands.CommandTree[discord.Client]) -> None:
        for command in self._commands:
            tree.add_command(command)

    def is_for(self, interaction: Interaction) -> bool:
        return sent_id(interaction).startswith(f"{ASIDE}:")

    async def press(self, interaction: Interaction) -> None:
        """Answer a press, or refuse a forged or somebody else's one. Errors are logged and told."""
        _, subject, *words = sent_id(interaction).split(":")
        turn = self._turns.get(subject)
        try:
            if is_anothers(interaction):
                await private(interaction, Text(Whose.ANOTHERS))
            elif turn is None or not self._may_press(interaction, subject):
                await private(interaction, Text("door.refused.unknown"))
            else:
                await turn(interaction, words)
        except NotOursError:
            await private(interaction, Text("door.refused.unknown"))
        except Exception:
            where, sent = interaction.channel_id, sent_id(interaction)
            log.exception("channel %s: press failed: %s", where, sent)
            await apologise(interaction)

    def _may_press(self, interaction: Interaction, subject: str) -> bool:
        return subject not in self._personal or is_private(interaction)
