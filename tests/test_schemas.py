"""A start that takes the schema of one before it has exactly what the migrations make."""

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.store.database.file import connect
from bot.store.database.schema import newest_schema, scripts
from tests import schemas


async def test_a_new_database_is_the_same_as_one_that_the_migrations_made(tmp_path: Path) -> None:
    for name in ("first", "second"):
        db = await connect(tmp_path / name)
        await db.close()
    assert schemas.KEPT

    with closing(sqlite3.connect(tmp_path / "migrated")) as made:
        for number, script in scripts().items():
            made.executescript(f"{script}; PRAGMA user_version = {number};")

    assert contents(tmp_path / "second") == contents(tmp_path / "migrated")
    assert contents(tmp_path / "second")[0] == newest_schema()


def contents(path: Path) -> tuple[int, list[str]]:
    """The schema's number, and everything else as statements."""
    with closing(sqlite3.connect(path)) as db:
        ((version,),) = db.execute("PRAGMA user_version").fetchall()
        return version, [*db.iterdump()]
