"""The slash commands: one for each game there is."""

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import discord
from discord import app_commands

from bot.games import GAMES
from bot.games.contract import AnyGame
from bot.games.screen import Joined, Text
from bot.tables.choices import PLACE, in_thread
from bot.tables.clock import Clock
from bot.tables.entries import Opened
from bot.tables.notices import Stuck
from bot.tables.outcome import Outcome, table_here
from bot.tables.registry import Tables
from bot.tables.table import Table
from bot.ui import deadline
from bot.ui.answers import Interaction, private
from bot.ui.asking import command
from bot.ui.authority import no_thread
from bot.ui.errors import FAILURES, is_refusal
from bot.ui.house import House
from bot.ui.invitation import invite, is_absent
from bot.ui.preferences import Preferences, opening, spoken
from bot.ui.presses import Presses, read

log = logging.getLogger(__name__)


class Commands:
    """Opens tables. Each game has a command."""

    def __init__(
        self,
        tables: Tables,
        house: House,
        presses: Presses,
        preferences: Preferences,
        clock: Clock,
        is_tested: Callable[[int], bool],
    ) -> None:
        self._tables = tables
        self._house = house
        self._presses = presses
        self._preferences = preferences
        self._clock = clock
        self._is_tested = is_tested

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
        if await is_absent(interaction.client, guild):
            link = invite(interaction.application_id)
            await private(interaction, Text("door.refused.no_bot", (("link", link),)))
            return
        if (refused := self._refused(interaction, channel)) is not None:
            await private(interaction, refused)
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
        outcome = await self._tables.open(opened, replace(press, token=interaction.token))
        table = outcome.table
        if outcome.is_repeated:
            return
        if outcome.refused is not None or table is None:
            await private(interaction, self._refusal(outcome))
            return
        if await self._show(interaction, table):
            await self._presses.replies.new_panel(interaction, table, outcome)

    def _refused(self, interaction: Interaction, channel: int) -> Text | None:
        """Return why no table can be opened in this channel now, if so."""
        if missing := _missing(interaction):
            return Text("door.refused.no_permission", (("names", Joined(missing)),))
        return Text("door.refused.tested") if self._is_tested(channel) else None

    def _refusal(self, outcome: Outcome) -> Text:
        """Return why no table is opened. One that is here already is asked for its message; a link
        to it would be dead where each is deleted.
        """
        table = outcome.table
        if table is None or outcome.refused != table_here(table):
            return outcome.said
        self._house.board(table).asked()
        return Text(Stuck.DELETED) if table.notices.stuck is Stuck.DELETED else outcome.said

    async def _show(self, interaction: Interaction, table: Table) -> bool:
        """Answer the command by the lobby. Where Discord has no such answer, it posts itself; a
        restart finds it by the command's token, which is in the database already.
        """
        board = self._house.board(table)
        screen = board.picture()
        board.hold()
        view = board.layout(screen)
        try:
            async with deadline.first(interaction):
                answer = await interaction.response.send_message(
                    view=view, allowed_mentions=discord.AllowedMentions.none()
                )
        except FAILURES as error:
            log.warning("%s: its command could not be answered: %r", table, error)
            if is_refusal(error) or isinstance(error, deadline.TooLateError):
                board.unanswered()
            else:
                board.answer_lost()
            return False
        assert answer.message_id is not None, "a message was sent"
        board.at(answer.message_id, screen)
        return True


def _guild_locale(interaction: Interaction) -> str | None:
    return str(interaction.guild_locale) if interaction.guild_locale else None


def _missing(interaction: Interaction) -> tuple[Text, ...]:
    """The permissions that a table needs and the bot lacks in this channel."""
    may = interaction.app_permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    sending = "send_messages_in_threads" if in_thread else "send_messages"
    needed = {"view_channel": may.view_channel, sending: getattr(may, sending)}
    return tuple(Text(f"permission.{name}") for name, there in needed.items() if not there)
