"""The past seasons of a server, offered by month while somebody types."""

import discord
from discord import app_commands

from bot.i18n import dated
from bot.records.archive import Archive
from bot.records.seasons.season import month_of
from bot.text import Month, Name, Text
from bot.ui.connection.responses import Interaction
from bot.ui.toolkit.command_answers import guild_of

OFFERED = 25
"""Choices that Discord shows while somebody types."""


async def season_choices(
    interaction: discord.Interaction[discord.Client], archive: Archive, typed: str
) -> list[app_commands.Choice[str]]:
    """Suggest the seasons whose month fits what was typed, newest first."""
    if interaction.guild_id is None:
        return []
    months = await archive.seasons.months(guild_of(interaction))
    fitting = [month for month in months if _fits(month, typed, str(interaction.locale))]
    return [
        app_commands.Choice(name=dated(month, str(interaction.locale)), value=str(month))
        for month in fitting[:OFFERED]
    ]


async def chosen_season(interaction: Interaction, archive: Archive, typed: str) -> Month | None:
    """Return the season that was chosen, or typed as its month is written; None if there is none.

    Half a name will do where only one season fits.
    """
    months = await archive.seasons.months(guild_of(interaction))
    if (month := month_of(typed.strip())) is not None:
        return month if month in months else None
    fitting = [month for month in months if _fits(month, typed, str(interaction.locale))]
    return fitting[0] if len(fitting) == 1 else None


def no_season(typed: str) -> Text:
    return Text("board.no_season", (("season", Name(typed, 40)),))


def _fits(month: Month, typed: str, locale: str) -> bool:
    wanted = typed.strip().casefold()
    return wanted in dated(month, locale).casefold() or wanted in str(month)
