"""The picture of a rating over time: its line, how sure it was, and dates.

Its words are a name and dates, which come in the reader's language. A name that the font doesn't
write is left out: the words beside the picture have it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from bot.art.lettering import cut, font, writable
from bot.art.palette import BAND, FAINT, GAIN, GROUND, SOFT, TEXT
from bot.art.wide_png import OVER, wide_png

if TYPE_CHECKING:
    from PIL import ImageDraw

WIDTH, HEIGHT, CORNER = 480, 264, 12
PIXELS = 2
"""As in `bot.art.score`: all lengths are units of the picture."""
SCALE = PIXELS * OVER
LEFT, RIGHT, TOP, BOTTOM = 66, 464, 62, 222
"""The edges of the plot."""
EDGE, HEAD, FOOT = 16, 30, 244
"""The distance of words from the sides, and the middles of the first and the last line."""
NAME, NOW, DIGITS, DATES = 20, 24, 20, 17
"""Sizes of letters. A phone shows a picture at 0.6 of its units."""
GAP = 10
"""The least room between two words."""
MINUS = "\u2212"
MOST = 300
"""The most points drawn. More would share pixels."""
STEPS = (1, 2, 5)
"""The distances between grid lines, times a power of ten."""
LINES = 4


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A rating from a moment `at` on (Unix ms); the true one is likely within `margin` of it."""

    at: int
    rating: int
    margin: int


@dataclass(frozen=True, slots=True)
class Dated:
    """A date below the line: where it is (Unix ms), and its words."""

    at: int
    words: str


@dataclass(frozen=True, slots=True)
class Scale:
    """The vertical axis: ratings from `low` to `high`, with a line every `step`."""

    low: int
    high: int
    step: int

    def y(self, rating: float) -> float:
        """Return the distance from the top; that of an end for what is beyond it."""
        share = (rating - self.low) / (self.high - self.low)
        return BOTTOM - min(1, max(0, share)) * (BOTTOM - TOP)


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


def thinned(points: Sequence[RatingPoint]) -> list[RatingPoint]:
    """Return at most MOST points: the first, the last, and those evenly spaced between."""
    if len(points) <= MOST:
        return list(points)
    return [points[i * (len(points) - 1) // (MOST - 1)] for i in range(MOST)]


def png(name: str, now: str, points: Sequence[RatingPoint], dates: Sequence[Dated]) -> bytes:
    """Draw a PNG with transparent corners. Uses CPU.

    `now`: the rating as words have it. `points`: one at least, in their order of time.
    """
    from PIL import Image, ImageDraw  # noqa: PLC0415 as in `bot.art.drawing`

    size = (WIDTH * SCALE, HEIGHT * SCALE)
    image = Image.new("RGB", size, GROUND)
    chart = Chart(tuple(thinned(points)), ImageDraw.Draw(image))
    chart.band()
    chart.grid()
    chart.dates(dates)
    chart.line()
    chart.heading(name, now)
    return wide_png(image.reduce(OVER), CORNER * PIXELS)


@dataclass(frozen=True)
class Chart:
    """A picture being drawn, or only where its points are."""

    points: Sequence[RatingPoint]
    draw: "ImageDraw.ImageDraw | None" = None

    @cached_property
    def scale(self) -> Scale:
        """The axis for all ratings, with how sure each of them was: the band is never cut off."""
        lows = (one.rating - one.margin for one in self.points)
        highs = (one.rating + one.margin for one in self.points)
        return scale([*lows, *highs])

    def x(self, at: int) -> float:
        first, last = self.points[0].at, self.points[-1].at
        return LEFT + (RIGHT - LEFT) * (at - first) / max(1, last - first)

    def path(self, sign: int = 0) -> list[tuple[float, float]]:
        """Return where the ratings are, or with a sign the upper or lower end of their margins."""
        y = self.scale.y
        return [(self.x(one.at), y(one.rating + sign * one.margin)) for one in self.points]

    def band(self) -> None:
        self._pen.polygon(_scaled([*self.path(1), *reversed(self.path(-1))]), BAND)

    def grid(self) -> None:
        of, letters = self.scale, font(DIGITS * SCALE)
        for value in range(of.low, of.high + 1, of.step):
            y = of.y(value)
            self._pen.line(_scaled([(LEFT, y), (RIGHT, y)]), FAINT, SCALE)
            words = str(value).replace("-", MINUS)
            self._pen.text(_at(LEFT - GAP, y), words, TEXT, letters, "rm")

    def dates(self, dates: Sequence[Dated]) -> None:
        """Write dates below a mark each; one without room beside the one before is left out."""
        letters, free = font(DATES * SCALE), 0.0
        for one in dates:
            x = self.x(one.at)
            self._pen.line(_scaled([(x, TOP), (x, BOTTOM + 5)]), FAINT, SCALE)
            words = writable(one.words, letters) or ""
            half = letters.getlength(words) / SCALE / 2
            middle = min(WIDTH - EDGE - half, max(EDGE + half, x))
            if middle - half >= free:
                self._pen.text(_at(middle, FOOT), words, TEXT, letters, "mm")
                free = middle + half + GAP

    def line(self) -> None:
        path = _scaled(self.path())
        self._pen.line(path, GAIN, 3 * SCALE, "curve")
        self._pen.circle(path[-1], 6 * SCALE, GAIN, GROUND, 2 * SCALE)

    def heading(self, name: str, now: str) -> None:
        """Write the name and the rating of now."""
        letters, figures = font(NAME * SCALE), font(NOW * SCALE, bold=True)
        self._pen.text(_at(WIDTH - EDGE, HEAD), now.replace("-", MINUS), TEXT, figures, "rm")
        drawn = writable(name, letters)
        if drawn is not None:
            room = (WIDTH - 2 * EDGE - GAP) * SCALE - figures.getlength(now)
            self._pen.text(_at(EDGE, HEAD), cut(drawn, letters, room), SOFT, letters, "lm")

    @property
    def _pen(self) -> "ImageDraw.ImageDraw":
        assert self.draw is not None, "only where its points are"
        return self.draw


def _scaled(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    return [_at(x, y) for x, y in points]


def _at(x: float, y: float) -> tuple[float, float]:
    return x * SCALE, y * SCALE
