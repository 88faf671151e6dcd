"""The picture of a rating: its line, its grid, and how it looked when it was approved."""

from collections.abc import Sequence
from io import BytesIO

import pytest
from PIL import Image, ImageColor

from bot.art import rating
from bot.art.palette import GAIN
from tests.art.pixels import apart, opened
from tests.art.record import GOLDEN, RATINGS
from tests.art.test_faces import TOLERANCE

LINE = ImageColor.getrgb(GAIN)


def drawn(ratings: Sequence[int]) -> Image.Image:
    return Image.open(BytesIO(rating.png(ratings)))


def test_a_picture_is_a_png_of_the_size_it_should_have() -> None:
    image = drawn([1000, 1100])
    assert (image.format, image.size) == ("PNG", (rating.WIDTH, rating.HEIGHT))


@pytest.mark.parametrize("ratings", [[1000, 1200, 900, 1100], [1000] * 3, [-50, 2000], [7, 8]])
def test_the_line_goes_through_every_rating(ratings: list[int]) -> None:
    image = drawn(ratings).convert("RGB")
    for x, y in rating.points(ratings):
        near = [(round(x) + dx, round(y) + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        assert LINE in map(image.getpixel, near)


def test_higher_is_better_and_later_is_to_the_right() -> None:
    (x1, low), (x2, high), (x3, middle) = rating.points([1000, 1200, 1100])
    assert x1 < x2 < x3
    assert high < middle < low


@pytest.mark.parametrize(
    ("ratings", "low", "high", "step"),
    [
        ([1000, 1000], 1000, 1001, 1),
        ([1000, 1390], 1000, 1400, 100),
        ([987, 1021], 980, 1030, 10),
        ([-50, 30], -60, 40, 20),
    ],
)
def test_the_grid_has_round_numbers(ratings: list[int], low: int, high: int, step: int) -> None:
    assert rating.scale(ratings) == rating.Scale(low, high, step)


def test_a_long_line_keeps_its_ends_and_is_drawn_quickly() -> None:
    ratings = [*range(1000, 6000)]
    thin = rating.thinned(ratings)
    assert len(thin) == rating.MOST
    assert (thin[0], thin[-1]) == (1000, 5999)
    assert drawn(ratings).size == (rating.WIDTH, rating.HEIGHT)


def test_a_rating_looks_as_it_was_approved() -> None:
    golden = opened((GOLDEN / "rating.png").read_bytes())
    assert apart(golden, opened(rating.png(RATINGS))) < TOLERANCE
