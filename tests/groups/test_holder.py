"""The id of a holder: beside its database, for its owner alone, and in no copy."""

from pathlib import Path

from bot.groups.lease.holder import holder_file, holder_of


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
