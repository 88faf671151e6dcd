"""Backups: taken while the bot writes, refused when they are bad, put back in their place."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.ops.restore import restore
from bot.store.database.backup import back_up, inspected
from bot.store.database.errors import DatabaseError
from bot.store.database.lock import only_process
from bot.store.database.schema import newest_schema
from tests.store.conftest import Store, opened
from tests.store.matches import ANNA, BEN, match, play


def matches(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        ((count,),) = db.execute("SELECT count(*) FROM matches").fetchall()
        return int(count)


def spoil(path: Path) -> None:
    """Overwrite the middle of a file, as a dying disk does."""
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 8192] = b"\xaa" * 8192
    path.write_bytes(data)


def found(path: Path) -> bytes:
    return path.read_bytes()


def leave(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def test_a_backup_is_one_file_and_holds_everything(played: Path, tmp_path: Path) -> None:
    copy = tmp_path / "far" / "copy.sqlite3"
    assert back_up(played, copy) == copy.stat().st_size
    assert inspected(copy) == newest_schema()
    assert matches(copy) == 2
    assert [file.name for file in copy.parent.iterdir()] == ["copy.sqlite3"]


async def test_it_is_taken_while_the_bot_writes(store: Store, tmp_path: Path) -> None:
    """The writer is never held up, and what is copied is one instant."""
    done = False

    async def writing() -> int:
        count = 0
        while not done or count < 50:
            _ = await play(store, match({ANNA: 1, BEN: 2}))
            count += 1
        return count

    writer = asyncio.ensure_future(writing())
    copies = [tmp_path / f"copy-{number}" for number in range(5)]
    for copy in copies:
        await asyncio.to_thread(back_up, store.path, copy)
    done = True
    written = await writer
    counts = [matches(copy) for copy in copies]
    assert counts == sorted(counts)
    assert counts[-1] <= written
    for copy in copies:
        with closing(sqlite3.connect(copy)) as db:
            halves = "SELECT count(*) FROM seats GROUP BY match_id HAVING count(*) != 2"
            assert db.execute(halves).fetchall() == []


def test_a_backup_never_replaces_a_file(played: Path, tmp_path: Path) -> None:
    letter = tmp_path / "letter"
    letter.write_text("Dear Anna")
    for there in (letter, played):
        with pytest.raises(DatabaseError, match="already exists"):
            _ = back_up(played, there)
    assert letter.read_text() == "Dear Anna"
    assert matches(played) == 2


def test_without_a_database_there_is_no_backup(path: Path, tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="does not exist"):
        _ = back_up(path, tmp_path / "copy")
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_database_gives_no_backup(played: Path, tmp_path: Path) -> None:
    spoil(played)
    with pytest.raises(DatabaseError, match=r"damaged|cannot be read"):
        _ = back_up(played, tmp_path / "copy")
    assert not list(tmp_path.glob("copy*"))


async def test_a_restored_backup_takes_the_place_of_what_is_kept_aside(
    played: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    _ = back_up(played, copy)
    async with opened(played) as store:
        _ = await play(store, match({ANNA: 1, BEN: 2}))
    aside = restore(copy, played)
    assert aside is not None
    assert matches(played) == 2
    assert matches(aside) == 3
    assert matches(copy) == 2
    async with opened(played) as store:
        _ = await play(store, match({ANNA: 1, BEN: 2}))
    assert matches(played) == 3


def test_a_backup_is_restored_where_nothing_was(played: Path, tmp_path: Path) -> None:
    place = tmp_path / "new machine" / "ligretto.sqlite3"
    assert restore(played, place) is None
    assert matches(place) == 2


def test_the_log_of_a_file_that_is_gone_is_not_played_into_the_backup(
    played: Path, tmp_path: Path
) -> None:
    place = tmp_path / "night.db"
    Path(f"{place}-wal").write_bytes(b"its log")
    aside = restore(played, place)
    assert aside is not None
    assert Path(f"{aside}-wal").read_bytes() == b"its log"
    assert not Path(f"{place}-wal").exists()


async def test_what_the_killed_bot_had_not_written_through_is_kept_too(
    played: Path, tmp_path: Path
) -> None:
    """A log that was left beside the file belongs to what is set aside, never to the backup."""
    copy, wal = tmp_path / "copy", Path(f"{played}-wal")
    _ = back_up(played, copy)
    async with opened(played) as store:
        _ = await play(store, match({ANNA: 1, BEN: 2}))
        left = {file: found(file) for file in (played, wal)}
    for file, content in left.items():
        leave(file, content)
    aside = restore(copy, played)
    assert aside is not None
    assert (matches(aside), matches(played)) == (3, 2)


def test_the_backup_takes_the_place_of_a_damaged_file(played: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    _ = back_up(played, copy)
    played.write_bytes(b"nothing of use")
    Path(f"{played}-wal").write_bytes(b"its log")
    aside = restore(copy, played)
    assert aside is not None
    assert aside.read_bytes() == b"nothing of use"
    assert Path(f"{aside}-wal").read_bytes() == b"its log"
    assert matches(played) == 2


def test_nothing_is_restored_while_the_bot_runs(played: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    _ = back_up(played, copy)
    with only_process(played), pytest.raises(DatabaseError, match="another process"):
        _ = restore(copy, played)
    assert not list(tmp_path.glob("*.replaced*"))


def test_backup_of_another_group_is_refused(played: Path, tmp_path: Path) -> None:
    """Backups of all groups have the same names. The servers of both would be lost to people."""
    theirs = tmp_path / "theirs"
    _ = back_up(played, theirs)
    for path, number in ((played, 1), (theirs, 2)):
        with closing(sqlite3.connect(path)) as db, db:
            db.execute("INSERT INTO own_group VALUES (?, 1, 'somebody', 1)", (number,))
    with pytest.raises(DatabaseError) as refused:
        _ = restore(theirs, played)
    assert str(refused.value) == (
        f"{theirs} is of group 2, and {played} of group 1: restore a backup of the same group, or "
        f"move {played} away first"
    )
    played.rename(tmp_path / "away")
    _ = restore(theirs, played)
    assert matches(played) == 2


@pytest.mark.parametrize(
    ("bad", "said"),
    [("letter", "cannot be read"), ("stranger", "not a database of this bot"), ("newer", "newer")],
)
def test_a_backup_that_will_not_do_changes_nothing(
    bad: str, said: str, played: Path, tmp_path: Path
) -> None:
    backup = tmp_path / bad
    match bad:
        case "letter":
            backup.write_text("Dear Anna, " * 500)
        case "stranger":
            with closing(sqlite3.connect(backup)) as db:
                db.executescript("CREATE TABLE songs (x); PRAGMA user_version = 1;")
        case _:
            _ = back_up(played, backup)
            with closing(sqlite3.connect(backup)) as db:
                db.execute("PRAGMA user_version = 99")
    with pytest.raises(DatabaseError, match=said):
        _ = restore(backup, played)
    assert matches(played) == 2
    assert not list(tmp_path.glob("*.replaced*"))
    assert not list(tmp_path.glob("*.part"))
