"""A small animation, to see whether a client plays one in a message."""

from io import BytesIO
from typing import TYPE_CHECKING

from bot.art.palette import GAIN, GROUND

if TYPE_CHECKING:
    from PIL import Image

WIDTH, HEIGHT = 160, 48
FRAMES = 12
EACH = 80
"""Milliseconds per frame."""
BALL = 32


def moving() -> bytes:
    """Draw a looping GIF of about 3 kB: a dot that moves from side to side."""
    way = [*range(FRAMES // 2 + 1), *range(FRAMES // 2 - 1, 0, -1)]
    first, *others = (_frame(step / (FRAMES // 2)) for step in way)
    file = BytesIO()
    first.save(file, "GIF", save_all=True, append_images=others, duration=EACH, loop=0)
    return file.getvalue()


def _frame(share: float) -> "Image.Image":
    from PIL import Image, ImageDraw  # noqa: PLC0415 as in `bot.art.drawing`

    image = Image.new("RGB", (WIDTH, HEIGHT), GROUND)
    left, top = 8 + share * (WIDTH - BALL - 16), (HEIGHT - BALL) / 2
    ImageDraw.Draw(image).ellipse((left, top, left + BALL, top + BALL), fill=GAIN)
    return image
