"""The moving picture of a round: a GIF of at most 200 frames and 1 MiB."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.art.palette import FAINT, GROUND, TEXT
from bot.watch.drawing.gif import Shown, gif
from bot.watch.drawing.layout import WIDTH
from bot.watch.drawing.plan import FramePlan
from bot.watch.drawing.puts import PILE_TOP, PLAIN, Block, FacePut, PipsPut, Put, Region, TextPut
from bot.watch.drawing.tiles import FaceTile, PipsTile, Swatch, TextTile, Tile, Tiles, drawn
from bot.watch.rounds.pace import MOST, Frame, best, whole
from bot.watch.rounds.values import WatchedRound

if TYPE_CHECKING:
    from PIL import Image

LARGEST = 1_048_576
"""Bytes of a picture."""
ROWS = 75_000
"""Rows of pixels in all frames together: they take half a second of processor time to draw."""
FEWER = (100, 50, 25)
"""Frames of an excerpt, tried in turn until it isn't too large."""


@dataclass(frozen=True, slots=True)
class MovingPicture:
    """A GIF. `span`: the ms of the round that it shows; `frames` and `ms`: its length."""

    gif: bytes
    span: tuple[int, int]
    frames: int
    ms: int


def picture(round_: WatchedRound, names: Sequence[str], largest: int = LARGEST) -> MovingPicture:
    """Draw a round: whole, or its best ten seconds if the whole would be too much. Uses CPU.

    `names`: by seat. `largest`: bytes.
    """
    most = min(MOST, ROWS // FramePlan(round_, names, (0, 0)).layout.height)
    frames = whole(round_.steps, most)
    if frames is not None:
        made = draw(round_, names, frames)
        if len(made.gif) <= largest:
            return made
    made = draw(round_, names, best(round_.steps, most))
    for fewer in FEWER:
        if len(made.gif) <= largest:
            break
        made = draw(round_, names, best(round_.steps, fewer))
    return made


def draw(round_: WatchedRound, names: Sequence[str], frames: Sequence[Frame]) -> MovingPicture:
    """Draw these frames of a round."""
    span = (frames[0].step.at, frames[-1].step.at)
    tiles, images = drawn_frames(FramePlan(round_, names, span), frames)
    shown = (Shown(image, frame.delay) for image, frame in zip(images, frames, strict=True))
    made, count = gif(tiles.palette, shown)
    return MovingPicture(made, span, count, sum(frame.delay for frame in frames))


def drawn_frames(plan: FramePlan, frames: Sequence[Frame]) -> tuple[Tiles, Iterator["Image.Image"]]:
    """Return the tiles of these frames, and the frames one by one, in mode L."""
    regions = [plan.of(frame.step) for frame in frames]
    every = {put for frame in regions for region in frame for put in region.puts}
    tiles = drawn([*map(Swatch, PLAIN), *(tile for put in every if (tile := _tile(put)))])
    return tiles, _images((WIDTH, plan.layout.height), regions, tiles)


def _images(
    size: tuple[int, int], frames: Sequence[Sequence[Region]], tiles: Tiles
) -> Iterator["Image.Image"]:
    """Yield each frame: the one before, with the regions that differ drawn anew."""
    from PIL import Image  # noqa: PLC0415 as in `bot.art.drawing`

    canvas = Image.new("L", size, tiles.colour(GROUND))
    before: Sequence[Region | None] = [None] * len(frames[0])
    for regions in frames:
        canvas = canvas.copy()
        for region, old in zip(regions, before, strict=True):
            if region != old:
                canvas.paste(tiles.colour(GROUND), region.box)
                for put in region.puts:
                    _put(canvas, put, tiles)
        before = regions
        yield canvas


def _put(canvas: "Image.Image", put: Put, tiles: Tiles) -> None:
    if isinstance(put, Block):
        canvas.paste(tiles.colour(put.colour), put.box)
        return
    tile = _tile(put)
    assert tile is not None, "all but blocks have a tile"
    stamp = tiles.images[tile]
    canvas.paste(stamp, _corner(put, stamp.width, stamp.height))


def _tile(put: Put) -> Tile | None:
    match put:
        case FacePut(name, size):
            return FaceTile(name, size)
        case TextPut(text, size, colour):
            return TextTile(text, size, colour)
        case PipsPut(left_over, size):
            return PipsTile(left_over, PILE_TOP, size, TEXT, FAINT)
        case Block():
            return None


def _corner(put: FacePut | TextPut | PipsPut, width: int, height: int) -> tuple[int, int]:
    if isinstance(put, TextPut):
        left = put.left - width if put.from_right else put.left
        return left, put.middle - height // 2
    return put.left, put.top
