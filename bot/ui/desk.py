"""Where the records are asked for: their commands, and the buttons below their answers."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.games.screen import Text
from bot.records.archive import Archive
from bot.tables.clock import Clock
from bot.tables.registry import Tables
from bot.ui.answers import Interaction, private
from bot.ui.components import RECORDS

log = logging.getLogger(__name__)

PREFIX = RECORDS
"""Custom ids of the records: `lr1:<subject>:<words>`."""
Turn: TypeAlias = Callable[[Interaction, Sequence[str]], Awaitable[None]]
"""Answers a press, given the words of its custom id."""


def custom_id(subject: str, *words: str | int) -> str:
    return ":".join((PREFIX, subject, *map(str, words)))


class NotOursError(Exception):
    """A custom id that no button of ours has: somebody made it up."""


class Desk:
    """Everything about the records that somebody can ask for. Subjects are parts of it."""

    def __init__(self, archive: Archive, tables: Tables, clock: Clock) -> None:
        self.archive = archive
        self.tables = tables
        self.clock = clock
        self._turns: dict[str, Turn] = {}
        self._commands: list[app_commands.Command[Any, Any, None] | app_commands.Group] = []

    def answer(self, subject: str, turn: Turn) -> None:
        """From now on, presses on this subject are answered so."""
        self._turns[subject] = turn

    def offer(self, command: app_commands.Command[Any, Any, None] | app_commands.Group) -> None:
        """From now on, people can ask for this. What goes wrong is logged and said."""
        command.error(_failed)
        self._commands.append(command)

    def add_to(self, tree: app_commands.CommandTree[discord.Client]) -> None:
        for command in self._commands:
            tree.add_command(command)

    def is_for(self, interaction: Interaction) -> bool:
        return _sent(interaction).startswith(f"{PREFIX}:")

    async def press(self, interaction: Interaction) -> None:
        """A button or list below an answer. One that is not ours is refused in words."""
        _, subject, *words = _sent(interaction).split(":")
        turn = self._turns.get(subject)
        try:
            if turn is None:
                await private(interaction, Text("door.refused.unknown"))
            else:
                await turn(interaction, words)
        except NotOursError:
            await private(interaction, Text("door.refused.unknown"))
        except Exception:
            log.exception("a press on the records failed: %s", _sent(interaction))
            await private(interaction, Text("door.refused.broken"))


async def _failed(interaction: Interaction, error: app_commands.AppCommandError) -> None:
    command = interaction.command
    log.error("/%s failed", command.name if command else "?", exc_info=error)
    await private(interaction, Text("door.refused.broken"))


def _sent(interaction: Interaction) -> str:
    data: Any = interaction.data or {}
    return str(data.get("custom_id", ""))
