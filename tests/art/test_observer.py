"""Numbers are read at a glance, and colours are never mistaken, whatever eyes see them."""

import pytest

from tests.art.color_vision import EYES
from tests.art.observer import CARD_FACES, DIE_FACES, GLANCES, apart, misread
from tests.art.pixels import DARK, LIGHT

WRONG = {"cards": 0.03, "dice": 0.045}
"""The share of numbers that may be misread at 22 pixels; small numbers on discs had 14 and 17 %."""
NEVER = 0.0005
FAR = {"cards": (4.3, 9.6), "dice": (1.4, 4.7)}
"""Mean CIE76 per pixel between two numbers of a colour: at least, and the median of all pairs.

A two and a three are dice that differ by one pip.
"""
COLOURS_FAR = {"normal": 24, "protan": 16, "deutan": 17, "tritan": 17, "grey": 4.5}
"""The same between two colours of a number, by sight."""

KINDS = {"cards": CARD_FACES, "dice": DIE_FACES}
kinds = pytest.mark.parametrize("kind", KINDS)
grounds = pytest.mark.parametrize("ground", [DARK, LIGHT], ids=["dark", "light"])


@kinds
@grounds
@pytest.mark.parametrize("sight", EYES)
def test_numbers_and_colours_are_read_at_a_glance(kind: str, ground: str, sight: str) -> None:
    found = misread(KINDS[kind], ground, sight, glances=GLANCES if sight == "normal" else 20)
    assert found.numbers <= WRONG[kind]
    assert found.colours < NEVER


@kinds
@pytest.mark.parametrize("sight", COLOURS_FAR)
def test_faces_are_far_apart_in_every_sight(kind: str, sight: str) -> None:
    found = apart(KINDS[kind], DARK, sight)
    assert found.least_colour >= COLOURS_FAR[sight]
    if sight == "normal":
        assert found.least_number >= FAR[kind][0]
        assert found.median_number >= FAR[kind][1]
