"""Message-wide pictures as PNG files of few colours.

With all their colours, writing the file would take longer than drawing the picture.
"""

from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING

from bot.art import palette

if TYPE_CHECKING:
    from PIL import Image

OVER = 2
"""Pictures are drawn so many times as large, for smooth edges."""
COLOURS = 240
"""The most colours in a file, without those of its corners. It has room for 256."""
NEAR = 4
"""The largest difference, per channel, of a colour from the artwork's colour that it replaces."""
LEVEL = 3
"""zlib's level: the next one takes three times as long, and saves a fifth of 12 kB."""
OPAQUE = 255
FLAT = (
    *(palette.GROUND, palette.TEXT, palette.FAINT, palette.GAIN, palette.LOSS, palette.BEFORE),
    *(palette.FIRST_ROW, palette.SOFT, palette.BAND, palette.STOP, palette.INK, palette.PAPER),
    *(fill for fill, _ in palette.MEDALS),
    *palette.FILL.values(),
)
"""The colours of areas."""


def wide_png(picture: "Image.Image", corner: int) -> bytes:
    """Return a picture of finished size as a PNG. Uses CPU.

    `corner`: the radius of its corners; what is outside is transparent. Areas keep their colours
    exactly. Those of smooth edges are the nearest of `COLOURS`.
    """
    from PIL import Image  # noqa: PLC0415 as in `bot.art.drawing`

    fewer = picture.quantize(COLOURS, Image.Quantize.FASTOCTREE)
    made = _exact(fewer.getpalette("RGB") or [])
    _round_corners(fewer, made, corner)
    fewer.putpalette(bytes(made), "RGBA")
    file = BytesIO()
    fewer.save(file, "PNG", compress_level=LEVEL)
    return file.getvalue()


def _exact(values: list[int]) -> bytearray:
    """Return a palette, of RGB, as RGBA, with the artwork's own colours for those that are near."""
    flat, made = _flat(), bytearray()
    for start in range(0, len(values), 3):
        red, green, blue = found = tuple(values[start : start + 3])
        for r, g, b in flat:
            if abs(g - green) <= NEAR and abs(r - red) <= NEAR and abs(b - blue) <= NEAR:
                found = (r, g, b)
                break
        made += bytes((*found, OPAQUE))
    return made


@cache
def _flat() -> list[tuple[int, ...]]:
    return [tuple(bytes.fromhex(colour.removeprefix("#"))) for colour in FLAT]


def _round_corners(picture: "Image.Image", made: bytearray, radius: int) -> None:
    """Make a picture's corners transparent, by further colours of its palette.

    All of them are the ground's; smooth edges need as many as they have degrees.
    """
    from PIL import Image, ImageDraw  # noqa: PLC0415 as above

    large, end = Image.new("L", (radius * OVER,) * 2), 2 * radius * OVER - 1
    ImageDraw.Draw(large).ellipse((0, 0, end, end), OPAQUE)
    seen = large.reduce(OVER)
    number = [0] * 256
    for alpha in {*seen.tobytes()}:
        number[alpha] = len(made) // 4
        made += bytes((*_flat()[0], alpha))
    numbers = seen.point(number)
    outside = seen.point([0 if alpha == OPAQUE else OPAQUE for alpha in range(256)])
    right, bottom = (length - radius for length in picture.size)
    for turns, at in enumerate(((0, 0), (0, bottom), (right, bottom), (right, 0))):
        corner, shape = (one.rotate(90 * turns) for one in (numbers, outside))
        picture.paste(corner, at, shape)
