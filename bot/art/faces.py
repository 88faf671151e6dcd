"""Every small picture by name.

`r7` is a card, `rd3` a die, `r0` an empty place of a colour, `rfull` a pile that has reached its
last card, `s2` the back of the second seat's cards; `crown` and the other signs have words.
"""

from functools import cache

from bot.art.cuts import CARD, DIE, block, outline, sheet
from bot.art.digits import number
from bot.art.drawing import Drawing
from bot.art.palette import FILL, PAPER, PEN
from bot.art.shapes import spot, stroke
from bot.art.signs import SIGNS, numbered_back

CARDS, DICE, SEATS = 10, 6, 12

TALL = {"r": 75, "y": 68, "g": 79, "b": 70}
"""The height of a number on each cut, as high as the card allows."""
WIDE, THICK = 1.14, 16
"""The stretch of a number's digits, and the width of its strokes."""
LOWER = 11
"""The height that two digits give up, to fit side by side."""

STEP, PIP = 25, 25
"""From the middle of a die to its outer pips, and the width of one."""
DIAGONAL = ((-1, -1), (1, 1))
CORNERS = (*DIAGONAL, (1, -1), (-1, 1))
SIDES = ((-1, 0), (1, 0))
CENTRE = ((0, 0),)
PIPS = {
    1: CENTRE,
    2: DIAGONAL,
    3: (*DIAGONAL, *CENTRE),
    4: CORNERS,
    5: (*CORNERS, *CENTRE),
    6: (*CORNERS, *SIDES),
}
"""The pips of each number, in steps right of the middle and below it."""


def card(colour: str, value: int) -> Drawing:
    """Draw a card: its cut with a number as large as fits."""
    middle, tall, pen = CARD[colour].middle, TALL[colour], PEN[colour]
    if value > 9:  # noqa: PLR2004 two digits
        return (*sheet(colour), *number(value, middle, tall - LOWER, pen))
    return (*sheet(colour), *number(value, middle, tall, pen, WIDE, THICK))


def die(colour: str, value: int) -> Drawing:
    """Draw a die: a block of a card's cut with pips."""
    middle = DIE[colour].middle
    pips = PIPS[value]
    return (
        *block(colour),
        *(spot(64 + x * STEP, middle + y * STEP, PIP, PEN[colour]) for x, y in pips),
    )


def full(colour: str) -> Drawing:
    """Draw a pile that has reached its last card: dark, with a tick."""
    middle = CARD[colour].middle
    tick = ((40, middle + 4), (57, middle + 23), (89, middle - 22))
    return (*sheet(colour, dark=True), stroke(tick, 17, PAPER))


@cache
def faces() -> dict[str, Drawing]:
    """Return every face by name, the most wanted first."""
    return {
        **{f"{c}{n}": card(c, n) for c in FILL for n in range(1, CARDS + 1)},
        **{f"{c}0": outline(c) for c in FILL},
        **{f"{c}full": full(c) for c in FILL},
        **SIGNS,
        **{f"s{n}": numbered_back(n) for n in range(1, SEATS + 1)},
        **{f"{c}d{n}": die(c, n) for c in FILL for n in range(1, DICE + 1)},
    }
