"""The `/rules` and `/help` commands: the rules of a game, and the bot's commands."""

from collections.abc import Sequence
from functools import partial

import discord
from discord import app_commands

from bot.games import GAMES
from bot.games.contract import AnyGame
from bot.games.values import RulesPart
from bot.ids import UserId
from bot.screen import Choice, Look, Row, Screen, Words
from bot.tables.arenas.arenas import Arenas
from bot.tables.views.lines import learn, sentence
from bot.tables.views.plain_words import in_plain_words
from bot.tables.views.rules_in_short import Terms, rules_screen
from bot.text import Text
from bot.ui.commands.rules.place import DAILY, NOWHERE, RulesPlaces
from bot.ui.connection.responses import Interaction, answer, redrawn
from bot.ui.panels.context import PanelContext
from bot.ui.render.components import view
from bot.ui.render.marks import Reader
from bot.ui.toolkit.command_router import CommandRouter, NotOursError, custom_id
from bot.ui.toolkit.command_words import command, game_choices
from bot.ui.toolkit.custom_id_words import one_of

SUBJECT = "rules"
TO_ID = partial(custom_id, SUBJECT)
FIRST = RulesPart.BASICS
HELP = (
    *("play", "panel", "arena", "learn", "daily"),
    *("rules", "records", "server", "plain", "privacy"),
)


class Rules:
    """Both commands. They answer privately, in the reader's language."""

    def __init__(self, router: CommandRouter, arenas: Arenas, context: PanelContext) -> None:
        self._places = RulesPlaces(router.tables.index, arenas)
        self._context = context

        @app_commands.choices(game=game_choices())
        async def rules(
            interaction: Interaction, game: app_commands.Choice[str] | None = None
        ) -> None:
            await self._open(interaction, GAMES[game.value] if game else None)

        async def help_(interaction: Interaction) -> None:
            await answer(interaction, partial(self._view, interaction, help_screen(), NOWHERE))

        router.offer(command("rules", rules, game="command.rules.game"))
        router.offer(command("help", help_))
        router.on_press(SUBJECT, self._press)

    async def _press(self, interaction: Interaction, words: Sequence[str]) -> None:
        """Open the rules from another message, or turn an open page to a part or a game.

        Earlier versions had one page per game, and `turn` on it.
        """
        match words:
            case ["open", key] if key in GAMES:
                await self._open(interaction, GAMES[key])
            case ["daily", key] if key in GAMES:
                await answer(interaction, self._drawn(interaction, GAMES[key], FIRST, DAILY))
            case ["turn", key] if key in GAMES:
                await redrawn(interaction, self._drawn(interaction, GAMES[key], FIRST, NOWHERE))
            case [part, key, place] if key in GAMES:
                named = one_of(RulesPart, part)
                await redrawn(interaction, self._drawn(interaction, GAMES[key], named, place))
            case _:
                raise NotOursError

    async def _open(self, interaction: Interaction, wanted: AnyGame | None) -> None:
        place, game = self._places.around(interaction, wanted)
        await answer(interaction, self._drawn(interaction, game, FIRST, place))

    def _drawn(
        self, interaction: Interaction, game: AnyGame, part: RulesPart, place: str
    ) -> "partial[discord.ui.LayoutView]":
        terms = self._places.terms(interaction, place, game)
        return partial(self._view, interaction, rules_page(terms, part, place), place)

    def _view(self, interaction: Interaction, screen: Screen, place: str) -> discord.ui.LayoutView:
        """Return a message in the reader's language, with the card letters of the table here.

        In words alone for readers of plain text.
        """
        locale, letters = str(interaction.locale), self._places.letters(interaction, place)
        if UserId(interaction.user.id) in self._context.plain:
            return view(in_plain_words(screen), TO_ID, Reader(locale, letters, plain=True))
        return view(screen, TO_ID, Reader(locale, letters, self._context.emojis.faces))


def rules_page(terms: Terms, part: RulesPart, place: str) -> Screen:
    """Draw a part of the rules with its buttons: where more games are played, to those too.

    The lesson is offered beside the basics.
    """
    game = terms.game
    keys = (key for key in GAMES if key != game.key and place in (NOWHERE, DAILY))
    others = (Choice(Text(f"game.{key}"), f"{FIRST}:{key}:{place}") for key in keys)
    taught = (learn(),) if game.is_taught and part is FIRST else ()
    more = (*taught, *others)
    below = (Row(more),) if more else ()
    return rules_screen(terms, part, lambda one: f"{one}:{game.key}:{place}", *below)


def help_screen() -> Screen:
    lines = (
        sentence("help.title", look=Look.TITLE),
        *(sentence(f"help.{part}") for part in HELP),
    )
    return Screen((Words(lines),))
