"""How icons and names are written: in words and coloured marks where there are no pictures."""

import re

from bot.games.screen import Icon, Name, Text
from bot.i18n import say
from bot.ui import names

COLOURS = {"r": "🔴", "y": "🔶", "g": "🟩", "b": "🔷"}
"""A mark a colour, each of another shape; the letter decides."""
SIGNS = {"crown": "👑", "computer": "🤖", "ready": "✅", "flip": "🔄", "gap": "▫️", "roll": "🎲"}
PLACES = {"dot": "·", "gap": "–"}

_FACE = re.compile(r"([rygb])(d?)([0-9]+)")


class Words:
    """Marks for running text, in the language of a locale."""

    def __init__(self, locale: str) -> None:
        self._locale = locale

    def name(self, name: Name) -> str:
        return names.safe(name.text, name.width)

    def icon(self, icon: Icon) -> str:
        if face := _FACE.fullmatch(icon.name):
            card = say(Text(f"card.{face[1]}", (("n", int(face[3])),)), self._locale)
            return f"{COLOURS[face[1]]} {card}"
        return SIGNS.get(icon.name) or say(Text(f"icon.{icon.name}"), self._locale)


class Code(Words):
    """Marks for a code block, where nothing needs escaping but the fence."""

    def name(self, name: Name) -> str:
        return names.plain(name.text.replace("`", "'"), name.width)


def emoji(icon: str) -> str | None:
    """The emoji on a button."""
    face = _FACE.fullmatch(icon)
    return COLOURS[face[1]] if face else SIGNS.get(icon)


def place(icon: str) -> str:
    """One place of a track, one column wide: the number that lies there, or nothing."""
    face = _FACE.fullmatch(icon)
    return face[3] if face else PLACES[icon]


def covered(icon: str, locale: str) -> str:
    """A card in a column, in as few letters as can be: `R7`."""
    face = _FACE.fullmatch(icon)
    if face is None:
        return PLACES[icon]
    return say(Text(f"card.{face[1]}", (("n", int(face[3])),)), locale)


def seat(number: int) -> str:
    """The sign of a seat, counted from 1: `①`."""
    return chr(ord("①") + number - 1)
