"""Names are the field's, the games' or Discord's; docstrings begin with a verb or a noun."""

import ast
import re
from collections import Counter
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
"""Its examples are rounds of Anna and Ben, who are she and he."""
SHORT = 80
"""Characters of a paragraph that may stand twice on a page, such as a command."""
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


def test_no_page_says_a_paragraph_twice() -> None:
    for page in (*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))):
        said = Counter(one for one in page.read_text("utf-8").split("\n\n") if len(one) > SHORT)
        assert not [one for one, times in said.items() if times > 1], page


FOR_OWNERS = IN_DOCS | {
    r"go(es)? on": "continue, resume",
    r"lays?": "play",
    r"mend(s|ing)?": "fix",
    r"no more than": "at most",
    r"no (file|folder|database|token) of": "not a … of",
    r"(is|are) not there": "does not exist",
    r"(is|are) (already )?there already": "already exists",
    r"left alone": "never touched",
}
"""What a native speaker stumbles over in lines for owners, and what they would say."""
STUMBLES = {re.compile(rf"\b({old})\b", re.IGNORECASE): new for old, new in FOR_OWNERS.items()}
TURNED = re.compile(r"(?:^|(?<=[.!?] ))(?:Who|What|Which|Of|Rated)\b[^.?!:]*\.(?= |$)")
"""A sentence that begins with what it is about, and is no question."""
LONGEST = 28
"""The most words of a sentence in a page for owners, tables aside."""
NAMES = (
    *("hosting", "privacy", "commands", "demo", "scale", "speed"),
    *("arena", "daily", "seasons", "feats", "levels"),
)
PAGES = (
    *(ROOT / f"{name}.md" for name in ("README", "CHANGELOG", "CONTRIBUTING", "SECURITY")),
    ROOT / ".env.example",
    *(ROOT / "docs" / f"{name}.md" for name in NAMES),
    *sorted((ROOT / "deploy").iterdir()),
)
"""Pages that an owner reads."""
LINES = ("cli", "ops", "config.py", "store/database", "demo/run.py", "demo/options.py", "verify")
"""Parts of the bot whose words only owners read."""
LOGGED = {"info", "warning", "error", "exception", "critical"}


def paragraphs(page: Path) -> Iterator[str]:
    """The prose of a page: no commands, no code, no addresses of links."""
    prose = re.sub(r"^(    | {6,}).*$", "", page.read_text("utf-8"), flags=re.MULTILINE)
    prose = re.sub(r"`[^`]*`", "x", re.sub(r"\]\([^)]*\)", "]", prose))
    for part in re.split(r"\n\s*\n|\n(?=\s*(?:[-#|]|\d+\. ))", prose):
        yield re.sub(r"^[-#|\s\d.]+", "", " ".join(part.split()))


def literal(node: ast.expr) -> str | None:
    """The words of a string, with an x for each value in it."""
    match node:
        case ast.Constant(str() as words):
            return words
        case ast.JoinedStr(parts):
            return "".join(literal(part) or "x" for part in parts)
        case _:
            return None


def owner_lines() -> Iterator[tuple[str, str]]:
    """What parts for owners write, and what any part logs: the path and the words."""
    for path, tree in modules():
        is_owners = path.removeprefix("bot/").startswith(LINES)
        for node in ast.walk(tree):
            match node:
                case ast.Expr(ast.Constant()):
                    continue
                case ast.Call(ast.Attribute(ast.Name("log"), name), [said, *_]) if name in LOGGED:
                    words = literal(said)
                case ast.Assign(value=said) | ast.Return(said) | ast.keyword("help", said):
                    words = literal(said) if is_owners and said is not None else None
                case ast.Raise(ast.Call(_, [said, *_])):
                    words = literal(said) if is_owners else None
                case _:
                    continue
            if words is not None and " " in words:
                yield path, words


def stumbles(words: str) -> Iterator[str]:
    for old, new in STUMBLES.items():
        if found := old.search(words):
            yield f"{found[0]!r}: {new}"


def test_pages_for_owners_speak_plainly() -> None:
    found = [
        f"{page.name}: {bad} in {part}"
        for page in PAGES
        for part in paragraphs(page)
        for bad in stumbles(part)
    ]
    assert not found


def test_no_sentence_begins_with_its_object() -> None:
    found = [(page.name, TURNED.findall(part)) for page in PAGES for part in paragraphs(page)]
    assert not [one for one in found if one[1]]


def test_sentences_for_owners_end_in_time() -> None:
    found = [
        f"{page.name}: {sentence}"
        for page in PAGES
        for part in paragraphs(page)
        for sentence in re.split(r"(?<=[.?!:]) ", part)
        if len(sentence.split()) > LONGEST and "|" not in sentence
    ]
    assert not found


def test_lines_for_owners_and_log_lines_speak_plainly() -> None:
    lines = list(owner_lines())
    assert len(lines) > 200, "they are found"
    found = [f"{path}: {bad} in {words!r}" for path, words in lines for bad in stumbles(words)]
    assert not found


def test_no_line_names_what_a_wheel_does_not_have() -> None:
    """Pages, the example of settings and a clone's command are in the repository only."""
    absent = re.compile(r"docs/|\.env\.example|python -m bot\b|'\.\[")
    found = [
        (path, node.value)
        for path, tree in modules()
        if path.startswith("bot/") and not path.startswith("bot/fakediscord")
        for docs in [{id(one) for one in map(documentation, ast.walk(tree)) if one is not None}]
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
        if absent.search(node.value)
    ]
    assert [path for path, _ in found] == ["bot/settings/home.py"], "which asks what is installed"


def documentation(node: ast.AST) -> ast.AST | None:
    """The string of a docstring, or of words below a value, which nobody is shown."""
    match node:
        case ast.Expr(ast.Constant() as said):
            return said
        case _:
            return None
