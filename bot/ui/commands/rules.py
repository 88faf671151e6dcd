"""The `/rules` and `/help` commands: the rules of a game, and the bot's commands."""

from collections.abc import Sequence
from functools import partial

import discord
from discord import app_commands

from bot.games import GAMES
from bot.games.contract import AnyGame
from bot.ids import ChannelId
from bot.screen import Choice, Look, Row, Screen, Words
from bot.tables.views.lines import learn, sentence
from bot.text import Icon, Text
from bot.ui.connection.responses import Interaction, answer, redrawn
from bot.ui.render.components import view
from bot.ui.render.marks import Reader
from bot.ui.toolkit.command_router import CommandRouter, NotOursError, custom_id
from bot.ui.toolkit.command_words import command, game_choices

SUBJECT = "rules"
TO_ID = partial(custom_id, SUBJECT)
HELP = (
    *("play", "panel", "arena", "learn", "daily"),
    *("rules", "records", "server", "plain", "privacy"),
)


class Rules:
    """Both commands. They answer privately, in the reader's language."""

    def __init__(self, router: CommandRouter) -> None:
        self._tables = router.tables

        @app_commands.choices(game=game_choices())
        async def rules(
            interaction: Interaction, game: app_commands.Choice[str] | None = None
        ) -> None:
            await self._open(interaction, GAMES[game.value] if game else self._played(interaction))

        async def help_(interaction: Interaction) -> None:
            await self._answer(interaction, help_screen())

        router.offer(command("rules", rules, game="command.rules.game"))
        router.offer(command("help", help_))
        router.on_press(SUBJECT, self._press)

    async def _press(self, interaction: Interaction, words: Sequence[str]) -> None:
        """Open the rules from a table's button, or turn an open page to another game."""
        match words:
            case ["open", key] if key in GAMES:
                await self._open(interaction, GAMES[key])
            case ["turn", key] if key in GAMES:
                shown = self._view(interaction, rules_screen(GAMES[key]))
                await redrawn(interaction, shown)
            case _:
                raise NotOursError

    async def _open(self, interaction: Interaction, game: AnyGame) -> None:
        await self._answer(interaction, rules_screen(game))

    async def _answer(self, interaction: Interaction, screen: Screen) -> None:
        await answer(interaction, self._view(interaction, screen))

    def _view(self, interaction: Interaction, screen: Screen) -> discord.ui.LayoutView:
        """Return a message in the reader's language, with the card letters of the table here."""
        table = self._tables.index.at(ChannelId(interaction.channel_id or 0))
        letters = table.session.opened.locale if table is not None else ""
        return view(screen, TO_ID, Reader(str(interaction.locale), letters))

    def _played(self, interaction: Interaction) -> AnyGame:
        """Return the game of this channel's table, else the first of all games."""
        table = self._tables.index.at(ChannelId(interaction.channel_id or 0))
        return table.session.game if table is not None else next(iter(GAMES.values()))


def rules_screen(game: AnyGame) -> Screen:
    """Draw a summary of a game's rules, with buttons to the other games' rules."""
    colours = {"red": "r", "yellow": "y", "green": "g", "blue": "b"}
    letters = tuple((gap, Icon(colour)) for gap, colour in colours.items())
    name = Text(f"game.{game.key}")
    lines = (
        sentence("rules.title", (("game", name),), Look.TITLE),
        *(sentence(f"{game.key}.rules.{part}") for part in game.rule_topics),
        sentence("rules.letters", letters, Look.SMALL),
    )
    others = (other for other in GAMES if other != game.key)
    shown = (learn(),) if game.is_taught else ()
    turn = tuple(Choice(Text(f"game.{other}"), f"turn:{other}") for other in others)
    return Screen((Words(lines), Row((*shown, *turn))))


def help_screen() -> Screen:
    lines = (
        sentence("help.title", look=Look.TITLE),
        *(sentence(f"help.{part}") for part in HELP),
    )
    return Screen((Words(lines),))
