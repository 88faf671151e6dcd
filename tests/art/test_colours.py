"""The colours stay apart for everybody, and numbers stand out on them."""

from itertools import combinations

import pytest
from coloraide import Color

from bot.art.palette import FILL, GREY, PEN
from tests.art.pixels import DARK, LIGHT

APART = {"normal": 36, "protan": 21, "deutan": 21, "tritan": 21}
"""CIEDE2000 between any two fills, at full colour-blindness. From about 2 on a difference is seen
side by side; 20 is one between colours that have different names.
"""
READABLE = 4.5
"""WCAG's contrast for text; 3 is that for signs."""
SEEN = 3.0


def seen(colour: str, sight: str) -> Color:
    """As somebody with that sight sees it (Machado 2009, severity 1)."""
    if sight == "normal":
        return Color(colour)
    return Color(colour).filter(sight, method="machado", space="srgb-linear").convert("srgb")


@pytest.mark.parametrize("sight", APART)
def test_any_two_card_colours_stay_apart(sight: str) -> None:
    for one, other in combinations(FILL.values(), 2):
        assert seen(one, sight).delta_e(seen(other, sight), method="2000") >= APART[sight]


@pytest.mark.parametrize("colour", FILL)
def test_a_number_is_readable_on_its_fill(colour: str) -> None:
    assert Color(PEN[colour]).contrast(FILL[colour]) >= READABLE


@pytest.mark.parametrize("ground", [DARK, LIGHT])
def test_an_empty_place_is_seen_on_both_grounds(ground: str) -> None:
    assert Color(GREY).contrast(ground) >= SEEN
