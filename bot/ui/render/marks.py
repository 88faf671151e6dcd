"""The markup of icons and names: our own emojis, else words and coloured symbols."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.i18n import say
from bot.text import Icon, Name, Text
from bot.ui.render import names

COLOURS = {"r": "🔴", "y": "🔶", "g": "🟩", "b": "🔷"}
"""One symbol per colour, each a different shape; the letter beside it is what counts."""
SIGNS = {
    "crown": "👑",
    "stop": "🛑",
    "agreed": "🤝",
    "hand": "✋",
    "flag": "🏳️",
    "away": "💤",
    "round": "🏅",
    "gold": "🥇",
    "silver": "🥈",
    "bronze": "🥉",
    "rise": "📈",
    "fast": "⏱️",
    "best": "🌟",
    "record": "🏅",
    "alarm": "🚨",
    "duel": "⚡",
    "waiting": "⏳",
    "computer": "🤖",
    "ready": "✅",
    "flip": "🔄",
    "gap": "▫️",
    "back": "🎴",
    "roll": "🎲",
    "champion": "🏆",
}
"""Unicode's emojis. What has no face of ours is shown as these everywhere.

A crown is the most points and nothing else, medals are places in the match; `round` is who won the
round, `stop` who ended it, `agreed` that all did, `hand` that some did alone, `flag`
who left, `away` that nobody was there, `champion` who won the last season.
"""
PLACES = {"dot": "·", "gap": "–", "back": "?"}
EMPTY, FULL = "0", "full"
"""The ends of the icons of a place without a pile, and of a pile that takes no more cards."""
TICK = "✓"
"""A pile that has reached its last card."""

Faces: TypeAlias = Mapping[str, str]
"""Discord's markup for each icon, in texts and on buttons: `r7` is `<:r7_1a2b3c:123456789>`."""
NO_FACES: Faces = {}

_FACE = re.compile(r"([rygb])(?:d?([0-9]*)|full)")
_SEAT = re.compile(r"s([1-9][0-9]?)")


@dataclass(frozen=True, slots=True)
class Reader:
    """The reader of a screen: the `locale` of its text, and that of the cards' `letters`.

    Letters stay the table's own even on a panel in another language, so that both show the same
    cards. `faces` holds all emojis or none. `plain` text has no emojis, since a screen reader
    would read out each one's name.
    """

    locale: str
    letters: str = ""
    faces: Faces = field(default_factory=dict, hash=False)
    plain: bool = False

    def card(self, icon: str) -> str:
        """Return the shortest name of a card, die or full pile, `R7`, `R✓`, or of a colour, `R`.

        In plain text their words: `Red 7`, `Red`.
        """
        face = _FACE.fullmatch(icon)
        assert face is not None, icon
        if self.plain:
            return f"{say(Text(f'colour.{face[1]}'), self.locale)} {number(icon)}".rstrip()
        return say(Text(f"letter.{face[1]}"), self.letters or self.locale) + number(icon)


class Words:
    """Markup for running text."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.plain_text = reader.plain

    def name(self, name: Name) -> str:
        said = names.safe(name.text, name.width, self._reader.locale)
        if not name.champion:
            return said
        if self.plain_text:
            return say(Text("name.champion", (("name", said),)), self._reader.locale)
        return f"{said} {SIGNS['champion']}"

    def icon(self, icon: Icon) -> str:
        reader = self._reader
        if icon.name in reader.faces:
            return reader.faces[icon.name]
        if face := _FACE.fullmatch(icon.name):
            card = reader.card(icon.name)
            return card if reader.plain else f"{COLOURS[face[1]]} {card}"
        if back := _SEAT.fullmatch(icon.name):
            return back[1] if reader.plain else seat(int(back[1]), reader.faces)
        if icon.name in SIGNS:
            return "" if reader.plain else SIGNS[icon.name]
        return say(Text(f"icon.{icon.name}"), reader.locale)


class Code(Words):
    """Markup for a code block."""

    def name(self, name: Name) -> str:
        return names.code(name.text, name.width, self._reader.locale)


class Label(Words):
    """Markup for a button, which has no markdown and shows its emoji beside the text."""

    def name(self, name: Name) -> str:
        return names.label(name.text, name.width, self._reader.locale)

    def icon(self, icon: Icon) -> str:
        return self._reader.card(icon.name)


def emoji(icon: str, reader: Reader) -> str | None:
    """Return the emoji for a button; None if there is none or the reader wants plain text."""
    if reader.plain:
        return None
    return reader.faces.get(icon) or stand_in(icon)


def stand_in(icon: str) -> str | None:
    """Return the Unicode emoji for an icon without a face; None if there is none."""
    face = _FACE.fullmatch(icon)
    return COLOURS[face[1]] if face else SIGNS.get(icon)


def number(icon: str) -> str:
    """Return what fills a place of a track, one column wide: a number, a tick, an empty mark."""
    face = _FACE.fullmatch(icon)
    if face is None:
        return PLACES[icon]
    return TICK if face[2] is None else face[2]


def place(icon: str, colour: str, faces: Faces) -> str:
    """Return the emoji for one place of a track. A gap is the outline of its colour's shape."""
    return faces[f"{colour}0" if icon == "gap" else icon]


def covered(icon: str, reader: Reader) -> str:
    """Return the name of a card in a column, such as `R7`."""
    return PLACES.get(icon) or reader.card(icon)


def seat(number: int, faces: Faces) -> str:
    """Return the back of a seat's cards, or a sign such as `①`. Seats count from 1."""
    return faces.get(f"s{number}") or chr(ord("①") + number - 1)
