"""docs/faults.md promises tests: each of them is there."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROWS = [
    row
    for row in (ROOT / "docs/faults.md").read_text().splitlines()
    if row.startswith("|") and not row.startswith(("|---", "| fault", "| what they do"))
]
NAMED = re.compile(r"(tests/[a-z_/]+\.py)::(test_\w+)")


@cache
def defined_in(file: Path) -> frozenset[str]:
    found = ast.walk(ast.parse(file.read_text()))
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(one.name for one in found if isinstance(one, functions))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split("|")[1].strip())
def test_every_fault_names_tests_that_exist(row: str) -> None:
    named = NAMED.findall(row)
    assert named
    for file, name in named:
        assert name in defined_in(ROOT / file)
