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
IN_DOCS = {
    r"also (if|when|where)": "even if",
    r"anew": "again",
    r"any ?more": "no longer",
    r"anybody": "anyone",
    r"besides": "in addition",
    r"everybody": "everyone",
    r"for ever": "forever",
    r"in words": "what is said",
    r"laid": "played",
    r"mended": "fixed",
    r"so many of them": "how many",
}
"""Words that no native speaker would write in documentation, and better ones."""
UNREAD = {"rules.md"}
"""The page that still has such words."""
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


def prose(page: Path) -> Iterator[tuple[str, str]]:
    """Yield each line of a page with its place, without code and names of tests."""
    for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
        yield f"{page.name}:{number}", re.sub(r"tests/\S+|`[^`]*`", "", line)


def test_no_page_sounds_translated() -> None:
    pages = (*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md")))
    found = [
        f"{where}: {word[0]}: {better} instead"
        for page in pages
        if page.name not in UNREAD
        for where, line in prose(page)
        for said, better in (*IN_DOCS.items(), (HE.pattern, "they"))
        if (word := re.search(rf"\b(?:{said})\b", line, re.IGNORECASE))
    ]
    assert not found
