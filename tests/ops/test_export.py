"""The results as files that other programs read."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from bot.ops.export import LISTS, TABLES, export
from bot.store.database.errors import DatabaseError
from tests.store.matches import ANNA, GUILD

ROOT = Path(__file__).parents[2]


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def sheet(file: Path) -> list[dict[str, str]]:
    with file.open(newline="") as rows:
        return list(csv.DictReader(rows))


def test_everything_comes_out_twice_and_says_the_same(played: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    counts = export(played, out)
    assert counts == {
        "matches": 2,
        "rounds": 6,
        "seats": 4,
        "feats": 3,
        "badges": 0,
        "players": 2,
        "ratings": 2,
        "champions": 1,
        "dailies": 0,
        "daily_places": 0,
        "arenas": 0,
    }
    assert {file.name for file in out.iterdir()} == {
        f"{name}.{kind}" for name in TABLES for kind in ("jsonl", "csv")
    }
    for name in TABLES:
        parsed, text = lines(out / f"{name}.jsonl"), sheet(out / f"{name}.csv")
        assert len(parsed) == len(text) == counts[name]
        for one, other in zip(parsed, text, strict=True):
            assert list(one) == list(other)
            for field, value in one.items():
                if field in LISTS:
                    assert json.loads(other[field]) == value
                else:
                    assert other[field] == ("" if value is None else str(value))


def test_who_won_can_be_read_from_it(played: Path, tmp_path: Path) -> None:
    _ = export(played, tmp_path / "out")
    match = lines(tmp_path / "out" / "matches.jsonl")[1]
    assert match["server"] == str(GUILD)
    assert match["began"] == "2027-01-15T08:57:00.000Z"
    assert match["options"] == {"rounds": "3"}
    seats = [s for s in lines(tmp_path / "out" / "seats.jsonl") if s["match"] == match["match"]]
    assert [(s["name"], s["points"], s["won"], s["computer"]) for s in seats] == [
        ("Anna", 7, 0, 0),
        ("Robot 1", 9, 1, 1),
    ]
    players = lines(tmp_path / "out" / "players.jsonl")
    assert players[0]["user"] == str(ANNA), "text, or a spreadsheet rounds it"


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_nothing_that_is_there_is_written_over(kind: str, played: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    if kind == "file":
        out.write_text("mine")
    else:
        out.mkdir()
    with pytest.raises(DatabaseError, match="already exists"):
        _ = export(played, out)
    assert not list(tmp_path.glob("*.part"))


def test_an_export_that_fails_leaves_nothing(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(TABLES, "last", "SELECT * FROM nowhere")
    with pytest.raises(DatabaseError, match="nowhere"):
        _ = export(played, tmp_path / "out")
    assert not list(tmp_path.glob("out*"))


def test_without_a_database(path: Path, tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="does not exist"):
        _ = export(path, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_each_field_is_documented(played: Path, tmp_path: Path) -> None:
    _ = export(played, tmp_path / "out")
    documented = (ROOT / "docs" / "commands.md").read_text()
    for name in TABLES:
        head, *_ = (tmp_path / "out" / f"{name}.csv").read_text().splitlines()
        for field in head.split(","):
            assert f"`{field}`" in documented, f"{name}.{field}"
