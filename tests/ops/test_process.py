"""The commands as an operator types them, also while the bot runs."""

import asyncio
import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.fakediscord import Server
from bot.store.database.backup import inspected
from bot.store.database.schema import newest_schema
from tests.children import PIPE
from tests.forks import python
from tests.loopback.bots import BotProcess, bot_process
from tests.loopback.players import all_ready, seated
from tests.real import PATIENCE


class Ended(NamedTuple):
    code: int | None
    said: str
    problem: str


async def typed(database: Path, *words: str, **env: str) -> Ended:
    """`python -m bot <words>` with this database, to its end."""
    process = await python(
        *("-m", "bot", *words),
        env={**os.environ, "DISCORD_TOKEN": "a.b.c", "DATABASE_PATH": str(database), **env},
        stdout=PIPE,
        stderr=PIPE,
    )
    out, problem = await asyncio.wait_for(process.communicate(), PATIENCE)
    return Ended(process.returncode, out.decode(), problem.decode())


def journal(database: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(database)) as db:
        return db.execute("SELECT * FROM journal ORDER BY table_id, seq").fetchall()


def files(folder: Path) -> list[Path]:
    return list(folder.iterdir())


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with Server() as server:
        yield server


async def stopped(bot: BotProcess) -> None:
    assert await bot.stop() == 0
    await bot.server.wait_for(lambda: not bot.server.gateway.ready, PATIENCE)


async def test_a_backup_of_a_round_in_play_brings_the_table_back(
    server: Server, tmp_path: Path
) -> None:
    """Taken in the middle of a round; restored, the table stands as it stood then."""
    database, backup = tmp_path / "night.db", tmp_path / "night.backup"
    async with bot_process(server, database) as bot:
        players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready(players)
        for player in (*players, *players):
            assert await player.act() is not None
        made = await typed(database, "backup", str(backup))
        assert made.code == 0, made.problem
        assert "verified" in made.said
        for player in players:
            assert await player.act() is not None
        await stopped(bot)

        then, later = journal(backup), journal(database)
        assert len(later) > len(then)
        restored = await typed(database, "restore", str(backup))
        assert restored.code == 0, restored.problem
        assert journal(database) == then
        assert journal(Path(restored.said.strip().rpartition(" ")[2])) == later

        await bot.start()
        await all_ready(players)
        assert await players[0].act() is not None


async def test_nothing_is_restored_while_the_bot_runs(
    server: Server, played: Path, tmp_path: Path
) -> None:
    async with bot_process(server, tmp_path / "night.db") as bot:
        refused = await typed(bot.database, "restore", str(played))
    assert refused.code == 2
    assert "another process is already using" in refused.problem


async def test_the_running_bot_makes_todays_backup(server: Server, tmp_path: Path) -> None:
    async with bot_process(server, tmp_path / "night.db") as bot, asyncio.timeout(PATIENCE):
        while "backup" not in bot.output:  # noqa: ASYNC110 a file tells nobody
            await asyncio.sleep(0.02)
    (backup,) = files(tmp_path / "backups")
    assert backup.name.startswith("night-20")
    assert inspected(backup) == newest_schema()


async def test_an_export_and_what_is_said_of_it(played: Path, tmp_path: Path) -> None:
    done = await typed(played, "export", str(tmp_path / "out"))
    assert done.code == 0, done.problem
    assert done.said.endswith(
        "2 matches, 6 rounds, 4 seats, 3 feats, 0 badges, 2 players, 2 ratings, 1 champions, "
        "0 dailies, 0 daily_places, 0 arenas\n"
    )
    again = await typed(played, "export", str(tmp_path / "out"))
    assert again.code == 2
    assert "already exists" in again.problem
