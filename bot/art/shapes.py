"""Lines and areas that faces and signs are made of. Measures are pixels of a finished picture."""

import math
from collections.abc import Iterable

from bot.art.drawing import Drawing, Line, Stroke
from bot.art.palette import INK, PAPER

LINE, RIM = 3, 5
"""A dark line outside for light grounds, a white rim within it for dark ones."""


def arc(middle: tuple[float, float], radius: tuple[float, float], start: int, end: int) -> Line:
    """Points on an ellipse. 0 degrees is right, 90 is down."""
    (x, y), (across, down) = middle, radius
    steps = max(2, abs(end - start) // 5)
    turns = [math.radians(start + (end - start) * step / steps) for step in range(steps + 1)]
    return _exact((x + across * math.cos(turn), y + down * math.sin(turn)) for turn in turns)


def box(x: float, y: float, across: float, down: float) -> Line:
    """A rectangle around a point."""
    right, low = across / 2, down / 2
    return ((x - right, y - low), (x + right, y - low), (x + right, y + low), (x - right, y + low))


def moved(line: Line, x: float, y: float, scale: float = 1.0, turn: float = 0.0) -> Line:
    """Scaled and turned (degrees) around (0, 0), then moved."""
    along, aside = math.cos(math.radians(turn)) * scale, math.sin(math.radians(turn)) * scale
    return _exact((x + px * along - py * aside, y + px * aside + py * along) for px, py in line)


def stroke(line: Line, width: float, colour: str) -> Stroke:
    return Stroke(line, width, colour)


def spot(x: float, y: float, width: float, colour: str) -> Stroke:
    return Stroke(((x, y),), width, colour)


def area(line: Line, grow: float, colour: str) -> Stroke:
    """What lies within a line, grown to every side, which rounds its corners."""
    return Stroke(line, grow * 2, colour, filled=True)


def tile(line: Line, grow: float, colour: str) -> Drawing:
    """An area with a rim and a line around it."""
    rings = ((0, INK), (LINE, PAPER), (LINE + RIM, colour))
    return tuple(area(line, grow - inset, shade) for inset, shade in rings)


def _exact(points: Iterable[tuple[float, float]]) -> Line:
    """To a hundredth of a pixel: the same on every machine."""
    return tuple((round(x, 2), round(y, 2)) for x, y in points)
