"""Names are the field's, the games' or Discord's; docstrings begin with a verb or a noun."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.real import ROOT

RETIRED = {
    "lane": "queue",
    "lanes": "queues",
    "sight": "seen",
    "books": "index",
    "brain": "robot",
    "crew": "tasks",
    "desk": "router",
    "epilogue": "match summary",
    "furnish": "register",
    "gallery": "emojis",
    "garbage": "gc",
    "house": "table messages",
    "kernel": "contract",
    "lifeline": "watchdog",
    "moment": "presence",
    "office": "context",
    "painter": "redraw",
    "rulebook": "rules",
    "studio": "image worker",
    "trail": "leftovers",
    "turnstile": "command limit",
    "wire": "fast path",
}
"""Words that once named things here and told nobody what they were, and the ones in their place."""
DISCORDS = {"gallery"}
"""What Discord calls so itself may be called so in the stand-in."""
OPENINGS = re.compile(r"(What|Whether|How|Who|Whose|Where|When|Which|Why|If)\b")
HE = re.compile(r"\b(he|him|his|she|her|hers)\b", re.IGNORECASE)


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted((ROOT / "bot").rglob("*.py")):
        yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text("utf-8"))


def named(path: str, tree: ast.Module) -> Iterator[str]:
    """The words of a module's own names: its path, and what it defines."""
    yield from Path(path).with_suffix("").parts
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name) | ast.FunctionDef(name) | ast.AsyncFunctionDef(name):
                yield name
            case ast.Name(name, ast.Store()) | ast.arg(name):
                yield name
            case _:
                pass


def words(name: str) -> set[str]:
    parts = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_")
    return {part for part in parts if part}


def docstrings(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""


def test_no_retired_word_names_anything() -> None:
    found = [
        f"{path}: {name}: {', '.join(RETIRED[word] for word in bad)} instead"
        for path, tree in modules()
        for name in named(path, tree)
        if (bad := words(name) & set(RETIRED) - (DISCORDS if "fakediscord" in path else set()))
    ]
    assert not found


def test_a_board_is_the_dice_board() -> None:
    allowed = ("bot/games/dice/", "bot/fakediscord/")
    found = [
        f"{path}: {name}"
        for path, tree in modules()
        for name in named(path, tree)
        if "board" in words(name) and not path.startswith(allowed)
    ]
    assert not found


def test_docstrings_begin_with_a_verb_or_a_noun() -> None:
    found = [
        f"{path}: {text.splitlines()[0]}"
        for path, tree in modules()
        for text in docstrings(tree)
        if OPENINGS.match(text)
    ]
    assert not found


def test_players_are_they() -> None:
    found = [
        f"{path}: {text.splitlines()[0]}"
        for path, tree in modules()
        for text in docstrings(tree)
        if HE.search(text)
    ]
    assert not found
