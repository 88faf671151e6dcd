"""The picture of a score: a row per player, in the order of the words beside it.

From the left: a medal or the place, the name, a stop sign if the player ended the last round or a
flag if they left, a bar of the total with a notch per round, what the last round added or took, and
the total. Names are its only words, so it is the same in every language.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

from bot.art.drawing import SIZE, paint
from bot.art.faces import faces
from bot.art.lettering import cut, font, writable
from bot.art.palette import (
    BEFORE,
    FIRST_ROW,
    GAIN,
    GROUND,
    LOSS,
    MEDALS,
    SOFT,
    TEXT,
)
from bot.art.wide_png import OVER, wide_png

if TYPE_CHECKING:
    from PIL import ImageDraw

WIDTH, EDGE, CORNER = 480, 10, 12
TALL, LOW, TALL_UP_TO = 42, 33, 6
"""The height of a row, up to so many players and above. All lengths are units of the picture."""
PIXELS = 2
"""Pixels per unit of the finished picture."""
SCALE = PIXELS * OVER
MEDAL, NAME, ZERO, FULL, CHANGE, TOTAL = 28, 52, 226, 362, 412, 466
"""Distances from the left: of medals to their centre, of bars from ZERO to FULL, of figures to
their right edge."""
SIGN = 24
"""The room that a sign takes, after a name and before the bars."""
MINUS = "\u2212"


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A player's row: the seat from 1, the place that it shows, and the points of every round.

    `left`: they left the match before it was over. `has_medal`: first places have medals, as long
    as somebody can win.
    """

    seat: int
    place: int
    name: str
    rounds: tuple[int, ...]
    left: bool = False
    has_medal: bool = True


def height(players: int) -> int:
    """Return the picture's height in units."""
    return players * row_height(players) + 2 * EDGE


def row_height(players: int) -> int:
    return TALL if players <= TALL_UP_TO else LOW


def nameless(standings: Sequence[ScoreRow]) -> tuple[int, ...]:
    """Return the seats whose row shows their number instead of their name. Uses CPU.

    The font lacks a letter of theirs, or another player's name looks the same in the picture.
    """
    return tuple(
        one.seat for one, name in zip(standings, _names(standings), strict=True) if name is None
    )


def png(standings: Sequence[ScoreRow], stopped: int | None) -> bytes:
    """Draw the score as a PNG with transparent corners. Uses CPU.

    `stopped`: the seat, from 1, that ended the last round; None if no seat did. Rows are drawn one
    after the other: fresh memory for a whole picture of that size would cost as much as the rest.
    """
    from PIL import Image, ImageDraw  # noqa: PLC0415 as in `bot.art.drawing`

    high, players = row_height(len(standings)), len(standings)
    picture = Image.new("RGB", (WIDTH * PIXELS, height(players) * PIXELS), GROUND)
    band = Image.new("RGB", (WIDTH * SCALE, high * SCALE))
    sheet = _Sheet(ImageDraw.Draw(band), standings, stopped)
    for number, name in enumerate(_names(standings)):
        band.paste(GROUND, (0, 0, *band.size))
        sheet.row(number, name)
        picture.paste(band.reduce(OVER), (0, (EDGE + number * high) * PIXELS))
    return wide_png(picture, CORNER * PIXELS)


def _names(standings: Sequence[ScoreRow]) -> list[str | None]:
    """Return each row's name as it is written, None for those in `nameless`."""
    letters = font(_letter_size(len(standings)) * SCALE)
    room = (ZERO - NAME - SIGN - EDGE) * SCALE
    drawn = [writable(one.name, letters) for one in standings]
    fitted = [None if name is None else cut(name, letters, room) for name in drawn]
    looks = {(name, one.name) for name, one in zip(fitted, standings, strict=True)}
    alike = Counter(name for name, _ in looks)
    return [None if alike[name] > 1 else name for name in fitted]


def _letter_size(players: int) -> int:
    return 20 if players <= TALL_UP_TO else 17


@dataclass(frozen=True)
class _Sheet:
    """The rows of a picture, each drawn at the top."""

    draw: "ImageDraw.ImageDraw"
    standings: Sequence[ScoreRow]
    stopped: int | None

    @cached_property
    def high(self) -> int:
        return row_height(len(self.standings))

    @cached_property
    def ends(self) -> tuple[int, int]:
        """The least and the most points that anybody has had, with 0 between them."""
        had = [total for one in self.standings for total in accumulate(one.rounds)]
        return min((0, *had)), max((1, *had))

    def row(self, number: int, name: str | None) -> None:
        standing = self.standings[number]
        middle, letters = self.high / 2, _letter_size(len(self.standings))
        if standing.place == 1 and standing.has_medal:
            self.block((6, 1, WIDTH - 6, self.high - 1), FIRST_ROW, 8)
        self.place(standing, middle, letters - 5)
        end = self.name(standing.seat, name, middle, letters)
        if standing.left:
            self.mark("flag", end + 2, middle)
        elif standing.seat == self.stopped:
            self.mark("stop", end + 2, middle)
        self.bar(standing.rounds, middle)
        last = standing.rounds[-1] if standing.rounds else 0
        shade = GAIN if last > 0 else LOSS if last < 0 else SOFT
        self.figure(CHANGE, middle, f"{last:+d}", shade, letters)
        self.figure(TOTAL, middle, str(sum(standing.rounds)), TEXT, letters + 2)

    def place(self, standing: ScoreRow, middle: float, size: int) -> None:
        at, pen, place = (MEDAL * SCALE, middle * SCALE), SOFT, standing.place
        if standing.has_medal and place <= len(MEDALS):
            fill, pen = MEDALS[place - 1]
            self.draw.circle(at, self.high * 0.31 * SCALE, fill)
        self.draw.text(at, str(place), pen, font(size * SCALE, bold=True), "mm")

    def name(self, seat: int, name: str | None, middle: float, size: int) -> float:
        """Write the name, or draw the seat's number. Return where it ends."""
        if name is None:
            return self.mark(f"s{seat}", NAME, middle)
        letters = font(size * SCALE)
        self.draw.text((NAME * SCALE, middle * SCALE), name, TEXT, letters, "lm")
        return NAME + letters.getlength(name) / SCALE

    def bar(self, rounds: Sequence[int], middle: float) -> None:
        """Draw the total as a bar from 0: what it was before the last round, and the change."""
        before, now = sum(rounds[:-1]), sum(rounds)
        zero, half = self.x(0), self.high * 0.3
        self.block((zero - 0.6, middle - half, zero + 0.6, middle + half), SOFT)
        if before * now > 0:
            self.piece(0, min(before, now, key=abs), middle, BEFORE)
        if now >= before:
            self.piece(before, now, middle, GAIN)
        else:
            self.taken(before, now, middle)
        self.notches(rounds, middle)

    def notches(self, rounds: Sequence[int], middle: float) -> None:
        half, width = self.high * 0.2, 1 if len(rounds) <= TALL_UP_TO else 0.5
        for total in accumulate(rounds[:-1]):
            x = self.x(total)
            self.block((x - width, middle - half, x + width, middle + half), GROUND)

    def taken(self, before: int, now: int, middle: float) -> None:
        """Frame what the last round took, and fill what it took below 0."""
        left, right, half = self.x(now), self.x(before), self.high * 0.2
        box = [edge * SCALE for edge in (left, middle - half, right, middle + half)]
        self.draw.rectangle(box, outline=LOSS, width=2 * SCALE)
        if now < 0:
            self.piece(min(before, 0), now, middle, LOSS)

    def piece(self, start: int, end: int, middle: float, shade: str) -> None:
        if start != end:
            low, high = sorted((self.x(start), self.x(end)))
            self.block((low, middle - self.high * 0.2, high, middle + self.high * 0.2), shade)

    def x(self, points: int) -> float:
        low, high = self.ends
        return ZERO + (points - low) / (high - low) * (FULL - ZERO)

    def mark(self, face: str, left: float, middle: float) -> float:
        """Draw a small picture after a name or in its place. Return where it ends."""
        high = self.high * 0.62
        corner = (left * SCALE, (middle - high / 2) * SCALE)
        paint(self.draw, faces()[face], corner, high / SIZE * SCALE)
        return left + high

    def block(self, box: tuple[float, float, float, float], shade: str, corner: float = 0) -> None:
        left, top, right, bottom = (round(edge * SCALE) for edge in box)
        inside = (left, top, max(left, right - 1), max(top, bottom - 1))
        self.draw.rounded_rectangle(inside, corner * SCALE, fill=shade)

    def figure(self, right: float, middle: float, text: str, shade: str, size: int) -> None:
        letters = font(size * SCALE, bold=shade == TEXT)
        where = (right * SCALE, middle * SCALE)
        self.draw.text(where, text.replace("-", MINUS), shade, letters, "rm")
