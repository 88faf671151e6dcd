"""Drawings as pixels: as they look in a message, on a ground, beside each other."""

from collections.abc import Sequence
from functools import cache
from io import BytesIO

from PIL import Image, ImageChops, ImageStat

from bot.art.drawing import Drawing, render

IN_TEXT = 22
"""Pixels of an emoji in a line of text."""
DARK, LIGHT = "#313338", "#ffffff"


@cache
def full(drawing: Drawing) -> Image.Image:
    return opened(render(drawing))


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("RGBA")


def on(ground: str, drawing: Drawing, size: int = IN_TEXT) -> Image.Image:
    """The drawing in a size, on a ground of one colour."""
    small = full(drawing).resize((size, size), Image.Resampling.LANCZOS)
    picture = Image.new("RGBA", (size, size), ground)
    picture.alpha_composite(small)
    return picture.convert("RGB")


def apart(one: Image.Image, other: Image.Image) -> float:
    """How much two pictures differ: the mean of all channels, 0 to 255."""
    difference = ImageChops.difference(one, other)
    mean = ImageStat.Stat(difference).mean
    return sum(mean) / len(mean)


def sheet(drawings: Sequence[Drawing], across: int, size: int, ground: str) -> Image.Image:
    """Many drawings in rows."""
    down = -(-len(drawings) // across)
    picture = Image.new("RGB", (across * size, down * size), ground)
    for i, drawing in enumerate(drawings):
        picture.paste(on(ground, drawing, size), cell(i, across, size)[:2])
    return picture


def cell(number: int, across: int, size: int) -> tuple[int, int, int, int]:
    """Where a drawing is on a sheet: left, top, right, bottom."""
    left, top = number % across * size, number // across * size
    return left, top, left + size, top + size
