"""Opening the file: a new one, an older one, a newer one, and one that is in use."""

import asyncio
import logging
import os
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.database.errors import DatabaseError, passes
from bot.store.database.file import connect
from bot.store.database.lock import only_process
from bot.store.database.schema import MIGRATIONS

ROOT = Path(__file__).parents[2]
SECOND = "0002_second.sql"
HOLD = """
import sys
from pathlib import Path
from bot.store.database.lock import only_process
with only_process(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def first_only(tmp_path: Path) -> Path:
    """A folder with nothing but the first migration."""
    folder = tmp_path / "migrations"
    folder.mkdir()
    shutil.copy(MIGRATIONS / "0001_tables.sql", folder)
    return folder


async def opened_and_closed(path: Path, migrations: Path = MIGRATIONS) -> None:
    db = await connect(path, migrations)
    await db.close()


def look(path: Path) -> tuple[int, list[str]]:
    """The version of a file and the statements of its schema."""
    with closing(sqlite3.connect(path)) as db:
        ((version,),) = db.execute("PRAGMA user_version").fetchall()
        schema = db.execute(
            "SELECT sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name"
        )
        return version, [sql for (sql,) in schema]


def run(path: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as db, db:
        return db.execute(sql).fetchall()


async def test_upgrade_is_one_line_with_its_copy(
    path: Path, first_only: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "bot.store.database"):
        await opened_and_closed(path, first_only)
        assert not caplog.messages, "a new database is no upgrade"
        await opened_and_closed(path)
    newest, _ = look(path)
    copy = path.with_name(f"{path.name}.v1")
    said = f"database upgraded from schema 1 to {newest}; a copy of it from before is {copy}"
    assert caplog.messages == [said]


async def test_a_new_file_gets_the_schema(path: Path) -> None:
    await opened_and_closed(path)
    version, schema = look(path)
    assert version == max(int(file.name[:4]) for file in MIGRATIONS.glob("*.sql"))
    assert {sql.split()[2] for sql in schema if sql.startswith("CREATE TABLE")} >= {
        "tables",
        "journal",
        "panels",
        "direct_panels",
        "notes",
        "players",
        "matches",
        "rounds",
        "seats",
        "ratings",
        "logs",
        "settings",
        "guilds",
        "moderation",
        "pictures",
        "mentions",
        "learned",
    }
    assert all("STRICT" in sql for sql in schema if sql.startswith("CREATE TABLE"))


async def test_opening_it_again_changes_nothing_and_copies_nothing(path: Path) -> None:
    await opened_and_closed(path)
    run(path, "INSERT INTO notes VALUES ('commands', 'abc')")
    before = look(path)
    await opened_and_closed(path)
    assert look(path) == before
    assert run(path, "SELECT value FROM notes") == [("abc",)]
    assert [file.name for file in path.parent.glob("*.v*")] == []


async def test_readers_never_wait_for_the_writer_and_rows_belong_to_tables(path: Path) -> None:
    db = await connect(path)
    try:
        answers = []
        for pragma in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout"):
            async with db.execute(f"PRAGMA {pragma}") as cursor:
                answers += [next(iter(row)) for row in await cursor.fetchall()]
    finally:
        await db.close()
    assert answers == ["wal", 1, 1, 10_000]


async def test_an_upgrade_that_fails_half_way_leaves_everything_as_it_was(
    path: Path, first_only: Path
) -> None:
    await opened_and_closed(path, first_only)
    before = look(path)
    bad = "ALTER TABLE notes ADD COLUMN extra TEXT;\nINSERT INTO nowhere VALUES (1);\n"
    (first_only / SECOND).write_text(bad)
    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        await opened_and_closed(path, first_only)
    assert look(path) == before

    (first_only / SECOND).write_text(bad.partition("\n")[0])
    await opened_and_closed(path, first_only)
    assert look(path)[0] == 2
    assert run(path, "SELECT extra FROM notes") == []


async def test_a_new_file_keeps_the_migrations_before_the_one_that_fails(
    path: Path, first_only: Path
) -> None:
    (first_only / SECOND).write_text("CREATE TABLE more (x);\nnonsense;\n")
    with pytest.raises(sqlite3.OperationalError):
        await opened_and_closed(path, first_only)
    version, schema = look(path)
    assert version == 1
    assert not any("more" in sql for sql in schema)


async def test_before_an_upgrade_the_file_is_copied(path: Path, first_only: Path) -> None:
    await opened_and_closed(path, first_only)
    run(path, "INSERT INTO notes VALUES ('commands', 'abc')")
    before = look(path)
    (first_only / SECOND).write_text("ALTER TABLE notes ADD COLUMN extra TEXT;")
    await opened_and_closed(path, first_only)

    copy = path.with_name(f"{path.name}.v1")
    assert look(copy) == before
    assert run(copy, "SELECT * FROM notes") == [("commands", "abc")]
    assert run(path, "SELECT * FROM notes") == [("commands", "abc", None)]


async def test_migrations_run_in_the_order_of_their_numbers(path: Path, first_only: Path) -> None:
    (first_only / "0010_last.sql").write_text("ALTER TABLE more ADD COLUMN late TEXT;")
    (first_only / SECOND).write_text("CREATE TABLE more (early TEXT);")
    await opened_and_closed(path, first_only)
    assert look(path)[0] == 10


async def test_a_newer_database_is_refused_and_left_alone(path: Path) -> None:
    await opened_and_closed(path)
    run(path, "PRAGMA user_version = 99")
    with pytest.raises(DatabaseError) as refused:
        await opened_and_closed(path)
    assert "newer version" in str(refused.value)
    assert "99" in str(refused.value)
    assert look(path)[0] == 99


@pytest.mark.real("a process that holds the lock")
async def test_a_second_process_is_refused_until_the_first_has_ended(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "ligretto.sqlite3"
    first = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", HOLD, str(path)),
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert first.stdout is not None
    assert await first.stdout.readline() == b"held\n"
    with pytest.raises(DatabaseError, match="another process"), only_process(path):
        pass
    await first.communicate(b"")
    with only_process(path):
        pass


async def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Anna, " * 500)
    with pytest.raises(DatabaseError, match="is not a database"):
        _ = await connect(path)
    assert path.read_text().startswith("Dear Anna")


def put(path: Path, held: bytes | None) -> None:
    if held is not None:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(held)


def content(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


def damage(path: Path) -> bytes:
    """Something has written over the middle of the file. What it holds now."""
    page = 4096
    held = bytearray(path.read_bytes())
    held[page : 3 * page] = b"\xa5" * (2 * page)
    path.write_bytes(held)
    return bytes(held)


async def test_a_damaged_file_is_left_as_it_is_and_a_copy_is_offered(path: Path) -> None:
    await opened_and_closed(path)
    held = damage(path)
    with pytest.raises(DatabaseError, match="damaged") as told:
        await opened_and_closed(path)
    assert "no copy" in str(told.value)
    for number in (1, 2):
        await opened_and_closed(path.with_name(f"{path.name}.v{number}"))
    with pytest.raises(DatabaseError, match=r"The newest copy is .*\.v2"):
        await opened_and_closed(path)
    assert content(path) == held


async def copied(place: Path) -> None:
    """A database of this bot in another place, in one file."""
    place.parent.mkdir(exist_ok=True)
    await opened_and_closed(place)


@pytest.mark.parametrize("left", [None, b""], ids=["gone", "empty"])
async def test_the_newest_backup_of_a_day_is_offered_too(path: Path, left: bytes | None) -> None:
    for day in ("2026-11-26", "2026-11-27"):
        await copied(path.parent / "backups" / f"{path.stem}-{day}{path.suffix}")
    put(path, left)
    with pytest.raises(DatabaseError, match=r"missing or empty.*-2026-11-27.*bot restore"):
        await opened_and_closed(path)
    assert content(path) == left


@pytest.mark.parametrize("left", [None, b""], ids=["gone", "empty"])
@pytest.mark.parametrize("beside", [".v1", "-wal", ".replaced-20261129-120000"])
async def test_where_there_was_a_database_the_bot_never_starts_with_an_empty_one(
    path: Path, left: bytes | None, beside: str
) -> None:
    put(path, left)
    put(path.with_name(path.name + beside), b"something")
    with pytest.raises(DatabaseError, match="missing or empty"):
        await opened_and_closed(path)
    assert content(path) == left


async def test_a_place_where_no_file_can_be_is_told_in_words(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="cannot be used"):
        await opened_and_closed(tmp_path)
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(DatabaseError, match="cannot be used"), only_process(tmp_path / "file/db"):
        pass


@pytest.mark.parametrize(
    ("obstacle", "told"),
    [("PRAGMA max_page_count = 1", "full"), ("PRAGMA query_only = ON", "readonly")],
)
async def test_a_disk_that_takes_nothing_now_may_take_it_later(
    path: Path, obstacle: str, told: str
) -> None:
    db = await connect(path)
    try:
        await db.execute(obstacle)
        with pytest.raises(sqlite3.OperationalError, match=told) as refused:
            await db.execute("INSERT INTO notes VALUES ('big', hex(zeroblob(1000000)))")
        assert passes(refused.value)
        with pytest.raises(sqlite3.OperationalError) as ours:
            await db.execute("SELECT nonsense")
        assert not passes(ours.value)
    finally:
        await db.close()
