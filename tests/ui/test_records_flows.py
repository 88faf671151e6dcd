"""The records on a simulated Discord: asked for with commands, and turned page by page."""

import json
from collections.abc import AsyncIterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.games import GAMES
from bot.store.results import Report, write
from tests.records.referee import Referee
from tests.store.matches import match
from tests.ui.evening import COUNT, Evening, Person, buttons, evening, words


@pytest.fixture
async def night(tmp_path: Path) -> AsyncIterator[Evening]:
    async with evening(tmp_path / "night.db") as one:
        yield one


async def written(night: Evening, points: Mapping[int | None, int], **more: Any) -> None:
    """A match that was played before, of this server if nothing else is said."""
    log = more.pop("log", None)
    at = int(night.env.now().timestamp() * 1000) - more.pop("ago", 60_000)
    found = match(points, **{"guild": night.guild.id, "at": at, **more})
    await night.app._writer.write([partial(write, report=Report(found, log))])


async def played(night: Evening, *names: str) -> list[Person]:
    """A whole match of three rounds, to its end."""
    people = await night.live(*names)
    for number in (1, 2, 3):
        await night.play_out(people)
        if number < 3:
            for person in people:
                await person.on_panel("Next round")
            await night.later(COUNT)
    await night.later(2)
    return people


async def asked(person: Person, command: str, **options: Any) -> Any:
    """The answer to a command, as it is stored."""
    result = await person.actor.slash(person.evening.channel, command, **options)
    assert result.response is not None, "it was answered"
    return stored(person.evening, result.response.id)


def stored(night: Evening, message: int) -> Any:
    return night.env.backend.messages[night.channel.id][message]


async def pressed(person: Person, message: Any, label: str) -> Any:
    """What a press on this message was answered with: another message, or the same one."""
    result = await person._click(message, label)
    return stored(person.evening, result.response.id if result.response else message.id)


def is_private(message: Any) -> bool:
    return bool(message.flags & 64)


def table_of(message: Any) -> list[str]:
    """The lines of its code block."""
    return words(message).split("```")[1].strip("\n").splitlines()


async def content(night: Evening, message: Any) -> bytes:
    (attachment,) = message.attachments
    return bytes(night.env.backend.attachment_bytes[attachment["id"]])


# -- where nothing was played ----------------------------------------------------------------


async def test_an_empty_server_has_nothing_to_show(night: Evening) -> None:
    anna = night.person("Anna")
    assert "Nobody is on it yet" in words(await asked(anna, "leaderboard"))
    assert words(await asked(anna, "stats")).count("No rated match yet") == len(GAMES)
    for command in ("history", "replay"):
        answer = await asked(anna, command)
        assert "No match has been finished here" in words(answer)
        assert is_private(answer)


# -- the end of a match ----------------------------------------------------------------------


async def test_a_whole_match_is_in_every_record(night: Evening) -> None:
    anna, ben = await played(night, "Anna", "Ben")
    end = night.board
    assert "Rating: " in words(end)
    assert words(end).count("1000 → ") == 2
    assert list(buttons(end))[:3] == ["Rematch", "Replay", "Leaderboard"]

    stranger = night.person("Stranger")
    board = await pressed(stranger, end, "Leaderboard")
    assert is_private(board)
    assert len(table_of(board)) == 3
    assert "Stranger** is not on it yet" in words(board)
    replay = await pressed(stranger, end, "Replay")
    assert is_private(replay)
    assert replay.attachments[0]["filename"] == "ligretto-match-1.jsonl"
    log = (await content(night, replay)).decode()
    referee = Referee(log).check()
    assert tuple(referee.totals) == night.session.totals
    assert referee.start["names"] == ["Anna", "Ben"]
    assert json.loads(log.splitlines()[-1])["seed"] == night.session.seed.hex()

    board = await asked(anna, "leaderboard")
    assert not is_private(board)
    assert "Anna**: place" in words(board)
    stats = await asked(ben, "stats", game="ligretto")
    assert "Matches" in words(stats)
    assert not stats.attachments, "one match makes no line"
    history = await asked(ben, "history")
    assert "**#1**" in words(history)
    assert "3 rounds" in words(history)
    await pressed(ben, history, "#1")
    assert "R3 · " in words(history)
