"""Pictures as numbers: how each kind of eye sees their pixels."""

from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

from coloraide import Color
from PIL import Image

Triple: TypeAlias = tuple[float, float, float]
Matrix: TypeAlias = tuple[Triple, Triple, Triple]

EYES = ("normal", "protan", "deutan", "tritan")
SIGHTS = (*EYES, "grey")
"""The kinds of sight. `grey` sees no colour at all, as on a printed page."""
LUMINANCE: Triple = (0.2126, 0.7152, 0.0722)
WHITE: Triple = (0.95047, 1.0, 1.08883)
LINEAR = tuple(Color("srgb", [byte / 255] * 3).convert("srgb-linear")[0] for byte in range(256))
"""The light of a channel by its byte."""


@cache
def matrix(sight: str) -> Matrix:
    """Return what a sight makes of linear red, green and blue: a row per channel it sees."""
    if sight == "normal":
        return (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    if sight == "grey":
        return LUMINANCE, LUMINANCE, LUMINANCE
    red, green, blue = (
        Color("srgb-linear", primary).filter(sight, method="machado", space="srgb-linear")
        for primary in ([1, 0, 0], [0, 1, 0], [0, 0, 1])
    )
    rows = [(red[i], green[i], blue[i]) for i in range(3)]
    return rows[0], rows[1], rows[2]


def light(picture: Image.Image, sight: str) -> list[Triple]:
    """Return the linear light of each pixel, 0 to 1 in each channel, as a sight has it."""
    rows = matrix(sight)
    bands = [[LINEAR[byte] for byte in band.tobytes()] for band in picture.split()]
    pixels = zip(*bands, strict=True)
    if sight == "normal":
        return list(pixels)
    return [_seen(pixel, rows) for pixel in pixels]


def _seen(pixel: Sequence[float], rows: Matrix) -> Triple:
    r, g, b = pixel
    red, green, blue = (min(1.0, max(0.0, x * r + y * g + z * b)) for x, y, z in rows)
    return red, green, blue


def lab(pixel: Triple) -> Triple:
    """Return CIELAB's lightness, a and b of linear light, by D65."""
    r, g, b = pixel
    x, y, z = (
        _root((across * r + down * g + deep * b) / white)
        for (across, down, deep), white in zip(XYZ, WHITE, strict=True)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


XYZ: Matrix = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
"""CIE XYZ of linear sRGB (IEC 61966-2-1)."""
_DARK = 0.008856


def _root(part: float) -> float:
    return part ** (1 / 3) if part > _DARK else 7.787 * part + 16 / 116
