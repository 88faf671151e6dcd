"""The four cuts: red round, yellow pointed, green square, blue with a shield's foot.

A card is cut upright, a die as a block. Without any colour the cut still tells which it is.
"""

from dataclasses import dataclass

from bot.art.drawing import Drawing, Line
from bot.art.palette import FILL, GREY, INK, PAPER, SIDE
from bot.art.shapes import LINE, RIM, arc, area, box, moved, stroke, tile

DEEP = 9
"""The height of a die's side, as it shows below the face."""
HAIR = 9
"""The width of an empty place's outline."""


@dataclass(frozen=True, slots=True)
class Cut:
    """An outline, how far it grows (which rounds its corners), and the height of its middle."""

    line: Line
    grow: float
    middle: float = 64


CARD: dict[str, Cut] = {
    "r": Cut(box(64, 64, 36, 60), 33),
    "y": Cut(((64, 11), (104, 31), (104, 97), (64, 117), (24, 97), (24, 31)), 11),
    "g": Cut(box(64, 64, 92, 116), 5),
    "b": Cut(((22, 10), (106, 10), (106, 92), (64, 118), (22, 92)), 9, 56),
}
DIE: dict[str, Cut] = {
    "r": Cut(box(64, 60, 48, 44), 34, 60),
    "y": Cut(
        ((41, 14), (87, 14), (110, 37), (110, 83), (87, 106), (41, 106), (18, 83), (18, 37)), 8, 60
    ),
    "g": Cut(box(64, 60, 100, 96), 6, 60),
    "b": Cut(((18, 15), (110, 15), (110, 80), (64, 108), (18, 80)), 8, 54),
}


def sheet(colour: str, *, dark: bool = False) -> Drawing:
    """Draw a blank card of a colour; a `dark` one has the colour of a die's side."""
    cut = CARD[colour]
    return tile(cut.line, cut.grow, (SIDE if dark else FILL)[colour])


def block(colour: str) -> Drawing:
    """Draw a die of a colour without pips."""
    cut = DIE[colour]
    low = moved(cut.line, 0, DEEP)
    rings = ((0, INK), (LINE, PAPER), (LINE + RIM, SIDE[colour]))
    body = tuple(
        area(line, cut.grow - inset, shade) for inset, shade in rings for line in (low, cut.line)
    )
    return (*body, area(cut.line, cut.grow - LINE - RIM, FILL[colour]))


def outline(colour: str) -> Drawing:
    """Draw a card's cut as a line: the place of a card or die that is still to come."""
    cut = CARD[colour]
    line = _rounded(cut) if colour == "r" else cut.line
    return (stroke((*line, line[0]), HAIR, GREY),)


def _rounded(cut: Cut) -> Line:
    """Return a box whose corners are round, as its growth would make them."""
    (left, top), _, (right, low), _ = cut.line
    radius = (cut.grow - HAIR / 2, cut.grow - HAIR / 2)
    corners = (((right, top), 270), ((right, low), 0), ((left, low), 90), ((left, top), 180))
    return tuple(point for at, start in corners for point in arc(at, radius, start, start + 90))
