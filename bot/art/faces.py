"""Every small picture by name.

`r7` is a card, `rd3` a die, `r0` an empty place of a colour, `s2` the second seat; `crown` and the
other signs have words.
"""

from functools import cache

from bot.art.digits import number
from bot.art.drawing import Drawing, Line
from bot.art.palette import FILL, GREY, INK, PAPER, PEN, SIDE
from bot.art.shapes import LINE, RIM, arc, area, box, moved, spot, stroke, tile
from bot.art.signs import SIGNS

CARDS, DICE, SEATS = 10, 6, 12

SHAPE: dict[str, Line] = {
    "r": arc((0, 0), (52, 52), 0, 355),
    "y": ((0, -46), (46, 0), (0, 46), (-46, 0)),
    "g": box(0, 0, 98, 98),
    "b": ((-49, -50), (49, -50), (49, 10), (0, 50), (-49, 10)),
}
"""The disc, diamond, square and shield, centred on (0, 0)."""
GROW = {"r": 11, "y": 17, "g": 11, "b": 12}
"""The margin each shape grows by, which rounds its corners."""
MIDDLE = {"r": 64, "y": 64, "g": 64, "b": 59}
HEIGHT = {"r": 60, "y": 52, "g": 64, "b": 60}
"""The centre and the height of the number on each shape."""


def card(colour: str, value: int) -> Drawing:
    height = HEIGHT[colour] - (4 if value > 9 else 0)  # noqa: PLR2004 two digits
    return (
        *tile(moved(SHAPE[colour], 64, 64), GROW[colour], FILL[colour]),
        *number(value, MIDDLE[colour], height, PEN[colour]),
    )


def die(colour: str, value: int) -> Drawing:
    """Draw a card's silhouette as a block with a dark side below."""
    low = tuple((round(64 + x * 0.96, 2), round(70 + y * 0.9, 2)) for x, y in SHAPE[colour])
    half, top = moved(low, 0, -6), moved(low, 0, -13)
    rings = ((0, INK), (LINE, PAPER), (LINE + RIM, SIDE[colour]))
    block = tuple(
        area(line, GROW[colour] - inset, shade)
        for inset, shade in rings
        for line in (low, half, top)
    )
    face = area(top, GROW[colour] - LINE - RIM, FILL[colour])
    return (
        *block,
        face,
        *number(value, MIDDLE[colour] - 7, HEIGHT[colour] - 6, PEN[colour]),
    )


def empty(colour: str) -> Drawing:
    """Draw the place for a card or die of this colour: its silhouette in outline."""
    shape = moved(SHAPE[colour], 64, 64, 0.92)
    return (stroke((*shape, shape[0]), 10, GREY),)


def seat(value: int) -> Drawing:
    """Draw a player: head and shoulders with a number, in no card's colour."""
    shoulders = (*arc((64, 82), (46, 42), 180, 360), (110, 114), (18, 114))
    head = tuple(spot(64, 22, width, shade) for width, shade in ((44, INK), (38, PAPER)))
    body = tuple(area(shoulders, grow, shade) for grow, shade in ((14, INK), (11, PAPER)))
    return (*head, *body, *number(value, 82, 52 if value < 10 else 48, INK))  # noqa: PLR2004 digits


@cache
def faces() -> dict[str, Drawing]:
    """Return every face by name, the most wanted first."""
    return {
        **{f"{c}{n}": card(c, n) for c in FILL for n in range(1, CARDS + 1)},
        **{f"{c}0": empty(c) for c in FILL},
        **SIGNS,
        **{f"s{n}": seat(n) for n in range(1, SEATS + 1)},
        **{f"{c}d{n}": die(c, n) for c in FILL for n in range(1, DICE + 1)},
    }
