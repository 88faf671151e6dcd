"""Drawings as values: strokes and areas, bottom first. `render` turns one into a PNG."""

import hashlib
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from PIL import ImageDraw

SIZE = 128
"""The width and height of a finished picture in pixels."""
OVER = 4
"""The oversampling factor, for smooth edges."""
EDITION = 1
"""A version number. Increase it when `render` draws the same values differently."""

Point: TypeAlias = tuple[float, float]
Line: TypeAlias = tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line with round ends and corners, in pixels of the finished picture.

    A single point draws a spot. A `filled` line is closed; its stroke enlarges the area and rounds
    its corners.
    """

    points: Line
    width: float
    colour: str
    filled: bool = False


Drawing: TypeAlias = tuple[Stroke, ...]


@cache
def digest(drawing: Drawing) -> str:
    """Return six hex digits that depend on the drawing and not on the Pillow version."""
    told = repr((EDITION, SIZE, drawing))
    return hashlib.sha256(told.encode()).hexdigest()[:6]


def render(drawing: Drawing) -> bytes:
    """Render a PNG with a transparent background. Takes a few hundredths of a second of CPU.

    Pillow is imported here, so a bot that draws nothing never loads it.
    """
    from PIL import Image, ImageDraw  # noqa: PLC0415 see above

    image = Image.new("RGBA", (SIZE * OVER, SIZE * OVER))
    paint(ImageDraw.Draw(image), drawing, (0, 0), OVER)
    file = BytesIO()
    image.resize((SIZE, SIZE), Image.Resampling.LANCZOS).save(file, "PNG")
    return file.getvalue()


def paint(draw: "ImageDraw.ImageDraw", drawing: Drawing, corner: Point, scale: float) -> None:
    """Paint a drawing into a larger picture, with its top left corner at `corner`."""
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
