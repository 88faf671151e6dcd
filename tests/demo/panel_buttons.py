"""A player's eyes: which buttons of a panel are cards, and which of these fit the centre."""

import re
from collections.abc import Iterable
from typing import NamedTuple

LINE = re.compile(r"\b([RYGB]) ((?:(?:–|✓|\d+) ?)+)")
FACE = re.compile(r":([rygb])(\d+)_[0-9a-f]{6}:")
FACES = re.compile(r"(?::\w+:|\u2002)+")
CARD = re.compile(r"lg1:\d+:\d+:([rygb])(\d+)")
FLIP = re.compile(r"lg1:\d+:\d+:flip\b.*")


class Button(NamedTuple):
    """A button that can be pressed."""

    id: str
    label: str


def tops(text: str) -> set[tuple[str, int]]:
    """Colours and numbers on top of the open piles, from the lines of a panel."""
    tracks = " ".join(line for line in text.splitlines() if FACES.fullmatch(line.strip()))
    found = {(colour, int(number)) for colour, number in FACE.findall(tracks)}
    for letter, places in LINE.findall(text):
        found |= {(letter.lower(), int(place)) for place in places.split() if place.isdigit()}
    return found


def card(button: Button) -> tuple[str, int] | None:
    match = CARD.fullmatch(button.id)
    return (match[1], int(match[2])) if match else None


def split(text: str, buttons: Iterable[Button]) -> tuple[list[Button], list[Button]]:
    """Cards that fit, and cards that do not."""
    below = tops(text)
    fit: list[Button] = []
    misfit: list[Button] = []
    for button in buttons:
        if (face := card(button)) is not None:
            colour, number = face
            fits = number == 1 or (colour, number - 1) in below
            (fit if fits else misfit).append(button)
    return fit, misfit


def flip(buttons: Iterable[Button]) -> Button | None:
    return next((button for button in buttons if FLIP.fullmatch(button.id)), None)
