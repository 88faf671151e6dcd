"""The picture of a rating over time.

It contains no words, because Pillow's built-in font has only the letters of English.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

from bot.art.palette import FAINT, GAIN, GROUND, TEXT

WIDTH, HEIGHT = 800, 400
"""The size in pixels. A phone shows half of it, so lines and digits are drawn large."""
LEFT, RIGHT, TOP, BOTTOM = 104, 28, 28, 52
DIGITS = 28
MOST = 300
"""The most points drawn. More would share pixels."""
STEPS = (1, 2, 5)
"""The distances between grid lines, times a power of ten."""
LINES = 4


@dataclass(frozen=True, slots=True)
class Scale:
    """The vertical axis: ratings from `low` to `high`, with a line every `step`."""

    low: int
    high: int
    step: int

    def y(self, rating: float) -> float:
        share = (rating - self.low) / (self.high - self.low)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)


def scale(ratings: Sequence[int]) -> Scale:
    """Return a scale of round numbers that holds the ratings, with few grid lines."""
    low, high = min(ratings), max(ratings)
    step = next(
        size
        for power in range(9)
        for size in (step * 10**power for step in STEPS)
        if (high - low) / size <= LINES
    )
    bottom = low // step * step
    return Scale(bottom, max(-(-high // step) * step, bottom + step), step)


def points(ratings: Sequence[int]) -> list[tuple[float, float]]:
    """Return the pixel of each rating, from the left edge to the right."""
    across = WIDTH - LEFT - RIGHT
    of = scale(ratings)
    last = max(1, len(ratings) - 1)
    return [(LEFT + across * i / last, of.y(rating)) for i, rating in enumerate(ratings)]


def thinned(ratings: Sequence[int]) -> list[int]:
    """Return at most MOST ratings: the first, the last, and evenly spaced ones between."""
    if len(ratings) <= MOST:
        return list(ratings)
    return [ratings[i * (len(ratings) - 1) // (MOST - 1)] for i in range(MOST)]


def png(ratings: Sequence[int]) -> bytes:
    """Draw a PNG with a line through the rating after each match. Uses CPU."""
    from PIL import Image, ImageDraw, ImageFont  # noqa: PLC0415 as in `bot.art.drawing`

    image = Image.new("RGB", (WIDTH, HEIGHT), GROUND)
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(size=DIGITS)
    shown = thinned(ratings)
    of = scale(shown)
    for value in range(of.low, of.high + 1, of.step):
        y = of.y(value)
        draw.line(((LEFT, y), (WIDTH - RIGHT, y)), fill=FAINT, width=2)
        draw.text((LEFT - 12, y), str(value), fill=TEXT, font=font, anchor="rm")
    path = points(shown)
    draw.line(path, fill=GAIN, width=5, joint="curve")
    draw.circle(path[-1], 9, fill=GAIN, outline=GROUND, width=3)
    below = HEIGHT - 16
    draw.text((LEFT, below), "1", fill=TEXT, font=font, anchor="ls")
    draw.text((WIDTH - RIGHT, below), str(len(ratings)), fill=TEXT, font=font, anchor="rs")
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()
