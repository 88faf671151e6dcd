"""The slash commands: one for each game there is."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import discord
from discord import app_commands

from bot.games import GAMES
from bot.games.contract import AnyGame
from bot.ids import ChannelId, UserId
from bot.tables.presses.router import PressRefusal
from bot.tables.registry.outcome import Outcome, table_here
from bot.tables.running.table import Table
from bot.tables.state.events import Opened
from bot.tables.state.notices import Stuck
from bot.tables.state.options import PLACE, in_thread
from bot.text import Joined, Text
from bot.ui.caches.guild_settings import GuildSettings, opening_options, public_locale
from bot.ui.connection import deadlines
from bot.ui.connection.responses import Interaction, apologise, private
from bot.ui.limits.errors import FAILURES
from bot.ui.presses.presses import Presses, read
from bot.ui.tables.messages import TableMessages
from bot.ui.toolkit.command_answers import tell
from bot.ui.toolkit.command_router import CommandRouter, NotOursError
from bot.ui.toolkit.command_words import command
from bot.ui.toolkit.invitation import no_bot, place_to_play
from bot.ui.toolkit.opening_answers import Unanswered, opened_with
from bot.ui.toolkit.thread_permissions import missing_to_post, no_thread

log = logging.getLogger(__name__)

OPENING = "play"
"""The subject of the lesson's button that opens a table, `lr1:play:<game>`."""
ROBOTS = 2
"""Robots at a table that was opened from the lesson, so that its next press is Start."""


class Commands:
    """The commands that open tables, one per game."""

    def __init__(
        self,
        router: CommandRouter,
        messages: TableMessages,
        presses: Presses,
        guild_settings: GuildSettings,
        is_tested: Callable[[ChannelId], bool],
    ) -> None:
        self._tables = router.tables
        self._messages = messages
        self._presses = presses
        self._guild_settings = guild_settings
        self._clock = router.clock
        self._public = router.public
        self._is_tested = is_tested

        router.on_press(OPENING, self._press, in_private=True, opens=True)

    def add_to(self, tree: app_commands.CommandTree[discord.Client]) -> None:
        for game in GAMES.values():
            tree.add_command(self._command(game))

    def _command(self, game: AnyGame) -> app_commands.Command[Any, Any, None]:
        async def open_table(interaction: discord.Interaction[discord.Client]) -> None:
            try:
                await self.open(interaction, game)
            except Exception:
                log.exception("channel %s: /%s failed", interaction.channel_id, game.key)
                await apologise(interaction)

        return command(game.key, open_table)

    async def _press(self, interaction: Interaction, words: Sequence[str]) -> None:
        """Open a table from the lesson, as the game's command does, with robots to play against."""
        match words:
            case [key] if key in GAMES:
                await self.open(interaction, GAMES[key], ROBOTS)
            case _:
                raise NotOursError

    async def open(self, interaction: Interaction, game: AnyGame, robots: int = 0) -> None:
        """Open a lobby here, show it, and give the host a panel."""
        press = read(interaction, self._clock)
        here = await place_to_play(interaction)
        if here is None:
            return
        guild, channel = here
        is_free = self._tables.index.at(channel) is None
        if (refused := self._refused(interaction, channel, is_free=is_free)) is not None:
            await private(interaction, refused)
            return
        settings = self._guild_settings.of(guild)
        options = opening_options(settings, game)
        if in_thread(options) and no_thread(interaction) is not None:
            options[PLACE.key] = PLACE.default
        opened = Opened(
            game=game.key,
            rules_version=game.rules_version,
            guild=guild,
            channel=channel,
            host=press.user,
            locale=public_locale(settings, _guild_locale(interaction)),
            options=options,
        )
        outcome = await self._tables.open(opened, replace(press, token=interaction.token), robots)
        table = outcome.table
        if outcome.is_repeated:
            return
        if outcome.refused is not None or table is None:
            if is_free:
                self._public.take_back(UserId(interaction.user.id))
            await private(interaction, self._refusal(outcome))
            return
        if await self._show(interaction, table):
            await self._presses.replies.new_panel(interaction, table, outcome)
            await self._invite(interaction, table)

    async def _invite(self, interaction: Interaction, table: Table) -> None:
        """Say how the bot is invited, if Discord shows only now that it isn't in this server."""
        upkeep = self._messages.upkeep(table)
        if not upkeep.membership.doubt():
            return
        upkeep.asked()
        if await upkeep.membership.is_absent():
            await tell(interaction, no_bot(interaction))
            try:
                async with deadlines.later(interaction):
                    await interaction.edit_original_response(view=upkeep.layout(upkeep.screen()))
            except FAILURES as error:
                log.info("%s: lobby not shown as closed: %r", table, error)

    def _refused(
        self, interaction: Interaction, channel: ChannelId, *, is_free: bool
    ) -> Text | None:
        """Return why no table can be opened in this channel now, if so.

        A new one counts from here on as a public message. `is_free`: no table is here.
        """
        if missing := missing_to_post(interaction):
            return Text("request.refused.no_permission", (("names", Joined(missing)),))
        if self._is_tested(channel):
            return Text(PressRefusal.TESTED)
        if is_free and not self._public.allows(UserId(interaction.user.id)):
            return Text("request.refused.many_tables")
        return None

    def _refusal(self, outcome: Outcome) -> Text:
        """Return why no table is opened.

        The table that is in the way is asked for its message: it is closed if its channel is gone.
        If Discord deletes each of its messages, the answer says so: a link would be dead.
        """
        table = outcome.table
        if table is None:
            return outcome.said
        if table.session.opened.arena is None:
            self._messages.upkeep(table).asked()
        if outcome.refused != table_here(table):
            return outcome.said
        return Text(Stuck.DELETED) if table.notices.stuck is Stuck.DELETED else outcome.said

    async def _show(self, interaction: Interaction, table: Table) -> bool:
        """Answer the command with the lobby. Return whether the answer went out.

        If Discord refused it, the table posts its own message. If nobody knows, as after a restart,
        the command's token finds the answer; it is already in the database.
        """
        upkeep = self._messages.upkeep(table)
        screen = upkeep.screen()
        upkeep.hold()
        view = upkeep.layout(screen)
        match await opened_with(interaction, view, table):
            case Unanswered.REFUSED:
                upkeep.unanswered()
            case Unanswered.LOST:
                upkeep.answer_lost()
            case message:
                upkeep.at(message, screen)
                return True
        return False


def _guild_locale(interaction: Interaction) -> str | None:
    return str(interaction.guild_locale) if interaction.guild_locale else None
