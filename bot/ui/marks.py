"""How icons and names are written: in words and coloured marks where there are no pictures."""

import re
from dataclasses import dataclass

from bot.games.screen import Icon, Name, Text
from bot.i18n import say
from bot.ui import names

COLOURS = {"r": "🔴", "y": "🔶", "g": "🟩", "b": "🔷"}
"""A mark a colour, each of another shape; the letter decides."""
SIGNS = {"crown": "👑", "computer": "🤖", "ready": "✅", "flip": "🔄", "gap": "▫️", "roll": "🎲"}
PLACES = {"dot": "·", "gap": "–"}

_FACE = re.compile(r"([rygb])d?([0-9]*)")


@dataclass(frozen=True, slots=True)
class Reader:
    """For whom a screen is written: the locale of the words, and that of the cards' letters.

    Letters are the table's own also on a panel in another language: both show the same cards.
    """

    locale: str
    letters: str = ""

    def card(self, icon: str) -> str:
        """A card or a die in as few letters as can be: `R7`; a colour alone: `R`."""
        face = _FACE.fullmatch(icon)
        assert face is not None, icon
        return say(Text(f"letter.{face[1]}"), self.letters or self.locale) + face[2]


class Words:
    """Marks for running text."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def name(self, name: Name) -> str:
        return names.safe(name.text, name.width)

    def icon(self, icon: Icon) -> str:
        if face := _FACE.fullmatch(icon.name):
            return f"{COLOURS[face[1]]} {self._reader.card(icon.name)}"
        return SIGNS.get(icon.name) or say(Text(f"icon.{icon.name}"), self._reader.locale)


class Code(Words):
    """Marks for a code block, where nothing needs escaping but the fence."""

    def name(self, name: Name) -> str:
        return names.plain(name.text.replace("`", "'"), name.width)


class Label(Words):
    """Marks for a button, where markdown means nothing and a picture stands beside the words."""

    def name(self, name: Name) -> str:
        return names.plain(name.text, name.width)

    def icon(self, icon: Icon) -> str:
        return self._reader.card(icon.name)


def emoji(icon: str) -> str | None:
    """The emoji on a button."""
    face = _FACE.fullmatch(icon)
    return COLOURS[face[1]] if face else SIGNS.get(icon)


def place(icon: str) -> str:
    """One place of a track, one column wide: the number that lies there, or nothing."""
    face = _FACE.fullmatch(icon)
    return face[2] if face else PLACES[icon]


def covered(icon: str, reader: Reader) -> str:
    """A card in a column: `R7`."""
    return PLACES.get(icon) or reader.card(icon)


def seat(number: int) -> str:
    """The sign of a seat, counted from 1: `①`."""
    return chr(ord("①") + number - 1)
