"""An export has a part of each group, and names each that is missing."""

import json
from functools import partial
from typing import Any

import pytest

from bot.fakediscord import Interaction
from bot.groups.people import asking
from bot.ids import GuildId, UserId
from bot.store.records.result_writing import Report, write
from bot.ui.people import all_groups
from tests.groups.people.bot import TwoGroups
from tests.real import PATIENCE
from tests.store.matches import BEN, match

SHORT = 0.5
"""Seconds that a group gets where it never answers."""


async def played(bot: TwoGroups, number: int, name: str = "anna") -> UserId:
    """A match on a server of a group, which is in its file."""
    anna = UserId(bot.user(name).id)
    guild = bot.channels[number].guild
    assert guild is not None
    one = match({anna: 9, BEN: 5}, guild=GuildId(guild.id), names={anna: "Anna", BEN: "Ben"})
    app = bot.app(number)
    before = ("UPDATE matches SET began = 1", ())
    await app.writer.write([partial(write, report=Report(one, None)), before])
    return anna


async def exported(bot: TwoGroups, number: int, name: str = "anna") -> tuple[str, dict[str, Any]]:
    """The words of the answer, and what is in its file."""
    user, channel = bot.user(name), bot.channels[number]
    asked = await bot.discord.slash(user, channel, "privacy").wait()
    assert asked.original is not None
    answer: Interaction = await bot.discord.click(user, asked.original, label="Export data").wait()
    await bot.discord.wait_for(lambda: answer.original and answer.original.files, PATIENCE)
    assert answer.original is not None
    (file,) = answer.original.files
    return answer.original.text, json.loads(bot.discord.blobs[file["id"]])


async def test_an_export_has_what_every_group_stores(bot: TwoGroups) -> None:
    await bot.start()
    for number in (1, 2):
        await played(bot, number)
    said, file = await exported(bot, 1)
    assert said == ""
    assert (file["is_complete"], file["missing"]) == (True, [])
    parts = {one["shards"]: len(one["servers"]) for one in file["groups"]}
    assert parts == {"0": 1, "1": 1}


async def test_a_group_that_is_down_is_named(bot: TwoGroups) -> None:
    await bot.start()
    await played(bot, 1)
    await bot.stop(2)
    said, file = await exported(bot, 1)
    assert "This isn’t everything" in said
    assert "shards 1 (2 servers)" in said
    assert "shards 1" in file["about"]
    assert not file["is_complete"]
    assert file["missing"] == [{"shards": "1", "servers": 2, "why": "away"}]
    assert [one["shards"] for one in file["groups"]] == ["0"]


async def test_a_group_that_never_answers_is_named(
    bot: TwoGroups, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It seems to run: nobody has noticed yet."""
    monkeypatch.setattr(all_groups, "COLLECTED", SHORT)
    await bot.start()
    await bot.dies(2)
    said, file = await exported(bot, 1)
    assert "This isn’t everything" in said
    assert file["missing"] == [{"shards": "1", "servers": 2, "why": "away"}]


async def test_without_valkey_all_other_shards_are_named(bot: TwoGroups) -> None:
    await bot.start()
    bot.server.kill()
    said, file = await exported(bot, 2)
    assert "shards 0" in said
    assert [one["shards"] for one in file["groups"]] == ["1"]


async def test_a_part_that_is_too_large_is_named(
    bot: TwoGroups, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "MOST", 10)
    await bot.start()
    await played(bot, 2)
    said, file = await exported(bot, 1)
    assert "Too much for this file" in said
    assert file["missing"] == [{"shards": "1", "servers": 2, "why": "large"}]
    said, file = await exported(bot, 2)
    assert len(file["groups"][0]["servers"]) == 1, "there it is one's own part"
