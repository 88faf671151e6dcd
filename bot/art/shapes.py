"""Lines and areas that make up faces and signs, in pixels of the finished picture."""

import math
from collections.abc import Iterable

from bot.art.drawing import Drawing, Line, Stroke
from bot.art.palette import INK, PAPER

LINE, RIM = 3, 5
"""The widths of the dark outline and of the white rim inside it, for light and dark backgrounds."""


def arc(middle: tuple[float, float], radius: tuple[float, float], start: int, end: int) -> Line:
    """Return points on an ellipse, from `start` to `end` degrees: 0 is right, 90 is down."""
    (x, y), (across, down) = middle, radius
    steps = max(2, abs(end - start) // 5)
    turns = [math.radians(start + (end - start) * step / steps) for step in range(steps + 1)]
    return _exact((x + across * math.cos(turn), y + down * math.sin(turn)) for turn in turns)


def box(x: float, y: float, across: float, down: float) -> Line:
    """Return a rectangle centred on a point."""
    right, low = across / 2, down / 2
    return ((x - right, y - low), (x + right, y - low), (x + right, y + low), (x - right, y + low))


def moved(line: Line, x: float, y: float, scale: float = 1.0, turn: float = 0.0) -> Line:
    """Scale a line and turn it (degrees) around (0, 0), then move it."""
    along, aside = math.cos(math.radians(turn)) * scale, math.sin(math.radians(turn)) * scale
    return _exact((x + px * along - py * aside, y + px * aside + py * along) for px, py in line)


def stroke(line: Line, width: float, colour: str) -> Stroke:
    return Stroke(line, width, colour)


def spot(x: float, y: float, width: float, colour: str) -> Stroke:
    return Stroke(((x, y),), width, colour)


def area(line: Line, grow: float, colour: str) -> Stroke:
    """Fill a line, grown on every side, which rounds its corners."""
    return Stroke(line, grow * 2, colour, filled=True)


def tile(line: Line, grow: float, colour: str) -> Drawing:
    """Draw an area with a rim and an outline around it."""
    rings = ((0, INK), (LINE, PAPER), (LINE + RIM, colour))
    return tuple(area(line, grow - inset, shade) for inset, shade in rings)


def _exact(points: Iterable[tuple[float, float]]) -> Line:
    """Round to a hundredth of a pixel, so that every machine gets the same points."""
    return tuple((round(x, 2), round(y, 2)) for x, y in points)
