"""Badges: the button below `/stats`, and a list of all with how each is earned."""

from collections.abc import Mapping, Sequence

from bot.ids import UserId
from bot.records.badges.badges import ONLY_IN, Badge
from bot.screen import Choice, Look, Row, Screen, Sentence, Words
from bot.tables.views.lines import sentence
from bot.text import Name, Text
from bot.ui.connection.responses import Interaction
from bot.ui.toolkit.command_answers import guild_of
from bot.ui.toolkit.command_router import CommandRouter, custom_id
from bot.ui.toolkit.custom_id_words import exactly, number, user_id
from bot.ui.toolkit.player_names import Names
from bot.ui.toolkit.screen_replies import paging, show, turn_to

OPEN, TURN = "badges", "badges_page"
PAGE = 7
"""Badges on a page."""


def opener(user: UserId) -> Choice:
    """Draw the button that lists all badges, and how often this person has earned each."""
    return Choice(Text("button.badges"), custom_id(OPEN, user))


def badges_screen(user: UserId, name: Name, badges: Mapping[Badge, int], page: int) -> Screen:
    """Draw a page of all badges: those earned first. `page` is clamped."""
    ordered = sorted(Badge, key=lambda one: one not in badges)
    pages = -(-len(ordered) // PAGE)
    page = min(page, pages - 1)
    values = (("name", name), ("count", len(badges)), ("of", len(Badge)))
    lines = [sentence("badges.title", values, Look.TITLE)]
    shown = ordered[page * PAGE : (page + 1) * PAGE]
    lines += [_line(one, badges.get(one, 0)) for one in shown]
    turn: Sequence[Row] = paging(page, pages, lambda other: custom_id(TURN, user, other))
    return Screen((Words(tuple(lines)), *turn))


def _line(badge: Badge, count: int) -> Sentence:
    key = "badges.has" if count else "badges.lacks"
    values = (("badge", _times(badge, count)), ("why", Text(f"badge.{badge}.why")))
    return sentence(key, values)


def _times(badge: Badge, count: int) -> Text:
    """Name a badge, with its game if it can be earned in one only, and how often it was."""
    name = Text(f"badge.{badge}")
    if (game := ONLY_IN.get(badge)) is not None:
        name = Text("badges.of", (("badge", name), ("game", Text(f"game.{game}"))))
    return Text("badges.times", (("badge", name), ("times", count))) if count > 1 else name


class BadgeList:
    """The button below `/stats` and the pages that it opens. Anybody may see anybody's."""

    def __init__(self, router: CommandRouter) -> None:
        self._archive = router.archive
        router.on_press(OPEN, self._open)
        router.on_press(TURN, self._turn)

    async def _open(self, interaction: Interaction, words: Sequence[str]) -> None:
        (user,) = exactly(words, 1)
        screen = await self._screen(interaction, user_id(user), 0)
        await show(interaction, screen, str(interaction.locale))

    async def _turn(self, interaction: Interaction, words: Sequence[str]) -> None:
        user, page = exactly(words, 2)
        screen = await self._screen(interaction, user_id(user), number(page))
        await turn_to(interaction, screen, str(interaction.locale))

    async def _screen(self, interaction: Interaction, user: UserId, page: int) -> Screen:
        guild, locale = guild_of(interaction), str(interaction.locale)
        badges = await self._archive.badges(guild, user)
        person = await self._archive.person(guild, user)
        return badges_screen(user, Names.told_by(interaction, locale).of(person), badges, page)
