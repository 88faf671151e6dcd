"""Digits drawn as strokes, without a font, heavy enough to read at 22 pixels."""

from bot.art.drawing import Drawing, Line
from bot.art.shapes import arc, stroke

WIDTH, HEIGHT = 32, 52
"""The box that holds the centre lines below."""
NARROW = 19
"""The width of a one."""
THICK = 15
GAP = 17
SQUEEZE = 0.74
"""The width of each digit of a two-digit number, as a share of its full width."""

DIGIT: dict[str, tuple[Line, ...]] = {
    "0": ((*arc((16, 16), (16, 16), 180, 360), *arc((16, 36), (16, 16), 0, 180), (0, 16)),),
    "1": (((4, 11), (17, 0), (17, 52)),),
    "2": ((*arc((16, 16), (16, 16), 185, 398), (1, 52), (33, 52)),),
    "3": (((2, 0), (29, 0), (14, 21), *arc((14, 36.5), (18, 15.5), 275, 515)),),
    "4": (((23, 52), (23, 0), (-2, 36), (34, 36)),),
    "5": (((30, 0), (5, 0), (2, 25), *arc((14.5, 34.5), (17, 17.5), 215, 505)),),
    "6": (arc((32, 36), (32, 38), 182, 250), arc((16, 36), (16, 16), 0, 360)),
    "7": (((0, 0), (32, 0), (11, 52)),),
    "8": (arc((16, 12.5), (13.5, 12.5), 0, 360), arc((16, 38.5), (16.5, 13.5), 0, 360)),
    "9": (arc((0, 16), (32, 38), 2, 70), arc((16, 16), (16, 16), 0, 360)),
}


def number(
    value: int, y: float, height: float, colour: str, wide: float = 1.0, thick: float = THICK
) -> Drawing:
    """Draw a number centred at height `y`, `height` between the centres of its outer strokes.

    `wide` stretches its digits, `thick` is the width of its strokes.
    """
    digits = str(value)
    squeeze = SQUEEZE if len(digits) > 1 else 1.0
    scale = height / HEIGHT
    across = scale * squeeze * wide
    widths = [(NARROW if digit == "1" else WIDTH) * across for digit in digits]
    gap = GAP * squeeze * scale
    left = 64 - (sum(widths) + gap * (len(digits) - 1)) / 2
    strokes: Drawing = ()
    for digit, width in zip(digits, widths, strict=True):
        for line in DIGIT[digit]:
            placed = tuple(
                (round(left + x * across, 2), round(y + (py - HEIGHT / 2) * scale, 2))
                for x, py in line
            )
            strokes += (stroke(placed, thick, colour),)
        left += width + gap
    return strokes
