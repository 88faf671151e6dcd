"""The `/leaderboard` command: a server's best players, page by page."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import discord
from discord import app_commands

from bot.ids import GuildId, UserId
from bot.records.models import Order, Wanted
from bot.records.periods import Bounds, Period, bounds, known_zone
from bot.screen import Screen
from bot.text import Month, Text
from bot.ui.connection.responses import Interaction, private
from bot.ui.records.leaderboard_pages import (
    SUBJECT,
    LeaderboardRequest,
    leaderboard_screen,
    request_of,
    season_key,
)
from bot.ui.records.season_choices import chosen_season, no_season, season_choices
from bot.ui.toolkit.command_answers import guild_of
from bot.ui.toolkit.command_router import CommandRouter
from bot.ui.toolkit.command_words import command, game_choices
from bot.ui.toolkit.command_words import words as said
from bot.ui.toolkit.custom_id_words import exactly, game_key, one_of
from bot.ui.toolkit.latest_game import latest_game
from bot.ui.toolkit.player_names import Names
from bot.ui.toolkit.public_answers import post
from bot.ui.toolkit.screen_replies import locale_of, show, turn_to

TOP = "top"
"""The subject of a button that shows the first page privately."""
PERIODS = [app_commands.Choice(name=said(f"period.{one}"), value=one.value) for one in Period]
ORDERS = [
    app_commands.Choice(name=said(f"order.{one}"), value=one.value)
    for one in Order
    if one is not Order.SEASON
]
"""The order of a season comes with the season."""


class Leaderboards:
    """The `/leaderboard` command. Its answer is public, and anybody may turn its pages."""

    def __init__(self, router: CommandRouter) -> None:
        self._router = router

        async def suggested(
            interaction: discord.Interaction[discord.Client], typed: str
        ) -> list[app_commands.Choice[str]]:
            return await season_choices(interaction, router.archive, typed)

        @app_commands.autocomplete(season=suggested)
        @app_commands.choices(game=game_choices(), period=PERIODS, order=ORDERS)
        async def leaderboard(
            interaction: Interaction,
            game: app_commands.Choice[str] | None = None,
            period: app_commands.Choice[str] | None = None,
            order: app_commands.Choice[str] | None = None,
            season: str | None = None,
        ) -> None:
            user = UserId(interaction.user.id)
            archive, guild = router.archive, guild_of(interaction)
            called = game.value if game else await latest_game(archive, guild)
            when = Period(period.value) if period else Period.ALL
            request = LeaderboardRequest(
                called, user, when, Order(order.value) if order else Order.RATING
            )
            if season is not None and (period or order):
                await private(interaction, Text("board.season_alone"))
                return
            if season is not None:
                month = await chosen_season(interaction, router.archive, season)
                if month is None:
                    await private(interaction, no_season(season))
                    return
                request = LeaderboardRequest(called, user, month, Order.SEASON)
            await post(interaction, router, partial(self._page, interaction, request))

        router.offer(
            command(
                "leaderboard",
                leaderboard,
                game="command.leaderboard.game",
                period="command.leaderboard.period",
                order="command.leaderboard.order",
                season="command.leaderboard.season",
            )
        )
        router.on_press(SUBJECT, self._turn)
        router.on_press(TOP, self._top)

    async def _turn(self, interaction: Interaction, words: Sequence[str]) -> None:
        request, locale = request_of(words), await locale_of(interaction, self._router.archive)
        await turn_to(interaction, await self._page(interaction, request, locale), locale)

    async def _top(self, interaction: Interaction, words: Sequence[str]) -> None:
        game, *season = words
        request, locale = (
            LeaderboardRequest(game_key(game), UserId(interaction.user.id)),
            str(interaction.locale),
        )
        if season:
            month = one_of(season_key, *exactly(season, 1))
            request = replace(request, period=month, order=Order.SEASON)
        await show(interaction, await self._page(interaction, request, locale), locale)

    async def _page(
        self, interaction: Interaction, request: LeaderboardRequest, locale: str
    ) -> Screen:
        archive, guild = self._router.archive, guild_of(interaction)
        within = await self._within(guild, request.period)
        wanted = Wanted(guild, request.game, request.order, within, request.page)
        leaderboard = await archive.leaderboard(wanted, request.asker)
        champions = self._router.champions.of(guild, request.game)
        return leaderboard_screen(
            request, leaderboard, Names.told_by(interaction, locale), champions
        )

    async def _within(self, guild: GuildId, period: Period | Month) -> Bounds | None:
        """Return the time of a period, or of a past season; of one that isn't over, no time at all.

        This month is the open season.
        """
        archive, now = self._router.archive, int(self._router.clock.wall() * 1000)
        if isinstance(period, Month):
            return await archive.seasons.season(guild, period) or Bounds(0, 0)
        zone = known_zone((await archive.settings(guild)).time_zone)
        season = await archive.seasons.open_season(guild) if period is Period.MONTH else None
        return bounds(period, now, zone) if season is None else season.this_month(zone, now)
