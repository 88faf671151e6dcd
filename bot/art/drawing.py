"""A drawing is a value: strokes and areas, from the bottom up. `render` turns it into a PNG."""

import hashlib
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from PIL import ImageDraw

SIZE = 128
"""Pixels of a finished picture, across and down."""
OVER = 4
"""It is drawn so many times as large, for smooth edges."""
EDITION = 1
"""Goes up when `render` draws the same values differently."""

Point: TypeAlias = tuple[float, float]
Line: TypeAlias = tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line with round ends and corners, in pixels of the finished picture. One point is a spot;
    what is `filled` is closed, and its stroke makes it larger and its corners round.
    """

    points: Line
    width: float
    colour: str
    filled: bool = False


Drawing: TypeAlias = tuple[Stroke, ...]


@cache
def digest(drawing: Drawing) -> str:
    """Six hexadecimal digits that change with the drawing, whatever Pillow is installed."""
    told = repr((EDITION, SIZE, drawing))
    return hashlib.sha256(told.encode()).hexdigest()[:6]


def render(drawing: Drawing) -> bytes:
    """A PNG with a transparent ground. Takes some hundredths of a second of CPU.

    Pillow is imported here: a bot that draws nothing does not carry it.
    """
    from PIL import Image, ImageDraw  # noqa: PLC0415 see above

    image = Image.new("RGBA", (SIZE * OVER, SIZE * OVER))
    paint(ImageDraw.Draw(image), drawing, (0, 0), OVER)
    file = BytesIO()
    image.resize((SIZE, SIZE), Image.Resampling.LANCZOS).save(file, "PNG")
    return file.getvalue()


def paint(draw: "ImageDraw.ImageDraw", drawing: Drawing, corner: Point, scale: float) -> None:
    """A drawing as a part of a larger picture, `corner` being its left upper one there."""
    left, top = corner
    for stroke in drawing:
        points = [(left + x * scale, top + y * scale) for x, y in stroke.points]
        if stroke.filled:
            draw.polygon(points, stroke.colour)
            points.append(points[0])
        if stroke.width > 0:
            draw.line(points, stroke.colour, round(stroke.width * scale), "curve")
            for point in points:
                draw.circle(point, stroke.width * scale / 2, stroke.colour)
