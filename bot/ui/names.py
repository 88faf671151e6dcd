"""Sanitising people's names: harmless, visible, and short enough for one line."""

import unicodedata

from discord.utils import escape_markdown

HIDDEN = ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Me")
"""Unicode categories that draw nothing themselves, or change the characters around them."""
MARKS = 2
"""Accents and vowel signs kept per letter: more would reach into other lines."""
BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters that draw nothing: a name made of them would be invisible."""
RIGHT_TO_LEFT = ("R", "AL")
ISOLATE, POP = "\u2068", "\u2069"
NOBODY = "Player"


def plain(text: str, width: int) -> str:
    """Keep only visible characters, at most `width` columns (wide characters take two)."""
    composed = unicodedata.normalize("NFC", text)
    visible = _marked("".join(c for c in composed if _is_visible(c)))
    words = " ".join(unicodedata.normalize("NFC", visible).split()) or NOBODY
    return words if columns(words) <= width else _cut(words, width - 1) + "…"


def safe(text: str, width: int) -> str:
    """Sanitise a name for running text: no markdown, mention or link, and isolated direction.

    Links are broken first, since discord.py escapes nothing inside a link.
    """
    broken = plain(text, width).replace("://", ":\u200b//")
    words = escape_markdown(broken).replace("<", "\\<").replace("@", "@\u200b")
    turned = any(unicodedata.bidirectional(c) in RIGHT_TO_LEFT for c in words)
    return f"{ISOLATE}{words}{POP}" if turned else words


def _is_visible(character: str) -> bool:
    return character not in BLANK and unicodedata.category(character) not in HIDDEN


def columns(text: str) -> int:
    return sum(_width(c) for c in text)


def _width(character: str) -> int:
    if unicodedata.category(character) == "Mn":
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


def _cut(text: str, width: int) -> str:
    taken = ""
    for character in text:
        if columns(taken + character) > width:
            break
        taken += character
    return taken.rstrip()
