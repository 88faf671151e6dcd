"""The font of pictures with names: Roboto, which writes Latin, Greek and Cyrillic.

It comes as a package of its own. Names in other scripts are not drawn as boxes, but left to the
words beside the picture, since every Discord client writes every script.
"""

import unicodedata
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import ImageFont

NOTHING = "\uffff"
"""A character that no font has. It is drawn like every other that is missing."""
UNSEEN = ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp")
SYMBOLS = ("So", "Sk", "Sm", "Me")
EMOJI_PARTS = "\ufe0e\ufe0f\u20e3"
"""The marks that turn the character before them into an emoji."""
MORE = "…"
KEPT = 1024
"""Characters of which it is remembered whether a font of one size has them."""


@cache
def font(size: int, *, bold: bool = False) -> "ImageFont.FreeTypeFont":
    """Return Roboto at this many pixels. Reads its file once per size and weight.

    Raises ModuleNotFoundError or OSError if the package is incomplete.
    """
    from PIL import ImageFont  # noqa: PLC0415 as in `bot.art.drawing`

    name = "Roboto-Bold.ttf" if bold else "Roboto-Medium.ttf"
    path = files("font_roboto") / "files" / name
    return ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)


def writable(name: str, letters: "ImageFont.FreeTypeFont") -> str | None:
    """Return what this font writes of a name: all but emojis, with single spaces.

    None if a letter is missing, or if nothing is left.
    """
    kept = ""
    for character in unicodedata.normalize("NFC", name):
        kind = unicodedata.category(character)
        if character.isspace():
            kept += " "
        elif kind in UNSEEN or character in EMOJI_PARTS:
            continue
        elif _has(letters, character):
            kept += character
        elif kind not in SYMBOLS:
            return None
    return " ".join(kept.split()) or None


def cut(text: str, letters: "ImageFont.FreeTypeFont", width: float) -> str:
    """Return the text, shortened with an ellipsis until it is at most `width` pixels wide."""
    if letters.getlength(text) <= width:
        return text
    while text and letters.getlength(text + MORE) > width:
        text = text[:-1].rstrip()
    return text + MORE


@lru_cache(KEPT)
def _has(letters: "ImageFont.FreeTypeFont", character: str) -> bool:
    return _mask(letters, character) != _missing(letters)


@cache
def _missing(letters: "ImageFont.FreeTypeFont") -> tuple[tuple[int, int], bytes]:
    """Return what this font draws for a character that it lacks."""
    return _mask(letters, NOTHING)


def _mask(letters: "ImageFont.FreeTypeFont", character: str) -> tuple[tuple[int, int], bytes]:
    mask = letters.getmask(character)
    return mask.size, bytes(mask)
