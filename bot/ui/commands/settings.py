"""`/settings`: what a server's managers choose for its tables and its records."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any
from zoneinfo import available_timezones

import discord
from discord import app_commands

from bot.games import GAMES
from bot.i18n import languages
from bot.ids import GuildId
from bot.records.models import Settings
from bot.tables.decisions.option_lists import settings_of
from bot.text import Name, Text
from bot.ui.caches.guild_settings import GuildSettings
from bot.ui.commands.settings_pages import (
    EVER,
    KEPT,
    PINGS,
    SERVER,
    deletes_logs,
    general,
    of_game,
    sure_logs,
)
from bot.ui.commands.settings_posts import PostSettings
from bot.ui.connection.responses import Interaction, answer, picked, redrawn
from bot.ui.live_check.live_check import LiveCheck
from bot.ui.toolkit.command_answers import allowed, guild_of, page, tell
from bot.ui.toolkit.command_router import CommandRouter, custom_id
from bot.ui.toolkit.command_words import command

SUBJECT = "settings"
NEEDED = "manage_guild"
TO_ID = partial(custom_id, SUBJECT)
COUNTRIES = ("US/", "Canada/", "Brazil/")
"""Their zones are parts of a country: `Pacific` is in two of them."""
OFFERED = 25
"""Choices that Discord shows while somebody types."""

Change = Callable[[Settings], Settings]


class SettingsPanel:
    """The command and its lists. Everything holds from the next table on."""

    def __init__(self, guild_settings: GuildSettings, live: LiveCheck, posts: PostSettings) -> None:
        self._guild_settings = guild_settings
        self._live = live
        self._posts = posts

    def add_to(self, router: CommandRouter) -> None:
        router.offer(self._command())
        router.on_press(SUBJECT, self.press, in_private=True)

    def _command(self) -> app_commands.Command[Any, Any, None]:
        @app_commands.autocomplete(time_zone=suggested)
        async def settings(
            interaction: discord.Interaction[discord.Client], time_zone: str | None = None
        ) -> None:
            await self.open(interaction, time_zone)

        made = command("settings", settings, time_zone="command.settings_zone")
        made.default_permissions = discord.Permissions(manage_guild=True)
        return made

    async def open(self, interaction: Interaction, time_zone: str | None) -> None:
        if not await allowed(interaction, NEEDED):
            return
        guild = guild_of(interaction)
        if time_zone is not None:
            zone = chosen_zone(await zones(), time_zone)
            if zone is None:
                unknown = (("zone", Name(time_zone, 40)),)
                await tell(interaction, Text("settings.refused.zone", unknown))
                return
            await self._guild_settings.change(guild, partial(replace, time_zone=zone))
        blocks = general(self._guild_settings.of(guild))
        await answer(interaction, page(interaction, TO_ID, *blocks))

    async def press(self, interaction: Interaction, words: Sequence[str]) -> None:
        """Handle a list or a button of the panel. A value that wasn't offered changes nothing."""
        if not await allowed(interaction, NEEDED):
            return
        guild, chosen = guild_of(interaction), picked(interaction) or ""
        if words == ["live"]:
            await self._live.begin(interaction)
            return
        if self._posts.takes(words):
            await self._posts.press(interaction, words, chosen)
            return
        if words == ["logs"] and deletes_logs(self._guild_settings.of(guild), chosen):
            await redrawn(interaction, page(interaction, TO_ID, *sure_logs(int(chosen))))
            return
        change = _change(words, chosen)
        if change is None:
            await tell(interaction, Text("request.refused.older"))
            return
        settings = await self._changed(guild, change)
        on_game = words[0] in ("game", "set")
        blocks = of_game(settings, GAMES[words[1]]) if on_game else general(settings)
        view = page(interaction, TO_ID, *blocks)
        await redrawn(interaction, view)

    async def _changed(self, guild: GuildId, change: Change) -> Settings:
        if change is _unchanged:
            return self._guild_settings.of(guild)
        return await self._guild_settings.change(guild, change)


def _change(words: Sequence[str], chosen: str) -> Change | None:
    """Return the change that a list or a button asks for; None for one that isn't offered."""
    match words:
        case ["general"]:
            return _unchanged
        case ["game", game] if game in GAMES:
            return _unchanged
        case ["language"] if chosen == SERVER or chosen in languages():
            return partial(replace, language=None if chosen == SERVER else chosen)
        case ["logs"] if chosen in KEPT:
            return partial(replace, keep_logs=None if chosen == EVER else int(chosen))
        case ["logs", days] if days in KEPT and days != EVER:
            return partial(replace, keep_logs=int(days))
        case ["ping"] if chosen in PINGS:
            return partial(replace, ping=chosen == PINGS[1])
        case ["set", game, key] if game in GAMES and (
            wanted := settings_of(GAMES[game], key, chosen)
        ):
            return partial(_with_defaults, game=game, wanted=wanted)
        case _:
            return None


def _unchanged(settings: Settings) -> Settings:
    return settings


def _with_defaults(settings: Settings, game: str, wanted: Mapping[str, str]) -> Settings:
    """Set defaults. Those of other games, and of options that no longer exist, stay."""
    defaults: Mapping[str, Mapping[str, str]] = settings.defaults or {}
    return replace(settings, defaults={**defaults, game: {**settings.of_game(game), **wanted}})


# -- time zones --------------------------------------------------------------------------------


async def suggested(
    _: discord.Interaction[discord.Client], typed: str
) -> list[app_commands.Choice[str]]:
    """Suggest time zones that hold what was typed, first those with a part that begins with it."""
    wanted = _plain(typed)
    fitting = [(plain, zone) for plain, zone in (await zones()).items() if wanted in plain]
    fitting.sort(key=lambda item: (f"/{wanted}" not in f"/{item[0]}", item[1]))
    return [app_commands.Choice(name=zone, value=zone) for _, zone in fitting[:OFFERED]]


def chosen_zone(known: Mapping[str, str], typed: str) -> str | None:
    """Return the time zone of this name, or of the city of this name; None if there is none.

    `known`: as `zones` returns them. A city in several has the same time in all, and gets the last.
    """
    plain = _plain(typed)
    of_city = [zone for name, zone in known.items() if name.endswith(f"/{plain}")]
    if len(of_city) > 1 and any(zone.startswith(COUNTRIES) for zone in of_city):
        of_city = []
    return known.get(plain) or next(reversed(of_city), None)


async def zones() -> Mapping[str, str]:
    """Return every time zone by its name as people type it. The first call reads many files."""
    return await asyncio.to_thread(_zones)


@cache
def _zones() -> Mapping[str, str]:
    return {_plain(zone): zone for zone in sorted(available_timezones())}


def _plain(typed: str) -> str:
    return typed.strip().casefold().replace(" ", "_")
