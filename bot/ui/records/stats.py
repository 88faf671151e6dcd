"""The `/stats` command: a player's card here, with their rating over time as a picture."""

from collections.abc import Sequence
from typing import Any

import discord
from discord import app_commands, ui

from bot.games import GAMES
from bot.ids import UserId
from bot.records.feat_models import Rivalry
from bot.records.models import Stats
from bot.records.periods import known_zone
from bot.text import Name
from bot.ui.connection.responses import Interaction
from bot.ui.records.card import (
    SUBJECT,
    Card,
    Page,
    card_screen,
    figures_screen,
    practice_screen,
)
from bot.ui.records.rating_chart import course_lines, picture
from bot.ui.toolkit.command_answers import guild_of
from bot.ui.toolkit.command_router import CommandRouter
from bot.ui.toolkit.command_words import command, game_choices, menu
from bot.ui.toolkit.custom_id_words import exactly, game_key, one_of, user_id
from bot.ui.toolkit.player_names import Names
from bot.ui.toolkit.screen_replies import show


class Statistics:
    """The `/stats` command. Anybody may see anybody's card of this server, privately."""

    def __init__(self, router: CommandRouter) -> None:
        self._router = router
        self._archive = router.archive
        router.on_press(SUBJECT, self._press)

        @app_commands.choices(game=game_choices())
        async def stats(
            interaction: Interaction,
            member: discord.User | None = None,
            game: app_commands.Choice[str] | None = None,
        ) -> None:
            person = member or interaction.user
            await self._answer(interaction, person, game.value if game else None)

        options = {"member": "command.stats.member", "game": "command.stats.game"}
        router.offer(command("stats", stats, **options))

        async def of_person(interaction: Interaction, person: discord.User) -> None:
            await self._answer(interaction, person, None)

        router.offer(menu("menu_stats", of_person))

    async def _answer(
        self, interaction: Interaction, person: discord.abc.User, game: str | None
    ) -> None:
        names = Names.told_by(interaction, str(interaction.locale), person)
        await self._show_card(interaction, UserId(person.id), game, names)

    async def _press(self, interaction: Interaction, words: Sequence[str]) -> None:
        said, who, what = exactly(words, 3)
        page, user, game = one_of(Page, said), user_id(who), game_key(what)
        guild, locale = guild_of(interaction), str(interaction.locale)
        names = Names.told_by(interaction, locale)
        if page is Page.CARD:
            await self._show_card(interaction, user, game, names)
            return
        stats = await self._archive.stats(guild, user, game)
        bests = await self._archive.personal_bests(guild, user, game)
        screen = figures_screen if page is Page.FIGURES else practice_screen
        name = self._name(interaction, stats, game, names)
        await show(interaction, screen(name, game, stats, bests), locale)

    async def _show_card(
        self, interaction: Interaction, user: UserId, game: str | None, names: Names
    ) -> None:
        """Show the card, with the rating as a picture, or in words where there can't be one."""
        guild, locale = guild_of(interaction), str(interaction.locale)
        card = await self._card(interaction, user, game, names)
        ratings = await self._archive.rating_history(guild, user, card.game)
        zone = known_zone((await self._archive.settings(guild)).time_zone)
        file = None
        if await self._sees_pictures(interaction):
            file = await picture(card.name, card.game, ratings, zone, locale)
        if file is None:
            await show(interaction, card_screen(card, course_lines(ratings, zone)), locale)
            return
        below: ui.Item[Any] = ui.MediaGallery(discord.MediaGalleryItem(file))
        await show(interaction, card_screen(card), locale, below, files=[file])

    async def _sees_pictures(self, interaction: Interaction) -> bool:
        plain = interaction.user.id in await self._archive.plain_readers()
        return interaction.app_permissions.attach_files and not plain

    async def _card(
        self, interaction: Interaction, user: UserId, chosen: str | None, names: Names
    ) -> Card:
        """Return a card of the chosen game, or of the one that is played most.

        On somebody else's card that is the game in which the two have met most, if they have.
        """
        guild, archive = guild_of(interaction), self._archive
        own = UserId(interaction.user.id)
        every = {game: await archive.stats(guild, user, game) for game in GAMES}
        met: dict[str, Rivalry] = {}
        if user != own:
            met = {game: await archive.rivalry(guild, own, user, game) for game in GAMES}
        game = chosen or max(every, key=lambda one: _played(every[one], met.get(one)))
        rival = await archive.favourite_rival(guild, user, game) if user == own else None
        return Card(
            user,
            self._name(interaction, every[game], game, names),
            game,
            every[game],
            await archive.place(guild, user, game),
            (names.of(rival.person), rival.rivalry) if rival is not None else None,
            await archive.highlight(guild, user, game),
            met.get(game),
            tuple(one for one in GAMES if one != game and any(_played(every[one]))),
        )

    def _name(self, interaction: Interaction, stats: Stats, game: str, names: Names) -> Name:
        champions = self._router.champions.of(guild_of(interaction), game)
        return names.of(stats.person, champion=stats.person.user in champions)


def _played(stats: Stats, met: Rivalry | None = None) -> tuple[int, int, int, bool]:
    """Return how often the two have met in a game, and what the player has played of it."""
    times = met.matches if met is not None else 0
    return (times, stats.matches, stats.practice, stats.has_counted)
