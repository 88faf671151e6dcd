"""The slash commands: one for each game there is."""

import hashlib
import json
import logging
from collections.abc import Mapping
from typing import Any, Protocol

import discord
from discord import app_commands

from bot.games import GAMES
from bot.games.kernel import AnyGame
from bot.games.screen import Joined, Text
from bot.tables.choices import PLACE, in_thread
from bot.tables.clock import Clock
from bot.tables.entries import Opened
from bot.tables.registry import Tables
from bot.tables.table import Table
from bot.ui import deadline
from bot.ui.answers import Interaction, private
from bot.ui.asking import Translator, command
from bot.ui.authority import no_thread
from bot.ui.errors import FAILURES
from bot.ui.house import House
from bot.ui.preferences import Preferences, opening, spoken
from bot.ui.presses import Presses, read

log = logging.getLogger(__name__)

NOTE = "commands"


class Notes(Protocol):
    async def note(self, key: str) -> str | None: ...
    async def remember(self, key: str, value: str) -> None: ...


class Commands:
    """Opens tables. A game's command comes from its record."""

    def __init__(
        self,
        tables: Tables,
        house: House,
        presses: Presses,
        preferences: Preferences,
        clock: Clock,
    ) -> None:
        self._tables = tables
        self._house = house
        self._presses = presses
        self._preferences = preferences
        self._clock = clock

    def add_to(self, tree: app_commands.CommandTree[discord.Client]) -> None:
        for game in GAMES.values():
            tree.add_command(self._command(game))

    def _command(self, game: AnyGame) -> app_commands.Command[Any, Any, None]:
        async def open_table(interaction: discord.Interaction[discord.Client]) -> None:
            try:
                await self.open(interaction, game)
            except Exception:
                log.exception("channel %s: /%s failed", interaction.channel_id, game.key)
                await private(interaction, Text("door.refused.broken"))

        return command(game.key, open_table)

    async def open(self, interaction: Interaction, game: AnyGame) -> None:
        """Open a lobby here, show it, and give the host a panel."""
        press = read(interaction, self._clock)
        guild, channel = interaction.guild_id, interaction.channel_id
        if guild is None or channel is None:
            await private(interaction, Text("door.refused.no_server"))
            return
        if missing := _missing(interaction):
            values = (("names", Joined(missing)),)
            await private(interaction, Text("door.refused.no_permission", values))
            return
        settings = self._preferences.of(guild)
        options = opening(settings, game)
        if in_thread(options) and no_thread(interaction) is not None:
            options[PLACE.key] = PLACE.default
        opened = Opened(
            game=game.key,
            rules_version=game.rules_version,
            guild=guild,
            channel=channel,
            host=press.user,
            locale=spoken(settings, _guild_locale(interaction)),
            options=options,
        )
        outcome = await self._tables.open(opened, press)
        table = outcome.table
        if outcome.is_repeated:
            return
        if outcome.refused is not None or table is None:
            await private(interaction, outcome.said)
            return
        if await self._show(interaction, table):
            await self._presses.replies.new_panel(interaction, table, outcome)

    async def _show(self, interaction: Interaction, table: Table) -> bool:
        """The lobby is the command's answer; where that fails, it posts itself."""
        board = self._house.board(table)
        screen = board.picture()
        board.opened(interaction.token)
        view = board.layout(screen)
        try:
            async with deadline.first(interaction):
                answer = await interaction.response.send_message(
                    view=view, allowed_mentions=discord.AllowedMentions.none()
                )
        except FAILURES as error:
            log.warning("%s: its command could not be answered: %r", table, error)
            board.unanswered()
            return False
        assert answer.message_id is not None, "a message was sent"
        board.at(answer.message_id, screen)
        return True


async def sync(tree: app_commands.CommandTree[discord.Client], notes: Notes) -> None:
    """Tell Discord our commands, in every language, when they have changed, and only then
    (PLATFORM 8).

    Another application knows none of them yet, and another program with our token may have told
    it others.
    """
    translator = Translator()
    await tree.set_translator(translator)
    payload = [
        await command.get_translated_payload(tree, translator) for command in tree.get_commands()
    ]
    told = json.dumps([tree.client.application_id, payload], sort_keys=True)
    digest = hashlib.sha256(told.encode()).hexdigest()
    if await notes.note(NOTE) == digest and not await out_of_step(tree):
        return
    await tree.sync()
    await notes.remember(NOTE, digest)
    log.info("%d commands told to Discord", len(payload))


async def out_of_step(tree: app_commands.CommandTree[Any]) -> tuple[str, ...]:
    """The commands that Discord does not know as we do, by name; its own wording is English."""
    ours = {command.name: _asks(command.to_dict(tree)) for command in tree.get_commands()}
    there = {command.name: _asks(command.to_dict()) for command in await tree.fetch_commands()}
    return tuple(sorted(name for name, _ in ours.items() ^ there.items()))


def _asks(command: Mapping[str, Any]) -> str:
    """A command as people see it, down to its options' names."""
    options = map(_asks, command.get("options", ()))
    return f"{command['name']}: {command['description']} ({' '.join(options)})"


def _guild_locale(interaction: Interaction) -> str | None:
    return str(interaction.guild_locale) if interaction.guild_locale else None


def _missing(interaction: Interaction) -> tuple[Text, ...]:
    """The permissions that a table needs and the bot lacks in this channel."""
    may = interaction.app_permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    sending = "send_messages_in_threads" if in_thread else "send_messages"
    needed = {"view_channel": may.view_channel, sending: getattr(may, sending)}
    return tuple(Text(f"permission.{name}") for name, there in needed.items() if not there)
