"""The `/stats` command: a player's statistics here, with a chart of the rating over time."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import discord
from discord import app_commands, ui

from bot.art import rating
from bot.games import GAMES
from bot.i18n import say
from bot.ids import UserId
from bot.records.feat_models import PersonalBests
from bot.records.models import RatedAt, Stats
from bot.screen import Block, Line, Look, Row, Screen, Words
from bot.tables.views.lines import sentence
from bot.tables.views.results.story import seconds
from bot.text import Name, Number, Text, Value, Values
from bot.ui.connection.responses import Interaction
from bot.ui.records.feats.badges import earned_lines, opener
from bot.ui.records.feats.practice import fastest_stop, practice_lines
from bot.ui.records.feats.rivals import rivalry_lines
from bot.ui.render import marks
from bot.ui.render.image_worker import drawn
from bot.ui.toolkit.command_answers import guild_of
from bot.ui.toolkit.command_router import CommandRouter
from bot.ui.toolkit.command_words import command, game_choices, menu
from bot.ui.toolkit.player_names import Names
from bot.ui.toolkit.screen_replies import show

log = logging.getLogger(__name__)

ENOUGH = 2
"""Rated matches needed to draw a chart."""


@dataclass(frozen=True, slots=True)
class Played:
    """A player's statistics, ratings and bests in one game."""

    game: str
    stats: Stats
    ratings: tuple[RatedAt, ...]
    bests: tuple[PersonalBests, ...] = ()


class Statistics:
    """The `/stats` command. Anybody may see anybody's figures of this server, privately."""

    def __init__(self, router: CommandRouter) -> None:
        self._router = router

        @app_commands.choices(game=game_choices())
        async def stats(
            interaction: Interaction,
            member: discord.User | None = None,
            game: app_commands.Choice[str] | None = None,
        ) -> None:
            games = (game.value,) if game else tuple(GAMES)
            await self._answer(interaction, member or interaction.user, games)

        options = {"member": "command.stats.member", "game": "command.stats.game"}
        router.offer(command("stats", stats, **options))

        async def of_person(interaction: Interaction, person: discord.User) -> None:
            await self._answer(interaction, person, tuple(GAMES))

        router.offer(menu("menu_stats", of_person))

    async def _answer(
        self, interaction: Interaction, member: discord.abc.User, games: Sequence[str]
    ) -> None:
        locale, user = str(interaction.locale), UserId(member.id)
        played = [await self._played(interaction, user, game) for game in games]
        name = Names.told_by(interaction, locale, member).of(played[0].stats.person)
        files: list[discord.File] = []
        if interaction.app_permissions.attach_files:
            files = [file for one in played if (file := await picture(one, name, locale))]
        charts: tuple[ui.Item[Any], ...] = ()
        if files:
            charts = (ui.MediaGallery(*map(discord.MediaGalleryItem, files)),)
        more = await self._more(interaction, user, name, games)
        screen = stats_screen(name, played, more, (Row((opener(user),)),))
        await show(interaction, screen, locale, *charts, files=files)

    async def _played(self, interaction: Interaction, user: UserId, game: str) -> Played:
        guild, archive = guild_of(interaction), self._router.archive
        return Played(
            game,
            await archive.stats(guild, user, game),
            await archive.rating_history(guild, user, game),
            await archive.personal_bests(guild, user, game),
        )

    async def _more(
        self, interaction: Interaction, user: UserId, name: Name, games: Sequence[str]
    ) -> tuple[Line, ...]:
        """Return the badges, and for somebody else's statistics the two against each other."""
        guild, archive, own = guild_of(interaction), self._router.archive, interaction.user.id
        badges = earned_lines(await archive.badges(guild, user))
        if user == own:
            return badges
        met = [(game, await archive.rivalry(guild, UserId(own), user, game)) for game in games]
        return (*badges, *rivalry_lines(name, met))


async def picture(played: Played, name: Name, locale: str) -> discord.File | None:
    """Draw the rating over time; None with too few matches, or if drawing fails (logged)."""
    if len(played.ratings) < ENOUGH:
        return None
    ratings = [one.rating.points for one in played.ratings]
    try:
        png = await drawn(rating.png, ratings)
    except Exception:
        log.exception("stats: rating chart not drawn")
        return None
    described = say(alt_text(played, name), locale, marks.Code(marks.Reader(locale)))
    return discord.File(BytesIO(png), f"rating-{played.game}.png", description=described)


def alt_text(played: Played, name: Name) -> Text:
    """Describe the chart for people who can't see it."""
    ratings = [one.rating for one in played.ratings]
    return Text(
        "stats.alt",
        (
            ("name", name),
            ("game", Text(f"game.{played.game}")),
            ("n", len(ratings)),
            ("first", str(ratings[0])),
            ("last", str(ratings[-1])),
            ("best", str(max(ratings, key=lambda one: one.points))),
        ),
    )


def stats_screen(
    name: Name, played: Sequence[Played], more: Sequence[Line] = (), below: Sequence[Block] = ()
) -> Screen:
    lines: list[Line] = [sentence("stats.title", (("name", name),), Look.TITLE)]
    for one in played:
        lines.append(sentence(f"game.{one.game}", look=Look.HEAD))
        lines += _of_game(one.game, one.stats, one.bests)
    return Screen((Words((*lines, *more)), *below))


def _of_game(game: str, stats: Stats, bests: Sequence[PersonalBests]) -> tuple[Line, ...]:
    """Draw a player's figures in one game, a line for each matter."""
    practice = sentence("stats.practice", (("n", stats.practice),), Look.SMALL)
    more = (practice, *practice_lines(bests)) if stats.practice else ()
    rated = sentence("stats.rated", (("rating", str(stats.rating)),))
    known = (rated,) if stats.rating is not None else ()
    if not stats.matches:
        return (sentence("stats.nothing"), *known, *more)
    stop = fastest_stop(bests)
    lines: tuple[tuple[str, Values], ...] = (
        ("stats.won", _won(stats)),
        ("stats.per_round", _per_round(stats)),
        *((("stats.stop", (("time", seconds(stop)),)),) if stop is not None else ()),
        (f"{game}.pace", (("laid", _fraction(stats.laid, 1)),)),
        ("stats.duels", _duels(stats)),
        ("stats.in_a_row", (("now", stats.streak), ("most", stats.best_streak))),
    )
    return (*known, *(sentence(key, values) for key, values in lines), *more)


def _won(stats: Stats) -> Values:
    share = Number(stats.win_share or 0, share=True)
    return (("wins", stats.wins), ("n", stats.matches), ("share", share))


def _per_round(stats: Stats) -> Values:
    points = _fraction(stats.points, 2)
    return (("points", points), ("best", _signed(stats.best)), ("worst", _signed(stats.worst)))


def _duels(stats: Stats) -> Values:
    return (
        ("firsts", stats.firsts),
        ("firsts_ms", _mean(stats.firsts_ms)),
        ("lates", stats.lates),
        ("lates_ms", _mean(stats.lates_ms)),
    )


def _mean(ms: float | None) -> Value:
    return "" if ms is None else Text("stats.mean", (("ms", Number(ms)),))


def _fraction(value: float | None, digits: int) -> Value:
    return "–" if value is None else Number(value, digits)


def _signed(value: int | None) -> Value:
    return "–" if value is None else Number(value, signed=True)
