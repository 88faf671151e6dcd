"""The `/arena` command: opens an arena in a channel, shows it, and lets its host join."""

from collections.abc import Callable
from typing import Any

from discord import app_commands

from bot.games import GAMES
from bot.games.contract import AnyGame
from bot.games.values import Refused
from bot.ids import ChannelId, GuildId, UserId
from bot.tables.arena import events as e
from bot.tables.arenas.outcome import ArenaOutcome
from bot.tables.arenas.running import RunningArena
from bot.tables.presses.router import PressRefusal
from bot.tables.registry.index import TableIndex
from bot.tables.registry.outcome import seated_at
from bot.tables.state.options import PANELS, PLACE
from bot.text import Joined, Text
from bot.ui.arena.context import ArenaContext
from bot.ui.arena.presses import ArenaPresses
from bot.ui.caches.guild_settings import GuildSettings, opening_options, public_locale
from bot.ui.connection.responses import Interaction, private
from bot.ui.presses.presses import read
from bot.ui.toolkit.command_router import CommandRouter
from bot.ui.toolkit.command_words import command, game_choices
from bot.ui.toolkit.invitation import place_to_play
from bot.ui.toolkit.latest_game import latest_game
from bot.ui.toolkit.opening_answers import Unanswered, opened_with
from bot.ui.toolkit.thread_permissions import missing_to_post

SHORTEST, LONGEST, USUAL = 15, 60, 30
"""Minutes of an arena."""
FEWEST, MOST = 2, 4
"""Seats at its tables."""
ONE_ROUND = {"rounds": "1", "target": "off", PLACE.key: PLACE.default, PANELS.key: PANELS.default}
"""The options of its tables that a server's defaults can't change."""


class ArenaCommand:
    """The command that opens an arena."""

    def __init__(
        self,
        router: CommandRouter,
        context: ArenaContext,
        presses: ArenaPresses,
        guild_settings: GuildSettings,
        is_tested: Callable[[ChannelId], bool],
    ) -> None:
        self._router = router
        self._context = context
        self._index: TableIndex = router.tables.index
        self._messages = presses.messages
        self._presses = presses
        self._guild_settings = guild_settings
        self._is_tested = is_tested
        router.offer(self._command())

    def _command(self) -> app_commands.Command[Any, Any, None]:
        @app_commands.choices(game=game_choices())
        async def arena(
            interaction: Interaction,
            game: app_commands.Choice[str] | None = None,
            minutes: app_commands.Range[int, SHORTEST, LONGEST] = USUAL,
            seats: app_commands.Range[int, FEWEST, MOST] = MOST,
        ) -> None:
            await self.open(interaction, game.value if game else None, minutes, seats)

        return command(
            "arena",
            arena,
            game="command.arena.game",
            minutes="command.arena.minutes",
            seats="command.arena.seats",
        )

    async def open(
        self, interaction: Interaction, chosen: str | None, minutes: int, seats: int
    ) -> None:
        """Open an arena here, show it, and give its host a panel."""
        press = read(interaction, self._router.clock)
        here = await place_to_play(interaction)
        if here is None:
            return
        guild, channel = here
        if (refused := self._refused(interaction, guild, channel)) is not None:
            await private(interaction, refused)
            return
        key = chosen or await latest_game(self._router.archive, guild)
        opened = self._opened(interaction, GAMES[key], guild, channel, minutes, seats)
        outcome = await self._context.arenas.open(opened, press, interaction.token)
        if outcome.is_repeated:
            return
        if outcome.arena is None:
            self._router.public.take_back(UserId(interaction.user.id))
            await private(interaction, self._why(outcome, channel))
            return
        if await self._show(interaction, outcome.arena):
            await self._presses.show(interaction, outcome.arena)

    def _opened(
        self,
        interaction: Interaction,
        game: AnyGame,
        guild: GuildId,
        channel: ChannelId,
        minutes: int,
        seats: int,
    ) -> e.Opened:
        settings = self._guild_settings.of(guild)
        spoken = str(interaction.guild_locale) if interaction.guild_locale else None
        options = opening_options(settings, game)
        return e.Opened(
            game=game.key,
            rules_version=game.rules_version,
            guild=guild,
            channel=channel,
            host=UserId(interaction.user.id),
            locale=public_locale(settings, spoken),
            options={**options, **{k: v for k, v in ONE_ROUND.items() if k in options}},
            seats=seats,
            minutes=minutes,
            secret=self._context.arenas.secret().hex(),
        )

    def _refused(self, interaction: Interaction, guild: GuildId, channel: ChannelId) -> Text | None:
        """Return why no arena can be opened in this channel now, if so."""
        if missing := missing_to_post(interaction):
            return Text("request.refused.no_permission", (("names", Joined(missing)),))
        if self._is_tested(channel):
            return Text(PressRefusal.TESTED)
        user = UserId(interaction.user.id)
        if (seated := self._index.elsewhere(guild, user)) is not None:
            return seated_at(seated).text
        if not self._router.public.allows(user):
            return Text("request.refused.many_tables")
        return None

    def _why(self, outcome: ArenaOutcome, channel: ChannelId) -> Text:
        """Return why it was not opened. What is in the way is asked for its message.

        A table or an arena whose channel is gone is closed then.
        """
        assert isinstance(outcome.decision, Refused), "nothing was opened"
        if (table := self._index.at(channel)) is not None:
            self._context.messages.upkeep(table).asked()
        if (arena := self._context.arenas.at(channel)) is not None:
            self._messages.of(arena).asked()
        return outcome.said

    async def _show(self, interaction: Interaction, arena: RunningArena) -> bool:
        """Answer the command with the arena. Return whether the answer went out.

        If Discord refused it, the bot posts its own message. If nobody knows, as after a restart,
        the command's token finds the answer.
        """
        message = self._messages.of(arena)
        screen = message.screen()
        view = message.layout(screen)
        match await opened_with(interaction, view, arena):
            case Unanswered.REFUSED:
                message.unanswered()
            case Unanswered.LOST:
                self._context.spawn(message.find(), name=f"{arena} lost answer")
            case where:
                await message.at(where, screen)
                return True
        return False
