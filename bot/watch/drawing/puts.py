"""The parts of a frame: faces, texts, pips and plain blocks, at their places."""

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from bot.art.palette import BEFORE, FAINT, GAIN, GOLD, GROUND, LIGHT, SOFT, STOP, TEXT
from bot.watch.drawing.layout import Box

PILE_TOP = 10
"""Cards of a full Ligretto pile, and of a full pile of the centre."""
PLAIN = (GROUND, TEXT, SOFT, FAINT, BEFORE, GOLD, LIGHT, STOP, GAIN)
"""Colours of blocks."""


class FacePut(NamedTuple):
    name: str
    size: int
    left: int
    top: int


class TextPut(NamedTuple):
    """`left` is the right end if `from_right`; `middle` is that of the line."""

    text: str
    size: int
    colour: str
    left: int
    middle: int
    from_right: bool = False


class PipsPut(NamedTuple):
    left_over: int
    size: tuple[int, int]
    left: int
    top: int


class Block(NamedTuple):
    box: Box
    colour: str


Put: TypeAlias = FacePut | TextPut | PipsPut | Block


class Region(NamedTuple):
    """A part of a frame that nothing else reaches into, and all that is put there."""

    box: Box
    puts: tuple[Put, ...]


def framed(box: Box, colour: str) -> Iterator[Put]:
    """Put a thin frame just inside a box."""
    left, top, right, low = box
    yield Block((left, top, right, low), colour)
    yield Block((left + 2, top + 2, right - 2, low - 2), GROUND)
