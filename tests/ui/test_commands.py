"""What Discord is told of our commands: valid, in every language, and unambiguous in each."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from discord import Locale

from bot.fakediscord.validation.commands import check_commands
from bot.i18n import languages, say
from bot.text import Text
from bot.ui.toolkit.command_words import Translator
from tests.ui.simulated import SimulatedBot, simulated_bot

LOCALES = {one.value for one in Locale if one.value.partition("-")[0] in languages()}
"""Discord's names of the languages there are: some have two."""
TOTAL = 8000
"""Characters of a command in all, counted in its longest language (PLATFORM 8)."""


@pytest.fixture
async def sim(tmp_path: Path) -> AsyncIterator[SimulatedBot]:
    async with simulated_bot(tmp_path / "night.sqlite3") as one:
        yield one


async def told(sim: SimulatedBot) -> list[dict[str, Any]]:
    """The commands as they are sent to Discord."""
    tree, translator = sim.env.bot.tree, Translator()  # type: ignore[attr-defined]
    return [await one.get_translated_payload(tree, translator) for one in tree.get_commands()]


def nodes(commands: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Commands, those below them, their options, and the choices of these."""
    for one in commands:
        yield one
        yield from nodes([*(one.get("options") or []), *(one.get("choices") or [])])


def families(commands: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """What stands beside each other, where no two may be called the same."""
    yield commands
    for one in nodes(commands):
        yield one.get("options") or []
        yield one.get("choices") or []


def called(node: dict[str, Any], locale: str) -> str:
    name: str = node["name_localizations"][locale]
    return name


async def test_discord_takes_every_name_and_description(sim: SimulatedBot) -> None:
    check_commands(await told(sim))


async def test_everything_is_said_in_every_language_and_in_no_other(sim: SimulatedBot) -> None:
    commands = await told(sim)
    assert len(commands) == 18
    for node in nodes(commands):
        assert set(node["name_localizations"]) == LOCALES, node["name"]
        if "description" in node:
            assert set(node["description_localizations"]) == LOCALES, node["name"]
    assert {"en-US", "en-GB", "de", "fr", "it", "nl", "es-ES", "es-419"} <= LOCALES


async def test_no_two_commands_options_or_choices_are_called_the_same(sim: SimulatedBot) -> None:
    for family in families(await told(sim)):
        for locale in LOCALES:
            names = [called(node, locale) for node in family]
            assert len(set(names)) == len(names), (locale, names)


async def test_a_name_in_one_language_is_no_other_commands_name_in_english(
    sim: SimulatedBot,
) -> None:
    """Who types an English name in a German client must not get something else."""
    commands = await told(sim)
    for node in commands:
        others = {other["name"] for other in commands} - {node["name"]}
        assert not others & set(node["name_localizations"].values()), node["name"]


async def test_a_command_in_its_longest_language_is_short_enough(sim: SimulatedBot) -> None:
    for command in await told(sim):
        for locale in LOCALES:
            said = "".join(
                called(node, locale) + node.get("description_localizations", {}).get(locale, "")
                for node in nodes([command])
            )
            assert len(said) < TOTAL


async def test_commands_are_called_as_the_catalogues_say(sim: SimulatedBot) -> None:
    commands = {one["name"]: one for one in await told(sim)}
    assert called(commands["dice"], "de") == "würfel"
    assert called(commands["dice"], "es-419") == say(Text("name.dice"), "es")
    (game, *_) = commands["leaderboard"]["options"]
    assert called(game, "nl") == "spel"
    assert called(game["choices"][1], "fr") == "Ligretto de dés"
    close, *_ = commands["moderate"]["options"]
    assert (close["name"], called(close, "it")) == ("close", "chiudi")
