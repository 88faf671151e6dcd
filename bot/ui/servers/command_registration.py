"""Registration of the commands with Discord, whenever they have changed."""

import hashlib
import logging
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import discord
import orjson
from discord import app_commands

from bot.clock import Clock
from bot.ui.limits.answers import UnreadableAnswerError, reading
from bot.ui.limits.errors import FAILURES, one_line
from bot.ui.limits.retry_after import seconds
from bot.ui.toolkit.command_words import Translator

log = logging.getLogger(__name__)

NOTE = "commands"
FIRST, MOST = 60.0, 60 * 60.0
"""Seconds between two attempts: doubled each time up to `MOST`. Discord may ask for more."""


class Notes(Protocol):
    async def note(self, key: str) -> str | None: ...
    async def remember(self, key: str, value: str) -> None: ...


class Registration:
    """The background registration of the commands.

    Nothing waits for it: until it succeeds, people use the commands Discord already has.
    `passes`: whether a failure is a temporary disk error.
    """

    def __init__(
        self,
        tree: app_commands.CommandTree[Any],
        notes: Notes,
        clock: Clock,
        passes: Callable[[Exception], bool],
    ) -> None:
        self._tree = tree
        self._notes = notes
        self._clock = clock
        self._passes = passes

    async def run(self) -> None:
        """Register the commands, retrying until it succeeds. Each refusal is one log line."""
        pause = FIRST
        while (error := await self._refused()) is not None:
            wait = max(pause, _asked_for(error))
            if isinstance(error, FAILURES) or self._passes(error):
                log.warning("commands not updated: %s, retrying in %d s", one_line(error), wait)
            else:
                log.error("commands not updated, retrying in %d s", wait, exc_info=error)
            await self._clock.sleep(wait)
            pause = min(2 * pause, MOST)

    async def _refused(self) -> Exception | None:
        try:
            await sync(self._tree, self._notes)
        except Exception as error:
            return error
        return None


def _asked_for(error: Exception) -> float:
    """Return the seconds that Discord asks to wait, else 0."""
    if not isinstance(error, discord.HTTPException):
        return 0.0
    return seconds(error.response.headers) or 0.0


async def sync(tree: app_commands.CommandTree[discord.Client], notes: Notes) -> None:
    """Register the commands in every language, but only if they have changed (PLATFORM 8).

    They count as changed for a new application, and if Discord's differ from ours: another
    program may have used the token. Raises `FAILURES`.
    """
    translator = Translator()
    await tree.set_translator(translator)
    payload = [
        await command.get_translated_payload(tree, translator) for command in tree.get_commands()
    ]
    told = orjson.dumps([tree.client.application_id, payload], option=orjson.OPT_SORT_KEYS)
    digest = hashlib.sha256(told).hexdigest()
    if await notes.note(NOTE) == digest and not await out_of_step(tree):
        return
    with reading():
        registered = {command.name for command in await tree.sync()}
    if missing := {command.name for command in tree.get_commands()} - registered:
        raise UnreadableAnswerError(f"unreadable: it doesn't name {', '.join(sorted(missing))}")
    await notes.remember(NOTE, digest)
    log.info("%d commands registered with Discord", len(payload))


async def out_of_step(tree: app_commands.CommandTree[Any]) -> tuple[str, ...]:
    """Return the names of commands that differ between Discord and us, by English wording."""
    ours = {command.name: _asks(command.to_dict(tree)) for command in tree.get_commands()}
    with reading():
        known = await tree.fetch_commands()
    there = {command.name: _asks(command.to_dict()) for command in known}
    return tuple(sorted({name for name, _ in ours.items() ^ there.items()}))


def _asks(command: Mapping[str, Any]) -> str:
    """Summarise a command as people see it: name, description and options' names, recursively."""
    options = map(_asks, command.get("options", ()))
    return f"{command['name']}: {command.get('description', '')} ({' '.join(options)})"
