"""People's names as anybody can read them: visible characters, cut to a number of columns."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

HIDDEN = ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Me")
"""Unicode categories that draw nothing themselves, or change the characters around them."""
MARKS = 2
"""Accents and vowel signs kept per letter: more would reach into other lines."""
BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters that draw nothing: a name made of them would be invisible."""
NOBODY = "?"
"""Whoever has a name that shows nothing, where words can't be had."""
KEPT = 4096
"""Names in the cache."""
_NUMBER = re.compile(" [0-9]{1,3}$")


@lru_cache(KEPT)
def plain(text: str, width: int) -> str:
    """Keep only visible characters, at most `width` columns (wide characters take two).

    Return an empty text for a name that shows nothing.
    """
    words = visible(text)
    return words if columns(words) <= width else _head(words, width - 1) + "…"


def visible(text: str) -> str:
    """Return the visible characters of a name."""
    composed = unicodedata.normalize("NFC", text)
    marked = _marked("".join(c for c in composed if _is_visible(c)))
    return " ".join(unicodedata.normalize("NFC", marked).split())


def told_apart(names: tuple[str, ...], width: int) -> tuple[str, ...]:
    """Cut every name to `width` columns, so that no two of them become the same.

    A name keeps the number at its end: `Robote…10`. Names that begin alike keep their ends as well:
    `Alexa…er` and `Alexa…ra`. Names that are the same get a number.
    """
    words = [visible(name) or NOBODY for name in names]
    short = _ends_kept(list(dict.fromkeys(words)), width)
    return _numbered(tuple(short[one] for one in words), width)


def _ends_kept(words: list[str], width: int) -> dict[str, str]:
    """Cut different names. Those that begin alike keep the ends that tell them apart."""
    cut = first = {one: _cut(one, width) for one in words}
    alike = _repeated(first.values())
    for tail in range(1, width - 2 if alike else 0):
        cut = {
            one: _around(one, width, max(tail, _number(one))) if first[one] in alike else first[one]
            for one in words
        }
        if not _repeated(cut.values()):
            break
    return cut


def _cut(words: str, width: int) -> str:
    """Cut a name. It keeps the number at its end, by which robots are told apart."""
    number = _number(words)
    return _around(words, width, number) if 0 < number < width - 1 else plain(words, width)


def _number(words: str) -> int:
    """Return the columns of the number at the end of a name, its space included, or 0."""
    found = _NUMBER.search(words)
    return 0 if found is None else len(found[0])


def columns(text: str) -> int:
    """Return how many columns of a fixed-width font a text takes."""
    return sum(_width(c) for c in text)


def _repeated(names: Iterable[str]) -> set[str]:
    return {name for name, times in Counter(names).items() if times > 1}


def _around(words: str, width: int, tail: int) -> str:
    """Cut a long name in the middle, keeping `tail` columns of its end."""
    if columns(words) <= width:
        return words
    end = _head(words[::-1], tail)[::-1]
    return f"{_head(words, width - 1 - columns(end))}…{end}"


def _numbered(names: tuple[str, ...], width: int) -> tuple[str, ...]:
    """Give a number to names that are the same, the place of each among all of them."""
    twice = _repeated(names)
    taken = set(names) - twice
    numbered = []
    for place, name in enumerate(names, 1):
        one, number = name, place
        while one in twice or (one != name and one in taken):
            one = f"{_head(name, width - len(f' {number}'))} {number}"
            number += len(names)
        taken.add(one)
        numbered.append(one)
    return tuple(numbered)


def _is_visible(character: str) -> bool:
    return character not in BLANK and unicodedata.category(character) not in HIDDEN


def _width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _marked(text: str) -> str:
    """Drop marks that stand on no letter, and those beyond `MARKS` per letter."""
    kept = ""
    carried = MARKS
    for character in text:
        if unicodedata.category(character) != "Mn":
            kept, carried = kept + character, MARKS if character.isspace() else 0
        elif carried < MARKS:
            kept, carried = kept + character, carried + 1
    return kept


def _head(text: str, width: int) -> str:
    taken = ""
    for character in text:
        if columns(taken + character) > width:
            break
        taken += character
    return taken.rstrip()
