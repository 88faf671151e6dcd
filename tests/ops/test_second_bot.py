"""A second bot on a database that one is playing on, past the lock file."""

from pathlib import Path

import pytest

from bot.fakediscord import Server
from bot.store.database.lock import lock_of
from tests.loopback.bots import bot_process
from tests.test_process import bot as started


def test_every_link_to_a_database_has_its_lock_file(tmp_path: Path) -> None:
    """Also before the database is there."""
    (tmp_path / "links").mkdir()
    link = tmp_path / "links" / "other.db"
    link.symlink_to(tmp_path / "night.db")
    assert lock_of(link) == lock_of(tmp_path / "night.db") == tmp_path / "night.db.lock"


@pytest.mark.parametrize("how", ["lock file removed", "symlink", "hard link"])
async def test_no_second_bot_plays_on_the_database(tmp_path: Path, how: str) -> None:
    """The first has made a backup and answered meanwhile."""
    (tmp_path / "links").mkdir()
    other = tmp_path / "links" / "other.db"
    async with Server() as server, bot_process(server, tmp_path / "night.db") as bot:
        await bot.says("backup")
        for _ in range(2):  # the second is one of the bot's second life
            match how:
                case "lock file removed":
                    lock_of(bot.database).unlink()
                    path = bot.database
                case "symlink":
                    other.unlink(missing_ok=True)
                    other.symlink_to(bot.database)
                    path = other
                case _:
                    other.unlink(missing_ok=True)
                    other.hardlink_to(bot.database)
                    path = other
            second = await started(tmp_path, {**server.env, "DATABASE_PATH": str(path)})
            assert second.code == 2
            assert "another process is already using" in second.stderr
            assert await bot.stop() == 0
            await bot.start()
            await bot.says("backup")
