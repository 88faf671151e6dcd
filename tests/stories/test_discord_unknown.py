"""Interactions that this version of the bot does not know: all of them deserve an answer."""

import asyncio
import logging
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.stories.discord_world import COMMAND, COMPONENT, MODAL, Player, send, user_payload, world

OLDER = "older version"
GROUP, SUBCOMMAND, TEXT = 2, 1, 3
OF_A_PERSON = 2
"""The type of a command in a person's menu, which nobody types."""
USER_MENU, MESSAGE_MENU = 2, 3
SUGGESTIONS, OFFERED = 4, 8
"""A person types in a command; the answer to it."""


def slash(name: str, *options: dict[str, Any]) -> dict[str, Any]:
    return {"id": "7", "name": name, "type": 1, "options": list(options)}


COMMANDS = {
    "command": slash("oldgame"),
    "subcommand": slash("moderate", {"type": SUBCOMMAND, "name": "old", "options": []}),
    "group": slash("moderate", {"type": GROUP, "name": "old", "options": []}),
    "bare group": slash("moderate"),
}


@pytest.mark.parametrize("data", COMMANDS.values(), ids=COMMANDS)
async def test_command_of_an_older_version_is_answered(
    tmp_path: Path, data: dict[str, Any]
) -> None:
    """It is said that the command is from an older version, and what to type."""
    async with world(tmp_path) as here:
        server = here.server
        answer = await send(
            server, server.user("anna"), server.all_channels[0], COMMAND, data
        ).wait()
        assert answer.ok, "the command was not answered"
        assert answer.original is not None
        assert OLDER in answer.original.text
        assert answer.original.ephemeral
        assert not here.tracebacks


VALUES: dict[int, list[object]] = {
    TEXT: ["8", "lb", "", 8, True, None],
    4: [8, "8", 8.5, True, None],
    5: [True, 1, "yes", None],
    6: ["8", "anna", 8, None],
    7: ["8"],
    8: ["8"],
    9: ["8"],
    10: [8, 8.5, "8", None],
    11: ["8"],
}
"""A value or more of each type of option. Nothing is resolved: no id stands for anything."""
TYPES: dict[int, type | tuple[type, ...]] = {TEXT: str, 4: int, 5: bool, 10: (int, float)}


def commands(told: Iterable[dict[str, Any]]) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Find every command that can be typed, by the names that lead to it."""
    for one in told:
        inner = [x for x in one.get("options", ()) if x["type"] in (SUBCOMMAND, GROUP)]
        for names, leaf in commands(inner):
            yield (one["name"], *names), leaf
        if not inner and one["type"] != OF_A_PERSON:
            yield (one["name"],), one


def typed(names: tuple[str, ...], *options: dict[str, Any]) -> dict[str, Any]:
    """A command as a client sends it."""
    sent = list(options)
    for name in reversed(names[1:]):
        sent = [{"type": SUBCOMMAND, "name": name, "options": sent}]
    return slash(names[0], *sent)


def unfit(leaf: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
    """Every list of options that a command hasn't got in this version: another type, or a value
    that isn't of its type; an option that it hasn't got; and none where one is required.
    """
    yield [{"type": TEXT, "name": "oldthing", "value": "8"}]
    for option in leaf.get("options", ()):
        name, kind = option["name"], option["type"]
        for other, values in VALUES.items():
            for value in values:
                right = type(value) is not bool or kind == 5
                if other != kind or not right or not isinstance(value, TYPES.get(kind, ())):
                    yield [{"type": other, "name": name, "value": value}]
        yield [{"type": kind, "name": name}]
        if option.get("required"):
            yield []


async def test_option_of_an_older_version_is_answered(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A client that kept an older version's commands sends options as they were: of another type,
    or without what is required now. Each is told so, with one line in the log.
    """
    async with world(tmp_path) as here:
        caplog.set_level(logging.INFO, "bot.ui.connection.command_tree")
        server, tried = here.server, 0
        for names, leaf in commands(server.world.commands.values()):
            for options in unfit(leaf):
                tried += 1
                before, data = len(here.log.lines), typed(names, *options)
                await asyncio.sleep(5)
                answer = await send(
                    server, server.owner, server.all_channels[0], COMMAND, data
                ).wait()
                assert answer.original is not None, data
                assert OLDER in answer.original.text, data
                assert len(here.log.lines) == before + 1, data
                assert not here.tracebacks, data
        assert tried > 100


@pytest.mark.parametrize("kind", [USER_MENU, MESSAGE_MENU], ids=["user", "message"])
async def test_context_menu_of_an_older_version_is_answered(tmp_path: Path, kind: int) -> None:
    """It is said that the menu is from an older version, and what to type."""
    async with world(tmp_path) as here:
        server, channel = here.server, here.server.all_channels[0]
        anna = server.user("anna")
        note = server.say(anna, channel, "hello")
        target, resolved = (
            (anna.id, {"users": {str(anna.id): user_payload(anna)}})
            if kind == USER_MENU
            else (note.id, {"messages": {str(note.id): note.data}})
        )
        data = {"id": "7", "name": "Old menu", "type": kind, "target_id": str(target)}
        answer = await send(server, anna, channel, COMMAND, data | {"resolved": resolved}).wait()
        assert answer.ok, "the menu was not answered"
        assert answer.original is not None
        assert OLDER in answer.original.text
        assert not here.tracebacks


async def test_form_of_an_older_version_is_answered(tmp_path: Path) -> None:
    """This version has no forms: one that is sent in is from an older version."""
    async with world(tmp_path) as here:
        server = here.server
        data = {"custom_id": "old:form", "components": []}
        answer = await send(server, server.user("anna"), server.all_channels[0], MODAL, data).wait()
        assert answer.ok, "the form was not answered"
        assert answer.original is not None
        assert OLDER in answer.original.text


async def test_choice_of_an_older_version_is_answered(tmp_path: Path) -> None:
    """A choice that a command offers no more is from an older version."""
    async with world(tmp_path) as here:
        server = here.server
        data = slash("leaderboard", {"type": TEXT, "name": "period", "value": "fortnight"})
        answer = await send(
            server, server.user("anna"), server.all_channels[0], COMMAND, data
        ).wait()
        assert answer.original is not None
        assert OLDER in answer.original.text, "it is told as a fault of the bot"
        assert not here.tracebacks


@pytest.mark.parametrize("sent", ["old:button", "lr1:old:button", "lg1:1:0:old"])
async def test_button_that_nobody_knows_is_answered(tmp_path: Path, sent: str) -> None:
    """So it is today: buttons, of all things, have a last resort."""
    async with world(tmp_path) as here:
        server, channel = here.server, here.server.all_channels[0]
        anna = server.user("anna")
        note = server.say(anna, channel, "hello")
        data = {"custom_id": sent, "component_type": 2, "id": 1}
        answer = await send(server, anna, note, COMPONENT, data).wait()
        assert answer.original is not None
        assert answer.original.ephemeral
        assert not here.tracebacks


TYPED = {
    "command": slash("oldgame", {"type": TEXT, "name": "zone", "value": "b", "focused": True}),
    "option": slash("settings", {"type": TEXT, "name": "old", "value": "b", "focused": True}),
    "plain option": slash(
        "leaderboard", {"type": TEXT, "name": "game", "value": "b", "focused": True}
    ),
    "bare group": slash("moderate"),
}


@pytest.mark.parametrize("data", TYPED.values(), ids=TYPED)
async def test_suggestions_of_an_older_version_are_none(
    tmp_path: Path, data: dict[str, Any]
) -> None:
    """Whoever types in a command of an older version is offered nothing, and nothing is logged."""
    async with world(tmp_path) as here:
        server = here.server
        answer = await send(
            server, server.user("anna"), server.all_channels[0], SUGGESTIONS, data
        ).wait()
        assert answer.ok
        assert answer.callback_type == OFFERED
        assert not here.tracebacks


@pytest.mark.parametrize(
    ("word", "value"),
    [("rounds", "999"), ("rounds", "x y"), ("oldthing", "1"), ("place", "forum"), ("dice.0", "9")],
)
async def test_list_of_an_older_lobby_is_answered(tmp_path: Path, word: str, value: str) -> None:
    """What this version does not offer changes nothing."""
    async with world(tmp_path) as here:
        server = here.server
        anna = Player(server, server.user("anna"), server.all_channels[0])
        _ = await anna.open()
        data = {"custom_id": f"lg1:1:0:set.{word}", "component_type": 3, "id": 1}
        answer = await send(
            server, anna.user, anna.public, COMPONENT, data | {"values": [value]}
        ).wait()
        assert answer.original is not None
        assert OLDER in answer.original.text
        assert answer.original.ephemeral


@pytest.mark.parametrize("subject", ["language", "logs", "oldthing", "set:ligretto:rounds"])
async def test_list_of_older_settings_is_answered(tmp_path: Path, subject: str) -> None:
    async with world(tmp_path) as here:
        server = here.server
        page = (
            await server.slash(server.owner, server.all_channels[0], "settings").wait()
        ).original
        assert page is not None
        data = {"custom_id": f"lr1:settings:{subject}", "component_type": 3, "id": 1}
        answer = await send(
            server, server.owner, page, COMPONENT, data | {"values": ["old"]}
        ).wait()
        assert answer.original is not None
        assert OLDER in answer.original.text
