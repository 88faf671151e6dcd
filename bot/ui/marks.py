"""How icons and names are written: as emojis of our own, else in words and coloured marks."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.games.screen import Icon, Name, Text
from bot.i18n import say
from bot.ui import names

COLOURS = {"r": "🔴", "y": "🔶", "g": "🟩", "b": "🔷"}
"""A mark a colour, each of another shape; the letter decides."""
SIGNS = {"crown": "👑", "computer": "🤖", "ready": "✅", "flip": "🔄", "gap": "▫️", "roll": "🎲"}
PLACES = {"dot": "·", "gap": "–"}

Faces: TypeAlias = Mapping[str, str]
"""What stands for an icon in texts and on buttons: `r7` is `<:r7_1a2b3c:123456789>`."""
NO_FACES: Faces = {}

_FACE = re.compile(r"([rygb])d?([0-9]*)")


@dataclass(frozen=True, slots=True)
class Reader:
    """For whom a screen is written: the locale of the words, and that of the cards' letters.

    Letters are the table's own also on a panel in another language: both show the same cards.
    `faces` are all there or none. Who reads `plain` text sees no small pictures at all: a screen
    reader would say each one's name.
    """

    locale: str
    letters: str = ""
    faces: Faces = field(default_factory=dict, hash=False)
    plain: bool = False

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
        reader = self._reader
        if icon.name in reader.faces:
            return reader.faces[icon.name]
        if face := _FACE.fullmatch(icon.name):
            card = reader.card(icon.name)
            return card if reader.plain else f"{COLOURS[face[1]]} {card}"
        if icon.name in SIGNS:
            return "" if reader.plain else SIGNS[icon.name]
        return say(Text(f"icon.{icon.name}"), reader.locale)


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


def emoji(icon: str, reader: Reader) -> str | None:
    """The emoji on a button."""
    if reader.plain:
        return None
    face = _FACE.fullmatch(icon)
    return reader.faces.get(icon) or (COLOURS[face[1]] if face else SIGNS.get(icon))


def number(icon: str) -> str:
    """One place of a track, one column wide: the number that lies there, or nothing."""
    face = _FACE.fullmatch(icon)
    return face[2] if face else PLACES[icon]


def place(icon: str, colour: str, faces: Faces) -> str:
    """One place of a track as a face. What comes next is its colour's shape as an outline."""
    return faces[f"{colour}0" if icon == "gap" else icon]


def covered(icon: str, reader: Reader) -> str:
    """A card in a column: `R7`."""
    return PLACES.get(icon) or reader.card(icon)


def seat(number: int, faces: Faces) -> str:
    """The sign of a seat, counted from 1: `①`."""
    return faces.get(f"s{number}") or chr(ord("①") + number - 1)
