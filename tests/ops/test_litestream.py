"""Litestream copies the database while people play, and `restore` takes what it gives back."""

import asyncio
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import yaml

from bot.fakediscord import Server
from tests.forks import ROOT, ran
from tests.loopback.bots import bot_process
from tests.loopback.players import all_ready, seated
from tests.real import PATIENCE

LITESTREAM = str(Path(sys.executable).with_name("litestream"))


@asynccontextmanager
async def copied(database: Path, copies: Path) -> AsyncIterator[None]:
    """Litestream copies the database within this block."""
    process = await asyncio.create_subprocess_exec(
        LITESTREAM, "replicate", str(database), f"file://{copies}"
    )
    try:
        yield
    finally:
        process.terminate()
        async with asyncio.timeout(PATIENCE):
            await process.wait()


def tables(database: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table of ours."""
    with closing(sqlite3.connect(database)) as db:
        names = [
            str(name)
            for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if not str(name).startswith(("_litestream", "sqlite_"))
        ]
        return {name: sorted(db.execute(f"SELECT * FROM {name}"), key=repr) for name in names}  # noqa: S608 its own names


async def restored(copies: Path, found: Path) -> bool:
    """Whether Litestream has a database there, which it puts in this place."""
    await asyncio.to_thread(found.unlink, missing_ok=True)
    process = await asyncio.create_subprocess_exec(
        LITESTREAM, "restore", "-o", str(found), f"file://{copies}"
    )
    return await process.wait() == 0


async def test_a_night_comes_back_from_its_copies(tmp_path: Path) -> None:
    database, copies = tmp_path / "night.db", tmp_path / "copies"
    found = tmp_path / "found.db"
    async with Server() as server, bot_process(server, database) as bot, copied(database, copies):
        players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready(players)
        for number in range(12):
            await players[number % 2].act()
        assert await bot.stop() == 0
        there = tables(database)
        assert there["journal"]
        async with asyncio.timeout(PATIENCE):
            while not await restored(copies, found) or tables(found) != there:  # noqa: ASYNC110 it tells nobody
                await asyncio.sleep(0.2)  # it copies once a second
    database.unlink()
    env = {"DATABASE_PATH": str(database), "PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    ended = await asyncio.to_thread(
        lambda: ran("-m", "bot", "restore", str(found), cwd=tmp_path, env=env)
    )
    assert ended.returncode == 0, ended.stderr
    assert tables(database) == there


def test_its_unit_copies_the_units_database() -> None:
    config = yaml.safe_load((ROOT / "deploy" / "litestream.yml").read_text())
    unit = (ROOT / "deploy" / "ligretto.service").read_text()
    (one,) = config["dbs"]
    assert f"DATABASE_PATH={one['path']}\n" in unit
    service = (ROOT / "deploy" / "ligretto-litestream.service").read_text()
    assert "litestream replicate -config /etc/ligretto-litestream.yml" in service


def test_the_compose_file_gives_what_the_image_needs() -> None:
    """The token from .env, a volume at the data, and no more rights than the guide's command."""
    (service,) = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"].values()
    assert [*service["environment"]] == ["DISCORD_TOKEN"]
    assert service["volumes"] == ["ligretto:/data"]
    assert "VOLUME /data" in (ROOT / "Dockerfile").read_text()
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
