"""Backup, restore and upgrade where files behave as on Windows."""

import errno
import fcntl
import os
import shutil
from pathlib import Path

import pytest

from bot.ops.restore import restore
from bot.store.database.backup import back_up, schema_of
from bot.store.database.errors import DatabaseError
from bot.store.database.file import connect
from bot.store.database.schema import MIGRATIONS, newest_schema
from tests.ops.test_backup import matches
from tests.store.conftest import opened
from tests.store.matches import ANNA, BEN, match, play


@pytest.fixture(autouse=True)
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a file that is open for writing can be flushed, and a rename replaces nothing."""
    flush, rename = os.fsync, os.rename

    def fsync(file: int) -> None:
        if fcntl.fcntl(file, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        flush(file)

    def renamed(old: Path, new: Path) -> None:
        if os.path.lexists(new):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(new))
        rename(old, new)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "rename", renamed)


def names(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


def test_backup_is_made_and_restored(played: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    assert back_up(played, copy) == copy.stat().st_size
    aside = restore(copy, played)
    assert aside is not None
    assert (matches(aside), matches(played)) == (2, 2)


async def test_start_upgrades_an_older_database(path: Path) -> None:
    oldest = path.with_name("migrations")
    oldest.mkdir()
    shutil.copy(MIGRATIONS / "0001_tables.sql", oldest)
    for migrations in (oldest, MIGRATIONS):
        db = await connect(path, migrations)
        await db.close()
    assert schema_of(path) == newest_schema()
    assert schema_of(path.with_name(f"{path.name}.v1")) == 1


async def test_restore_that_fails_leaves_everything_in_its_place(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program may hold the file: Windows then refuses to replace it."""
    copy, wal = tmp_path / "copy", Path(f"{played}-wal")
    _ = back_up(played, copy)
    async with opened(played) as store:
        _ = await play(store, match({ANNA: 1, BEN: 2}))
        left = {file: file.read_bytes() for file in (played, wal)}
    for file, content in left.items():
        file.write_bytes(content)
    before = names(tmp_path)

    def held(old: Path, new: Path) -> None:
        if new != played:
            Path(old).rename(new)
            return
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(new))

    monkeypatch.setattr(os, "replace", held)
    with pytest.raises(DatabaseError, match="was not replaced"):
        _ = restore(copy, played)
    assert names(tmp_path) - {f"{played.name}.lock"} == before - {f"{played.name}.lock"}
    assert matches(played) == 3
