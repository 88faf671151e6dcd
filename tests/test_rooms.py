"""Folders to look over, modules to read in one go, and paths that lead somewhere."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.imports import arrows_between, modules_of, pairs
from tests.real import ROOT

BOT = ROOT / "bot"
MOST_MODULES = 12
"""The most modules in a folder of the bot, its `__init__` aside: what one look can take in."""
MOST_LINES = 250
LONGER = {
    "games/contract.py": "the one page to read before a game is written: all that tables ask of it",
    "tables/running/table.py": "one queue: whatever may change a table is seen side by side",
    "tables/state/session.py": "the state of a table: its fields, and what is read off them",
    "tables/state/events.py": "the catalogue of stored facts: one dataclass each, no code",
}
"""Modules of one idea that needs more lines, with the reason for each."""
BOTH_WAYS = {
    ("bot.fakediscord", "bot.fakediscord.model"): "its layers are a contract of their own",
    ("bot.fakediscord", "bot.fakediscord.serving"): "the package offers the server that it is",
    ("bot.fakediscord", "bot.fakediscord.validation"): "its layers are a contract of their own",
    ("bot.games", "bot.games.dice"): "the list of games is the package itself",
    ("bot.records", "bot.records.seasons"): "the archive's interface names seasons and posts",
    ("bot.games", "bot.games.ligretto"): "the list of games is the package itself",
}
"""The rooms that import each other, with the reason for each pair."""
DOCUMENTS = (
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "pyproject.toml")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "scripts").glob("*.py")),
    *sorted((ROOT / "deploy").rglob("*.*")),
    *sorted(BOT.rglob("*.py")),
    *sorted(BOT.rglob("*.md")),
)
FILE = re.compile(r"(?<![\w/.])bot/[\w/]+\.(?:py|json|po)\b")
MODULE = re.compile(r"`(bot(?:\.\w+)+)|from (bot[\w.]*) import")
SHORT = re.compile(r"`((?:[a-z_]+/)*[a-z_]+(?:/|\.py))`")
"""How docs/architecture.md names a folder or file of `bot/`."""


def sources() -> list[Path]:
    return sorted(BOT.rglob("*.py"))


def length(file: Path) -> int:
    return len(file.read_text("utf-8").splitlines())


def test_no_folder_has_more_than_a_dozen_modules() -> None:
    folders = Counter(
        file.parent.relative_to(ROOT).as_posix() for file in sources() if file.name != "__init__.py"
    )
    assert not {folder: n for folder, n in folders.items() if n > MOST_MODULES}


def test_no_module_is_too_long_without_a_reason() -> None:
    long = {file.relative_to(BOT).as_posix() for file in sources() if length(file) > MOST_LINES}
    assert long == set(LONGER), "a module is cut where its ideas part, or its reason is given"


def test_rooms_import_each_other_only_for_a_reason() -> None:
    both_ways = pairs(arrows_between(modules_of(ROOT)))
    assert both_ways == set(BOTH_WAYS), "one of the two needs a room below both, or a reason"


def exists(module: str) -> bool:
    """True for a package, a module, or a name in a module."""
    path = ROOT / module.replace(".", "/")
    if path.is_dir() or path.with_suffix(".py").is_file():
        return True
    name = re.compile(rf"\b{path.name}\b")
    inside = path.parent.with_suffix(".py"), path.parent / "__init__.py"
    return any(file.is_file() and name.search(file.read_text("utf-8")) for file in inside)


def dead(document: Path) -> Iterator[str]:
    """Yield the files and modules of the bot that a document names and nobody finds."""
    text = document.read_text("utf-8")
    yield from (file for file in FILE.findall(text) if not (ROOT / file).is_file())
    yield from (name for pair in MODULE.findall(text) if not exists(name := max(pair)))
    if document.name == "architecture.md":
        yield from (one for one in SHORT.findall(text) if not any_at(one))


def any_at(path: str) -> bool:
    return (ROOT / path).exists() or (BOT / path).exists() or path == "screens.py"


def test_every_module_that_is_named_is_there() -> None:
    found = {file.relative_to(ROOT).as_posix(): [*dead(file)] for file in DOCUMENTS}
    assert not {file: names for file, names in found.items() if names}


@pytest.mark.parametrize(
    ("module", "is_there"),
    [
        ("bot.ui", True),
        ("bot.ui.connection.fast_path", True),
        ("bot.tables.state.session.Session", True),
        ("bot.ui.wire", False),
        ("bot.tables.state.session.Desk", False),
    ],
)
def test_a_module_that_has_moved_is_noticed(module: str, *, is_there: bool) -> None:
    assert exists(module) is is_there
