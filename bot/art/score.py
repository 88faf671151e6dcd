"""The picture of a score: one row per player, in the order of the text beside it.

From the left: the place, the seat's mark, a bar per round, the total. A crown sits above the bar
of the player who ended the round. It contains no words, for the reason given in `rating`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from bot.art.drawing import SIZE, paint
from bot.art.faces import faces
from bot.art.palette import FAINT, GAIN, GROUND, LOSS, TEXT

if TYPE_CHECKING:
    from PIL import ImageDraw, ImageFont

WIDTH, ROW, EDGE = 600, 76, 14
"""Pixels. A phone shows the width at less than half, so marks and digits are drawn large."""
OVER = 2
DIGITS = 34
MARK, CROWN = 56, 26
PLACE, SEAT, BARS, TOTAL = 54, 68, 152, 500
"""The horizontal edges of the parts, in pixels from the left."""
WIDEST = 54
ROUNDS = 12
"""The most rounds drawn, counted from the last. More bars would be too thin."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One player's row: seat and place from 1, points per round, and the total."""

    seat: int
    place: int
    rounds: tuple[int, ...]
    total: int


def height(players: int) -> int:
    return players * ROW + 2 * EDGE


def png(standings: Sequence[Standing], stopped: Sequence[int | None]) -> bytes:
    """Draw the score as a PNG. Uses CPU.

    `stopped` holds, per round, the seat that ended it, or None.
    """
    from PIL import Image, ImageDraw, ImageFont  # noqa: PLC0415 as in `bot.art.drawing`

    size = (WIDTH, height(len(standings)))
    image = Image.new("RGB", (size[0] * OVER, size[1] * OVER), GROUND)
    font = ImageFont.load_default(size=DIGITS * OVER)
    sheet = _Sheet(ImageDraw.Draw(image), font, stopped[-ROUNDS:], most(standings))
    for number, standing in enumerate(standings):
        sheet.row(standing, EDGE + number * ROW)
    file = BytesIO()
    image.resize(size, Image.Resampling.LANCZOS).save(file, "PNG")
    return file.getvalue()


def most(standings: Sequence[Standing]) -> int:
    """Return the most points won or lost in a round, which is the longest bar."""
    shown = [abs(n) for one in standings for n in one.rounds[-ROUNDS:]]
    return max((*shown, 1))


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A picture being drawn. `most` is the points of the longest bar."""

    draw: "ImageDraw.ImageDraw"
    font: "ImageFont.FreeTypeFont | ImageFont.ImageFont"
    stopped: Sequence[int | None]
    most: int

    def row(self, standing: Standing, top: float) -> None:
        middle = top + ROW / 2
        if top > EDGE:
            self.line((EDGE, top), (WIDTH - EDGE, top), FAINT)
        self.text(PLACE, middle, str(standing.place))
        self.mark(f"s{standing.seat}", SEAT, middle - MARK / 2, MARK)
        self.text(WIDTH - EDGE - 6, middle, f"{standing.total:+d}" if standing.total else "0")
        self.line((BARS, middle), (TOTAL, middle), FAINT)
        step = (TOTAL - BARS) / max(len(self.stopped), 5)
        for i, points in enumerate(standing.rounds[-ROUNDS:]):
            x = BARS + step * (i + 0.5)
            self.bar(x, middle, min(step * 0.7, WIDEST), points)
            if self.stopped[i] == standing.seat:
                self.mark("crown", x - CROWN / 2, top + 2, CROWN)

    def bar(self, x: float, middle: float, width: float, points: int) -> None:
        """Draw a round's bar: up for points won, down for points lost."""
        end = middle - points / self.most * (ROW / 2 - 6)
        low, high = max(end, middle), min(end, middle)
        box = (x - width / 2, high - 1, x + width / 2, low + 1)
        colour = GAIN if points >= 0 else LOSS
        self.draw.rectangle([edge * OVER for edge in box], fill=colour)

    def line(self, start: tuple[float, float], end: tuple[float, float], colour: str) -> None:
        self.draw.line([edge * OVER for edge in (*start, *end)], fill=colour, width=2 * OVER)

    def text(self, right: float, middle: float, text: str) -> None:
        place = (right * OVER, middle * OVER)
        self.draw.text(place, text, fill=TEXT, font=self.font, anchor="rm")

    def mark(self, face: str, left: float, top: float, size: float) -> None:
        scale = size / SIZE * OVER
        paint(self.draw, faces()[face], (left * OVER, top * OVER), scale)
