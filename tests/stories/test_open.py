"""The list of open faults and the marks of their tests say the same."""

import ast
from pathlib import Path

from tests.stories.open import NO_KIND, OPEN, UNFIT

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def stories() -> dict[str, ast.expr | None]:
    """Every test here by its id, with its mark of an expected failure, if it has one."""
    found: dict[str, ast.expr | None] = {}
    for file in sorted(HERE.glob("*.py")):
        for one in ast.walk(ast.parse(file.read_text())):
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and one.name[:5] == "test_":
                test = f"{file.relative_to(ROOT).as_posix()}::{one.name}"
                found[test] = next((mark for mark in one.decorator_list if _is_mark(mark)), None)
    return found


def _is_mark(decorator: ast.expr) -> bool:
    return ast.unparse(decorator).startswith("pytest.mark.xfail")


def options(mark: ast.expr) -> dict[str, object]:
    """The arguments of a mark: constants as they are, the rest as it is written."""
    assert isinstance(mark, ast.Call)
    return {
        str(one.arg): one.value.value
        if isinstance(one.value, ast.Constant)
        else ast.unparse(one.value)
        for one in mark.keywords
    }


def test_every_marked_story_is_listed_and_every_listed_one_is_marked() -> None:
    marked = {test for test, mark in stories().items() if mark is not None}
    assert set(map(_name, marked)) == set(map(_name, OPEN))
    assert len(marked) == len(OPEN)


def _name(test: str) -> str:
    return test.rpartition("::")[2]


def test_every_mark_is_strict_and_says_what_the_bot_does() -> None:
    for test, mark in stories().items():
        if mark is None:
            continue
        given = options(mark)
        assert given.get("strict") is True, test
        assert len(str(given.get("reason", "")).split()) >= 5, test
        assert given.get("raises") == "AssertionError", test


def test_no_kind_is_drawn_that_an_open_fault_breaks_under() -> None:
    assert set(UNFIT) | {NO_KIND} >= set(OPEN.values())
    assert NO_KIND not in UNFIT
