"""`python -m bot` as an operator meets it: a bad start ends with code 2 and a clear line."""

import asyncio
import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bot.fakediscord import Server
from bot.store.database.file import connect
from bot.store.database.lock import only_process
from tests.children import PIPE
from tests.forks import ROOT, python
from tests.loopback.processes import BotProcess
from tests.real import PATIENCE

TOKEN = "MTIz.fake.token"  # noqa: S105 nobody's


class Ended(NamedTuple):
    code: int | None
    stderr: str

    @property
    def lines(self) -> list[str]:
        return self.stderr.splitlines()


async def bot(folder: Path, env: Mapping[str, str], *, fresh: bool = False) -> Ended:
    """Run the bot in this folder with nothing in its environment but what is given."""
    path = os.pathsep.join(filter(None, (env.get("PYTHONPATH", ""), str(ROOT))))
    process = await python(
        *("-m", "bot"),
        cwd=folder,
        env={"PATH": os.environ["PATH"], **env, "PYTHONPATH": path},
        stderr=PIPE,
        fresh=fresh,
    )
    try:
        async with asyncio.timeout(PATIENCE):
            _, stderr = await process.communicate()
    except TimeoutError:
        process.kill()
        await process.communicate()
        raise
    return Ended(process.returncode, stderr.decode())


async def test_without_any_setting(tmp_path: Path) -> None:
    ended = await bot(tmp_path, {}, fresh=True)
    assert ended.code == 2
    (line,) = ended.lines
    assert line.startswith("DISCORD_TOKEN: ")
    assert not (tmp_path / "data").exists()


async def test_with_settings_that_will_not_do(tmp_path: Path) -> None:
    ended = await bot(tmp_path, {"DISCORD_TOKEN": "sesame", "LOG_LEVEL": "loud"})
    assert ended.code == 2
    assert [line.partition(":")[0] for line in ended.lines] == ["DISCORD_TOKEN", "LOG_LEVEL"]
    assert "sesame" not in ended.stderr


async def test_a_bad_token_in_the_env_file(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("DISCORD_TOKEN=open.sesame\n")
    ended = await bot(tmp_path, {})
    assert ended.code == 2
    assert "three parts" in ended.stderr
    assert "sesame" not in ended.stderr


async def test_with_a_database_that_another_process_uses(tmp_path: Path) -> None:
    database = tmp_path / "ligretto.sqlite3"
    with only_process(database):
        ended = await bot(tmp_path, {"DISCORD_TOKEN": TOKEN, "DATABASE_PATH": str(database)})
    assert ended.code == 2
    (line,) = ended.lines
    assert "another process" in line
    assert str(database) in line
    assert TOKEN not in line


async def test_with_a_database_of_a_newer_version(tmp_path: Path) -> None:
    database = tmp_path / "ligretto.sqlite3"
    db = await connect(database)
    await db.close()
    with closing(sqlite3.connect(database)) as other:
        other.execute("PRAGMA user_version = 99")
    ended = await bot(tmp_path, {"DISCORD_TOKEN": TOKEN, "DATABASE_PATH": str(database)})
    assert ended.code == 2
    (line,) = ended.lines
    assert "newer version" in line


async def test_with_a_token_that_discord_does_not_take(tmp_path: Path) -> None:
    async with Server() as server:
        server.settings.token = "MTIz.the.right-one"  # noqa: S105 nobody's
        ended = await bot(tmp_path, {**server.env, "DISCORD_TOKEN": "MTIz.the.wrong-one"})
    assert ended.code == 2
    assert ended.lines[-1].startswith("DISCORD_TOKEN: ")
    assert "wrong-one" not in ended.stderr


@pytest.mark.parametrize(
    ("refusal", "code", "said"),
    [
        ({"status": 401, "body": "<html>"}, 2, "DISCORD_TOKEN: "),
        (
            {"status": 403, "body": "<html>"},
            75,
            "Discord refuses the bot for now: HTTP 403",
        ),
        (
            {"status": 429, "body": "<html>"},
            75,
            "Discord refuses the bot for now: HTTP 429",
        ),
        ({"status": 503}, 75, "Discord is down (HTTP 503)"),
        ({"drop": True}, 75, "Discord cannot be reached: "),
    ],
)
async def test_with_a_login_that_discord_refuses(
    tmp_path: Path, refusal: dict[str, Any], code: int, said: str
) -> None:
    async with Server() as server:
        _ = server.fault("GET .*/users/@me$", **refusal)
        ended = await bot(tmp_path, server.env)
    assert ended.code == code
    assert ended.lines[-1].startswith(said)
    assert "Traceback" not in ended.stderr


async def test_a_start_after_a_refusal_waits_and_can_be_stopped(tmp_path: Path) -> None:
    """SIGTERM ends the wait with code 0."""
    async with Server() as server:
        ban = server.fault("GET .*/users/@me$", status=403, body="<html>")
        env: dict[str, Any] = dict(server.env)
        process = BotProcess(server, tmp_path / "ban.db", **env)
        await process.begin()
        assert await process.ended() == 75
        await process.begin()
        await process.says("Discord has refused 1 starts: waiting")
        assert await process.stop() == 0
    assert ban.hits == 1
