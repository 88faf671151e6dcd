"""Every command where the bot itself isn't: in a server that has its commands alone, and in a
direct message that an older version's command is sent from.
"""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.stories.discord_world import (
    COMMAND,
    COMPONENT,
    Channel,
    Interaction,
    Item,
    Message,
    User,
    World,
    send,
    world,
)
from tests.stories.test_discord_servers import INVITE, without_bot
from tests.stories.test_discord_unknown import commands, typed

GIVEN: dict[int, object] = {3: "dice", 4: 1}
"""A value for a required option, by its type."""


ANYWHERE = {"daily", "rules", "learn", "help", "privacy", "plain"}
"""Commands that need no server."""


async def asked(here: World, user: User, place: Channel) -> dict[str, Interaction]:
    """Send every command, and return the answers by what was typed."""
    answers: dict[str, Interaction] = {}
    for names, leaf in commands(list(here.server.world.commands.values())):
        options = [
            {"type": one["type"], "name": one["name"], "value": GIVEN[one["type"]]}
            for one in leaf.get("options", ())
            if one.get("required")
        ]
        await asyncio.sleep(5)
        data = typed(names, *options)
        answers[" ".join(names)] = await send(here.server, user, place, COMMAND, data).wait()
    return answers


def text(answer: Interaction) -> str:
    return answer.original.text if answer.original is not None else ""


def buttons(message: Message) -> Iterator[Item]:
    return (one for one in message.items if one.custom_id and not one.disabled)


async def nothing_is_dead(here: World, user: User, answers: dict[str, Interaction]) -> None:
    """Whatever the answers offer does something, or says why not."""
    for name, answer in answers.items():
        assert answer.ok, name
        shown = answer.original
        assert shown is not None, name
        for one in list(buttons(shown)):
            data: dict[str, Any] = {"custom_id": one.custom_id, "component_type": one.type, "id": 1}
            if one.type == 3:
                data["values"] = [one.options[0]["value"]]
            await asyncio.sleep(5)
            pressed = await send(here.server, user, shown, COMPONENT, data).wait()
            assert pressed.ok, (name, one.custom_id)
    assert not here.tracebacks


@pytest.mark.parametrize("sees", [0, (1 << 31) - 1], ids=["no permissions", "permissions"])
async def test_commands_work_in_a_server_without_the_bot(tmp_path: Path, sees: int) -> None:
    async with world(tmp_path) as here:
        guild = await without_bot(here, sees)
        (channel,) = guild.channels.values()
        user = guild.owner
        answers = await asked(here, user, channel)
        for command in ("ligretto", "dice", "moderate close", "moderate void"):
            assert INVITE in text(answers[command]), command
        await nothing_is_dead(here, user, answers)


async def test_commands_in_a_direct_message(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        anna = here.server.user("anna")
        place = here.server.world.dm(anna)
        answers = await asked(here, anna, place)
        for command in answers.keys() - ANYWHERE:
            assert "in a server’s channel" in text(answers[command]), command
        await nothing_is_dead(here, anna, answers)
