"""Small pictures as numbers of one palette: all are drawn on one sheet, which is reduced once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from bot.art.drawing import SIZE, paint
from bot.art.faces import faces
from bot.art.lettering import font
from bot.art.palette import GROUND

if TYPE_CHECKING:
    from PIL import Image, ImageFont

OVER = 3
"""The oversampling factor of faces, for smooth edges."""
COLOURS = 64
"""Colours of the palette. Fewer make smaller files."""
SHEET = 1_024
"""The width of the sheet."""


@dataclass(frozen=True, slots=True)
class FaceTile:
    """A face of `bot.art.faces` on a ground, this many pixels wide and high."""

    name: str
    size: int
    ground: str = GROUND


@dataclass(frozen=True, slots=True)
class TextTile:
    """A text on a ground, as wide as it is. `size`: of its letters."""

    text: str
    size: int
    colour: str
    ground: str = GROUND
    bold: bool = False

    @property
    def font(self) -> "ImageFont.FreeTypeFont":
        return font(self.size, bold=self.bold)


@dataclass(frozen=True, slots=True)
class Swatch:
    """A plain colour."""

    colour: str


@dataclass(frozen=True, slots=True)
class PipsTile:
    """`of` pips side by side, of which the first `left` are lit."""

    left: int
    of: int
    size: tuple[int, int]
    lit: str
    dark: str


Tile: TypeAlias = FaceTile | TextTile | Swatch | PipsTile


@dataclass(frozen=True)
class Tiles:
    """Tiles in mode L: each pixel is the number of a colour of `palette`."""

    palette: bytes
    images: Mapping[Tile, "Image.Image"]

    def colour(self, colour: str) -> int:
        """Return the number of a colour that has a `Swatch`."""
        return self.images[Swatch(colour)].tobytes()[0]


def drawn(wanted: Iterable[Tile]) -> Tiles:
    """Draw tiles, each once. Uses CPU."""
    from PIL import Image  # noqa: PLC0415 as in `bot.art.drawing`

    tiles = sorted(set(wanted), key=_height)
    pictures = [_picture(tile) for tile in tiles]
    corners, height = _placed([picture.size for picture in pictures])
    sheet = Image.new("RGB", (SHEET, height), GROUND)
    for picture, corner in zip(pictures, corners, strict=True):
        sheet.paste(picture, corner)
    reduced = sheet.quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    palette = bytes(reduced.getpalette() or ())
    numbers = Image.frombytes("L", reduced.size, reduced.tobytes())
    return Tiles(
        palette,
        {
            tile: numbers.crop((*corner, corner[0] + picture.width, corner[1] + picture.height))
            for tile, picture, corner in zip(tiles, pictures, corners, strict=True)
        },
    )


def _height(tile: Tile) -> tuple[int, str]:
    """Sort tiles by height, and always in the same way."""
    if isinstance(tile, Swatch):
        return 0, repr(tile)
    high = tile.size[1] if isinstance(tile, PipsTile) else tile.size
    return high, repr(tile)


def _placed(sizes: Sequence[tuple[int, int]]) -> tuple[list[tuple[int, int]], int]:
    """Return a corner for each size, line by line, and the height of all."""
    corners: list[tuple[int, int]] = []
    left = top = high = 0
    for width, height in sizes:
        if left + width > SHEET:
            left, top, high = 0, top + high, 0
        corners.append((left, top))
        left, high = left + width, max(high, height)
    return corners, top + high


def _picture(tile: Tile) -> "Image.Image":
    from PIL import Image, ImageDraw  # noqa: PLC0415 as in `bot.art.drawing`

    match tile:
        case FaceTile(name, size, ground):
            large = Image.new("RGB", (size * OVER, size * OVER), ground)
            paint(ImageDraw.Draw(large), faces()[name], (0, 0), size * OVER / SIZE)
            return large.reduce(OVER)
        case TextTile(text, size, colour, ground):
            wide = max(1, round(tile.font.getlength(text)))
            image = Image.new("RGB", (wide, round(size * 1.4)), ground)
            ImageDraw.Draw(image).text((0, size * 0.7), text, colour, tile.font, "lm")
            return image
        case PipsTile(left, of, (width, high), lit, dark):
            image = Image.new("RGB", (of * width, high), GROUND)
            draw = ImageDraw.Draw(image)
            for pip in range(of):
                box = (pip * width, 0, (pip + 1) * width - 2, high - 1)
                draw.rectangle(box, lit if pip < left else dark)
            return image
        case Swatch(colour):
            return Image.new("RGB", (8, 8), colour)
