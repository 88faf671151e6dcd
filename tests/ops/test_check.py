"""`python -m bot check` against a Discord and a machine where all is well, and where it is not."""

import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.art.faces import faces
from bot.clock import SystemClock
from bot.fakediscord import Server
from bot.ops.check import machine
from bot.ops.check.finding import Mark
from bot.ops.daily_backups import DailyBackups
from bot.store.database.backup import back_up
from bot.ui.toolkit.invitation import PERMISSIONS
from tests.loopback.bots import bot_process
from tests.ops.test_backup import spoil
from tests.ops.test_process import Ended, files, stopped, typed
from tests.real import PATIENCE

TODAY = "Fri, 15 Jan 2027 08:00:00 GMT"
EIGHT = 1_800_000_000.0


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with Server() as server:
        yield server


async def checked(server: Server, database: Path, **env: str) -> Ended:
    return await typed(database, "check", **{**server.env, **env})


def marks(ended: Ended) -> dict[str, str]:
    """The mark of each line by its subject."""
    assert not ended.problem
    split = (line.split(maxsplit=1) for line in ended.said.splitlines())
    return {rest.partition(":")[0]: mark for mark, rest in split}


def line(ended: Ended, subject: str) -> str:
    (found,) = (one for one in ended.said.splitlines() if f" {subject}: " in one)
    return found


async def test_before_the_first_start(server: Server, tmp_path: Path) -> None:
    """Nothing is there yet, and nothing is wrong; the check changes nothing."""
    ended = await checked(server, tmp_path / "data" / "night.db")
    assert ended.code == 0, ended
    assert marks(ended) == {
        "settings": "ok",
        "database": "later",
        "disk": "ok",
        "backups": "later",
        "version": "ok",
        "token": "ok",
        "clock": "ok",
        "application": "ok",
        "intents": "ok",
        "commands": "later",
        "emojis": "later",
        "invite": "ok",
    }
    assert files(tmp_path) == []
    assert not server.commands
    assert not server.emojis
    assert not server.gateway.identifies, "a running bot's connection is not disturbed"


async def test_beside_the_running_bot_everything_is_there(server: Server, tmp_path: Path) -> None:
    async with bot_process(server, tmp_path / "night.db", faces=True) as bot:
        await server.wait_for(lambda: len(server.emojis) == len(faces()), PATIENCE)
        ended = await checked(server, bot.database)
    assert ended.code == 0
    assert set(marks(ended).values()) == {"ok"}
    assert "first link" in line(ended, "daily")


async def test_commands_that_somebody_else_has_told_are_put_right(
    server: Server, tmp_path: Path
) -> None:
    async with bot_process(server, tmp_path / "night.db") as bot:
        await stopped(bot)
        names = {command["name"] for command in server.commands.values()}
        _ = server.commands.popitem()
        first = next(iter(server.commands.values()))
        first["description"] = "something else"
        ended = await checked(server, bot.database)
        assert marks(ended)["commands"] == "later"
        assert line(ended, "commands").count(f"/{first['name']}") == 1
        await bot.start()
        known = server.commands
        await server.wait_for(lambda: {one["name"] for one in known.values()} == names, PATIENCE)
        assert "something else" not in str(server.commands)


async def test_a_token_that_discord_does_not_take(server: Server, played: Path) -> None:
    server.settings.token = "the.right.one"  # noqa: S105 nobody's
    ended = await checked(server, played, DISCORD_TOKEN="the.wrong.one")
    assert ended.code == 2
    assert line(ended, "token").startswith("FIX")
    assert "Reset Token" in line(ended, "token")
    assert marks(ended)["database"] == "ok", "what can be looked at is"
    assert "wrong.one" not in ended.said


async def test_a_token_of_another_shape(server: Server, tmp_path: Path) -> None:
    ended = await checked(server, tmp_path / "x.db", DISCORD_TOKEN="sesame")
    assert ended.code == 2
    assert "three parts" in ended.problem


async def test_settings_of_the_portal_that_break_a_bot(server: Server, tmp_path: Path) -> None:
    server.settings.code_grant, server.settings.endpoint = True, "https://example.org/interactions"
    ended = await checked(server, tmp_path / "x.db")
    assert ended.code == 2
    assert "FIX   application: Discord sends presses to a web address" in ended.said
    assert "FIX   application: nobody can invite the bot" in ended.said


async def test_a_clock_that_is_not_discords(server: Server, tmp_path: Path) -> None:
    server.settings.clock_skew = -90.0
    ended = await checked(server, tmp_path / "x.db")
    assert ended.code == 2
    assert "s ahead of" in line(ended, "clock")


async def test_discord_out_of_reach(server: Server, tmp_path: Path) -> None:
    await server.stop()
    ended = await checked(server, tmp_path / "x.db")
    assert ended.code == 2
    assert line(ended, "Discord").startswith("FIX")
    await server.start()


async def test_a_damaged_database_and_one_of_a_newer_version(server: Server, played: Path) -> None:
    spoil(played)
    ended = await checked(server, played)
    assert ended.code == 2
    assert line(ended, "database").startswith("FIX")
    assert f"`{sys.executable} -m bot restore FILE`" in line(ended, "database")


async def test_the_invitation_asks_for_what_the_bot_needs(server: Server, tmp_path: Path) -> None:
    said = line(await checked(server, tmp_path / "x.db"), "invite")
    assert f"client_id={server.app_id}&" in said
    assert f"permissions={PERMISSIONS.value}" in said


@pytest.mark.parametrize(
    ("now", "mark", "said"),
    [
        (EIGHT + 1.4, Mark.OK, "agrees with Discord's"),
        (EIGHT - 4.0, Mark.OK, "agrees with Discord's"),
        (EIGHT + 59, Mark.OK, "agrees with Discord's"),
        (EIGHT + 61, Mark.FIX, "61 s ahead of"),
        (EIGHT - 61, Mark.FIX, "61 s behind"),
    ],
)
def test_how_far_the_clock_may_be_off(now: float, mark: Mark, said: str) -> None:
    found = machine.clock(TODAY, now)
    assert found.mark is mark
    assert found.said.startswith(said)


def test_a_full_disk(played: Path) -> None:
    assert machine.disk(played).mark is Mark.OK
    found = machine.disk(played, room=2**60)
    assert found.mark is Mark.FIX
    assert "free up space" in found.said


def test_a_folder_that_takes_no_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refuses: Any = lambda *_, **_options: False  # noqa: E731 root may write anywhere
    monkeypatch.setattr(os, "access", refuses)
    assert machine.database(tmp_path / "x" / "night.db").mark is Mark.FIX


def test_backups_that_have_stopped(played: Path) -> None:
    daily = DailyBackups(played, played.parent, 7, SystemClock())
    backup = played.with_name("ligretto-2027-01-10.sqlite3")
    assert machine.backups(daily, kept=7, now=0).mark is Mark.LATER
    assert machine.backups(daily, kept=0, now=0).mark is Mark.OK
    _ = back_up(played, backup)
    made = backup.stat().st_mtime
    assert machine.backups(daily, kept=7, now=made + 86_400).mark is Mark.OK
    assert machine.backups(daily, kept=7, now=made + 3 * 86_400).mark is Mark.FIX
