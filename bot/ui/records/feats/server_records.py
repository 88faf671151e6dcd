"""The `/records` command: a server's records, and those that a match has broken."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeAlias

from discord import app_commands

from bot.games import GAMES
from bot.records.feat_models import FallenRecord, Feat, ServerRecord
from bot.records.feats import variants
from bot.records.models import Person
from bot.screen import Choice, Line, Look, Row, Screen, Sentence, Words, rows_of
from bot.tables.views.lines import sentence
from bot.tables.views.results.story import seconds
from bot.text import Icon, Name, Text, Value, Values, change, margin
from bot.ui.connection.responses import Interaction
from bot.ui.toolkit.command_answers import guild_of
from bot.ui.toolkit.command_router import CommandRouter, custom_id
from bot.ui.toolkit.command_words import command, game_choices
from bot.ui.toolkit.custom_id_words import exactly, game_key
from bot.ui.toolkit.latest_game import latest_game
from bot.ui.toolkit.player_names import Names
from bot.ui.toolkit.public_answers import post
from bot.ui.toolkit.screen_replies import locale_of, turn_to

NOBODY = Person(None, None)
Named: TypeAlias = Callable[[Person], Name]
"""Return the name of somebody as it is now."""


SUBJECT, RECORD_MATCH = "records", "record"
"""A button to the records of another game, and one to the match of a record."""


class ServerRecords:
    """The `/records` command. Its answer is as public as a leaderboard's.

    Anybody may turn it to the other game. The match of a record opens for whoever presses alone.
    """

    def __init__(self, router: CommandRouter) -> None:
        self._router = router

        @app_commands.choices(game=game_choices())
        async def records(
            interaction: Interaction, game: app_commands.Choice[str] | None = None
        ) -> None:
            guild = guild_of(interaction)
            chosen = game.value if game else await latest_game(router.archive, guild)
            await post(interaction, router, partial(self._screen, interaction, chosen))

        router.offer(command("records", records, game="command.leaderboard.game"))
        router.on_press(SUBJECT, self._turn)

    async def _turn(self, interaction: Interaction, words: Sequence[str]) -> None:
        (game,) = exactly(words, 1)
        locale = await locale_of(interaction, self._router.archive)
        await turn_to(interaction, await self._screen(interaction, game_key(game), locale), locale)

    async def _screen(self, interaction: Interaction, game: str, locale: str) -> Screen:
        archive, guild = self._router.archive, guild_of(interaction)
        found = [await archive.server_records(guild, game, one) for one in variants(game)]
        return records_screen(game, found, Names.told_by(interaction, locale))


def records_screen(game: str, found: Sequence[Sequence[ServerRecord]], names: Names) -> Screen:
    """Draw the records of a game, variant by variant, with buttons to their matches."""
    lines: list[Line] = [sentence("records.title", (("game", Text(f"game.{game}")),), Look.TITLE)]
    for records in filter(None, found):
        if records[0].variant:
            lines.append(sentence(f"variant.{records[0].variant}", look=Look.HEAD))
        lines += [_line(one, names) for one in records]
    if len(lines) == 1:
        lines.append(sentence("records.none"))
    lines.append(sentence("records.rated", look=Look.SMALL))
    numbers = sorted({one.match for records in found for one in records})
    matches = tuple(
        Choice(Text("button.match", (("number", one),)), custom_id(RECORD_MATCH, one))
        for one in numbers
    )
    others = tuple(
        Choice(Text(f"game.{one}"), custom_id(SUBJECT, one)) for one in GAMES if one != game
    )
    return Screen((Words(tuple(lines)), *rows_of(matches), Row(others)))


def fallen_lines(fallen: Iterable[FallenRecord], names: Names) -> dict[str, Line]:
    """Return a line for each record that a match has broken, by its feat."""
    return {one.now.feat.value: _fallen(one, names.of) for one in fallen}


def _line(one: ServerRecord, names: Names) -> Sentence:
    values: Values = (
        ("what", record_in_words(one, names.of)),
        ("when", f"<t:{one.at // 1000}:d>"),
        ("number", one.match),
    )
    return sentence("records.line", values)


def _fallen(one: FallenRecord, named: Named) -> Sentence:
    return sentence("records.fallen", fallen_values(one, named))


def fallen_values(one: FallenRecord, named: Named) -> Values:
    """Return what is told of a record that has fallen: itself, and the value before it."""
    return (
        ("icon", Icon("record")),
        ("what", record_in_words(one.now, named)),
        ("before", figure_of(one.before.feat, one.before.value)),
    )


def record_in_words(one: ServerRecord, named: Named) -> Text:
    """Say what a record is of, whose it is, and its value."""
    values: Values = (("name", named(one.holder)), ("value", figure_of(one.feat, one.value)))
    if one.feat is Feat.DUEL:
        values = (*values, ("late", named(one.loser or NOBODY)))
    if one.feat is Feat.STREAK:
        values = (*values, ("n", one.value))
    return Text(f"records.{one.feat}", values)


def in_short(feat: Feat, value: int) -> Text:
    """Say what somebody did, with its value: `+30 in one round`."""
    return Text(f"highlight.{feat}", (("value", figure_of(feat, value)),))


def figure_of(feat: Feat, value: int) -> Value:
    """Return the value of a feat, as in `Feat`, with its unit or sign."""
    match feat:
        case Feat.STOP:
            return seconds(value)
        case Feat.POINTS:
            return change(value)
        case Feat.DUEL:
            return margin(value)
        case Feat.STREAK | Feat.COME_BACK:
            return value
