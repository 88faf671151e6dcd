"""GIF files from frames whose pixels are numbers of one palette: each frame is what has changed."""

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

CLEAR = 255
"""The pixel that lets the frame before it shine through. No colour of the palette has it."""
COLOURS = 255
KEEP = 1
"""The frame stays where the next one draws nothing."""
FOR_EVER = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
END = b";"


@dataclass(frozen=True, slots=True)
class Shown:
    """A frame in mode L, as large as the picture, and how many ms it is shown."""

    image: "Image.Image"
    delay: int


def gif(palette: bytes, frames: Iterable[Shown]) -> tuple[bytes, int]:
    """Return a GIF that repeats for ever, and its number of frames. Uses CPU.

    `palette`: red, green and blue of each colour. Frames that look like the one before lengthen it.
    There is at least one frame, all are of one size, and delays are in hundredths of a second.
    """
    first, *others = frames
    table = palette.ljust(3 * (COLOURS + 1), b"\0")
    size = struct.pack("<HH", *first.image.size)
    parts = [b"GIF89a", size, b"\xf7\0\0", table, FOR_EVER]
    count, waiting, before = 0, (first.image, (0, 0), first.delay), first.image
    for frame in others:
        changed = _change(before, frame.image)
        if changed is None:
            waiting = (*waiting[:2], waiting[2] + frame.delay)
            continue
        parts += _encoded(*waiting)
        count, waiting, before = count + 1, (*changed, frame.delay), frame.image
    return b"".join([*parts, *_encoded(*waiting), END]), count + 1


def _change(
    before: "Image.Image", now: "Image.Image"
) -> tuple["Image.Image", tuple[int, int]] | None:
    """Return what has changed, clear where nothing has, and its corner; None for no change."""
    from PIL import Image, ImageChops  # noqa: PLC0415 as in `bot.art.drawing`

    differs = ImageChops.difference(before, now)
    box = differs.getbbox()
    if box is None:
        return None
    cut = Image.new("L", (box[2] - box[0], box[3] - box[1]), CLEAR)
    mask = differs.crop(box).point([0] + [255] * 255)
    cut.paste(now.crop(box), mask=mask)
    return cut, box[:2]


def _encoded(image: "Image.Image", corner: tuple[int, int], delay: int) -> list[bytes]:
    from PIL import GifImagePlugin  # noqa: PLC0415 as in `bot.art.drawing`

    return GifImagePlugin.getdata(
        image, corner, duration=delay, transparency=CLEAR, disposal=KEEP, interlace=0
    )
