"""Matches offered by date and names while somebody types, and what they typed understood."""

import re
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import discord
from discord import app_commands

from bot.i18n import dates_in_figures, say
from bot.records.archive import Archive
from bot.records.models import LISTED, ListedMatch
from bot.records.periods import known_zone
from bot.tables.decisions.rated_or_practice import Standing
from bot.text import Day, Joined, Name, Text, Value
from bot.ui.render.marks import Label, Reader
from bot.ui.toolkit.command_answers import guild_of

OFFERED = 25
"""Choices that Discord shows while somebody types."""
NAMES, WIDTH = 4, 12
"""Names in a choice, and columns of each: a choice has 100 characters."""
LENGTH = 100
_NUMBER = re.compile(r"\s*#?\s*([0-9]{1,18})\s*")


async def match_choices(
    interaction: discord.Interaction[discord.Client],
    archive: Archive,
    typed: str,
    *,
    logged: bool = False,
    voidable: bool = False,
) -> list[app_commands.Choice[str]]:
    """Suggest the newest matches whose number, date, game and names have all that was typed.

    `logged`: only those whose log is kept; `voidable`: only those that aren't void.
    """
    if interaction.guild_id is None:
        return []
    guild, locale = guild_of(interaction), str(interaction.locale)
    zone = ZoneInfo(known_zone((await archive.settings(guild)).time_zone))
    offered: list[app_commands.Choice[str]] = []
    for match in await archive.listed(guild, LISTED):
        if (logged and not match.has_log) or (voidable and match.standing is Standing.VOID):
            continue
        called = in_a_line(match, zone, locale)
        if _has_all(called, _in_figures(match, zone, locale), match, typed):
            offered.append(app_commands.Choice(name=called, value=str(match.number)))
        if len(offered) == OFFERED:
            break
    return offered


def in_a_line(match: ListedMatch, zone: ZoneInfo, locale: str) -> str:
    """Return a match in a line: `#31 · Nov 28, 2026 · Ligretto · Anna, Ben`."""
    day = _day(match, zone)
    names: list[Value] = [Name(name, WIDTH) for name in match.people[:NAMES]]
    if len(match.people) > NAMES:
        names.append("…")
    if match.robots:
        names.append(Text("choice.robots", (("n", match.robots),)))
    values = (
        ("number", match.number),
        ("day", Day(day.year, day.month, day.day)),
        ("game", Text(f"game.{match.game}")),
        ("names", Joined(tuple(names))),
    )
    return say(Text("choice.match", values), locale, Label(Reader(locale)))[:LENGTH]


def _in_figures(match: ListedMatch, zone: ZoneInfo, locale: str) -> tuple[str, ...]:
    """Return its date as the screens of the records show it, and as `2026-11-28`."""
    day = _day(match, zone)
    return dates_in_figures(Day(day.year, day.month, day.day), locale)


def _day(match: ListedMatch, zone: ZoneInfo) -> date:
    return datetime.fromtimestamp(match.ended / 1000, UTC).astimezone(zone).date()


def number_of(typed: str) -> int | None:
    """Return the number of a match as people write it, such as `31` or `#31`; None if it isn't."""
    found = _NUMBER.fullmatch(typed)
    return int(found[1]) if found else None


def no_match(typed: str) -> Text:
    """Say that there is no such match, and how to find one."""
    number = number_of(typed)
    called: Value = Name(typed, 40) if number is None else f"#{number}"
    return Text("choice.unknown", (("typed", called),))


def _has_all(called: str, dates: tuple[str, ...], match: ListedMatch, typed: str) -> bool:
    """Return whether each word that was typed is in a choice, a date, or a name without room."""
    all_said = " ".join((called, *dates, *match.people)).casefold()
    return all(word in all_said for word in typed.casefold().split())
