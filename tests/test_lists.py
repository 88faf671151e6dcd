"""The lists of tests that are real, and of those that are slow, are of tests that there are."""

from pathlib import Path

import pytest

from tests import slow
from tests.real import REAL, ROOT, listed

TESTING = ROOT / "docs" / "testing.md"
NAMED = [*REAL, *slow.SLOW]


@pytest.mark.parametrize("name", NAMED)
def test_what_is_listed_is_there(name: str) -> None:
    file, _, test = name.partition("::")
    path = ROOT / file
    assert path.exists()
    assert not test or test in path.read_text()


def test_everything_real_has_a_reason() -> None:
    without = [name for name, reason in listed() if not reason]
    assert not without


def test_real_marks_are_found(tmp_path: Path) -> None:
    names = [name for name, _ in listed()]
    assert "tests/loopback/test_fakediscord.py::test_tls" in names
    assert "tests/simulate/test_seeds.py" in names


@pytest.mark.parametrize("command", ["python -m tests.real", "tests/slow.py"])
def test_the_documentation_says_where_the_lists_are(command: str) -> None:
    assert command in TESTING.read_text()
