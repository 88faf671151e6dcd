"""The id of a holder: beside its database, for its owner alone, and another one in a copy."""

import shutil
from pathlib import Path

import pytest

from bot.groups.lease import holder
from bot.groups.lease.holder import holder_file, holder_of, known_holder


def test_each_database_has_a_holder_of_its_own(tmp_path: Path) -> None:
    one, other = tmp_path / "one.db", tmp_path / "other.db"
    assert holder_of(one) == holder_of(one)
    assert holder_of(one) != holder_of(other)
    assert holder_file(one) == tmp_path / "one.db.holder"
    assert holder_file(one).stat().st_mode & 0o777 == 0o600
    assert [place.name for place in sorted(tmp_path.iterdir())] == [
        "one.db.holder",
        "other.db.holder",
    ]


def test_every_link_to_a_database_has_the_same_holder(tmp_path: Path) -> None:
    (tmp_path / "real.db").touch()
    (tmp_path / "link.db").symlink_to(tmp_path / "real.db")
    assert holder_of(tmp_path / "link.db") == holder_of(tmp_path / "real.db")


def test_an_id_that_was_cut_short_is_made_again(tmp_path: Path) -> None:
    whole = holder_of(tmp_path / "one.db")
    holder_file(tmp_path / "one.db").write_text(whole[:3])
    made = holder_of(tmp_path / "one.db")
    assert len(made) == len(whole)
    assert made == holder_of(tmp_path / "one.db")


def test_copy_of_the_folder_is_somebody_else(tmp_path: Path) -> None:
    """`cp -a` and `rsync -a` copy this file with the database, with its times."""
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    known = holder_of(here / "one.db")
    shutil.copytree(here, there)
    assert known_holder(there / "one.db") is None
    assert holder_of(there / "one.db") != known
    assert holder_of(here / "one.db") == known


def test_same_file_on_another_machine_is_somebody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The two disks have given the copy and its original the same number."""
    (machine := tmp_path / "machine-id").write_text("one\n")
    monkeypatch.setattr(holder, "MACHINE", machine)
    known = holder_of(tmp_path / "one.db")
    assert known_holder(tmp_path / "one.db") == known
    machine.write_text("other\n")
    assert known_holder(tmp_path / "one.db") is None


def test_folder_that_was_moved_has_the_same_holder(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    known = holder_of(tmp_path / "a" / "one.db")
    (tmp_path / "a").rename(tmp_path / "b")
    holder_file(tmp_path / "b" / "one.db").chmod(0o640)
    assert holder_of(tmp_path / "b" / "one.db") == known


def test_file_of_an_older_version_is_kept_and_notes_its_place(tmp_path: Path) -> None:
    """Its id was all that it had, so its first start takes it for the original."""
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    holder_file(here / "one.db").write_text("0123456789abcdef\n")
    assert holder_of(here / "one.db") == "0123456789abcdef"
    shutil.copytree(here, there)
    assert holder_of(there / "one.db") != "0123456789abcdef"
