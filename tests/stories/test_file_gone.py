"""A database whose file is deleted or replaced while the bot plays on it."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from bot.ops.health.file_watch import AGAIN, LOOK
from bot.store.database.backup import inspected
from bot.store.database.errors import DatabaseError
from bot.store.database.known_backups import copies_of
from tests.stories.world import World, given

MODE = 0o777


def deleted(world: World) -> None:
    for end in ("", "-wal", "-shm"):
        world.bot.database.with_name(world.bot.database.name + end).unlink()


def rescued(folder: Path) -> Path:
    (copy,) = folder.glob("*.rescued-*")
    return copy


def moves(copy: Path) -> int:
    with closing(sqlite3.connect(copy)) as db:
        ((count,),) = db.execute("SELECT count(*) FROM journal").fetchall()
    return int(count)


async def test_a_database_deleted_in_play_is_rescued(world: World) -> None:
    """The log says so once, and the next start offers the copy, which has the last move."""
    anna, _ = await world.live("anna", "ben")
    deleted(world)
    await asyncio.sleep(2 * LOOK)
    copy = rescued(world.bot.folder)
    gone, made = world.said()
    assert "deleted or replaced" in gone
    assert str(copy) in made
    assert inspected(copy)
    assert copy.stat().st_mode & MODE == 0o600
    before = moves(copy)
    await asyncio.sleep(AGAIN / 2)
    assert len(world.said()) == 2
    given((await anna.press("Flip")).ok, "play goes on")
    assert await world.bot.stop() is None
    assert rescued(world.bot.folder) == copy
    assert moves(copy) > before
    world.bot.start()
    told = await world.bot.ended()
    assert isinstance(told, DatabaseError)
    assert f"The newest copy is {copy}:" in str(told)


async def test_the_copy_of_a_deleted_database_is_made_again(world: World) -> None:
    """A kill loses minutes at most, and the log is not filled."""
    anna, _ = await world.live("anna", "ben")
    deleted(world)
    await asyncio.sleep(2 * LOOK)
    copy = rescued(world.bot.folder)
    before = moves(copy)
    given((await anna.press("Flip")).ok, "play goes on")
    await asyncio.sleep(AGAIN + LOOK)
    assert moves(copy) > before
    assert len([line for line in world.said() if "rescued" in line]) == 1


async def test_a_database_replaced_in_play_is_rescued(world: World) -> None:
    """Another file is at its path. That is left as it is."""
    await world.lobby("anna")
    deleted(world)
    world.bot.database.write_bytes(b"another")
    await asyncio.sleep(2 * LOOK)
    assert moves(rescued(world.bot.folder))
    assert world.bot.database.read_bytes() == b"another"


async def test_a_copy_is_made_elsewhere_if_the_folder_is_gone(world: World) -> None:
    """The folder comes back later, and so does the database."""
    elsewhere = world.bot.folder.with_name("another disk")
    elsewhere.mkdir()
    _ = await world.bot.stop()
    world.bot.settings["backup_path"] = elsewhere
    await world.start()
    away = world.bot.folder.with_name("away")
    world.bot.folder.rename(away)
    await asyncio.sleep(2 * LOOK)
    away.rename(world.bot.folder)
    copy = rescued(elsewhere)
    assert inspected(copy)
    assert copy in copies_of(world.bot.database, elsewhere)
    await asyncio.sleep(2 * LOOK)
    assert world.said()[-1] == f"{world.bot.database} is back"
