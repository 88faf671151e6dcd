"""No words reach a message but through the catalogues."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

BOT = Path(__file__).parents[2] / "bot"
ROOMS = ("arena", "daily", "games", "records", "tables", "ui", "watch")
SHOWN = {"content", "label", "placeholder", "description", "title", "text", "name", "shows"}
"""Fields of Discord's in which people read words."""
FIELDS = SHOWN - {"name"}
"""The same as arguments. Tasks have names too."""
SAYS = {"Name", "Sentence", "bare", "Choice", "Joined", "Text", "sentence"}
"""What takes words, or values for the gaps of words."""
MARKUP = re.compile(r"<t:|:[a-zA-Z]>|<[#@/]?|https?://\S*|%[A-Za-z]")
"""Of Discord's: a client writes a time or a name in its own language."""
WORDS = re.compile(r"[^\W\d_]|[:;!?](\s|$)")
"""Letters, and marks before which French has a space."""


NOBODY = {"?"}
"""The name of a host who is not there: only a broken journal has one."""


def literals(node: ast.AST) -> Iterator[str]:
    """The words of a constant or of an f-string, without what is filled in."""
    match node:
        case ast.Constant(str(words)):
            yield words
        case ast.JoinedStr(values):
            yield "".join(str(part.value) for part in values if isinstance(part, ast.Constant))
        case ast.IfExp(_, body, orelse):
            yield from literals(body)
            yield from literals(orelse)
        case ast.Tuple(elts) | ast.List(elts):
            for one in elts:
                yield from literals(one)
        case ast.BinOp(left, ast.Add(), right):
            yield from literals(left)
            yield from literals(right)
        case _:
            pass


def spoken(tree: ast.Module) -> Iterator[str]:
    """Every literal in a place that people read."""
    for node in ast.walk(tree):
        match node:
            case ast.Dict(keys, values):
                for key, value in zip(keys, values, strict=True):
                    if isinstance(key, ast.Constant) and key.value in SHOWN:
                        yield from literals(value)
            case ast.Call(func, args, keywords):
                called = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
                yield from (w for k in keywords if k.arg in FIELDS for w in literals(k.value))
                if called in SAYS:
                    yield from values_of(called, args)
                    yield from (
                        w for k in keywords if k.arg == "between" for w in literals(k.value)
                    )
            case _:
                pass


def values_of(called: str, args: list[ast.expr]) -> Iterator[str]:
    """What fills gaps: the second of each pair. Keys of messages come first, and are no words."""
    if called in {"Name", "bare"}:
        yield from (words for one in args[:1] for words in literals(one))
    elif called in {"Text", "sentence"} and len(args) > 1 and isinstance(args[1], ast.Tuple):
        for pair in args[1].elts:
            if isinstance(pair, ast.Tuple) and len(pair.elts) > 1:
                yield from literals(pair.elts[1])


def test_no_words_stand_in_the_code() -> None:
    paths = [path for room in ROOMS for path in sorted((BOT / room).rglob("*.py"))]
    found = [
        (path.relative_to(BOT).as_posix(), words)
        for path in paths
        for words in spoken(ast.parse(path.read_text("utf-8")))
        if WORDS.search(MARKUP.sub("", words)) and words not in NOBODY
    ]
    assert not found
