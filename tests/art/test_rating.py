"""The picture of a rating: its line, its grid, its dates, and how it looked when approved."""

from collections.abc import Sequence

import pytest
from PIL import Image, ImageColor

from bot.art import rating
from bot.art.palette import BAND, GAIN
from bot.art.rating import PIXELS, Chart, Dated, RatingPoint
from tests.art.pixels import apart, opened
from tests.art.record import CURVE, CURVE_DATES, GOLDEN
from tests.art.test_faces import TOLERANCE

LINE, SURE = ImageColor.getrgb(GAIN), ImageColor.getrgb(BAND)


def curve(ratings: Sequence[int], margin: int = 0) -> list[RatingPoint]:
    """A rating an hour."""
    return [RatingPoint(i * 3_600_000, one, margin) for i, one in enumerate(ratings)]


def drawn(points: Sequence[RatingPoint], name: str = "Anna") -> Image.Image:
    return opened(rating.png(name, "1000", points, ()))


def seen(image: Image.Image, x: float, y: float) -> set[tuple[int, ...]]:
    """The colours at a point of the picture."""
    image = image.convert("RGB")
    around = (-1, 0, 1)
    at = [(round(x * PIXELS) + dx, round(y * PIXELS) + dy) for dx in around for dy in around]
    return {image.getpixel(one) for one in at}  # type: ignore[misc]


@pytest.mark.parametrize("ratings", [[1000, 1200, 900, 1100], [1000] * 3, [-50, 2000], [7, 8]])
def test_the_line_goes_through_every_rating(ratings: list[int]) -> None:
    image = drawn(curve(ratings))
    assert image.size == (rating.WIDTH * PIXELS, rating.HEIGHT * PIXELS)
    for x, y in Chart(curve(ratings)).path():
        assert LINE in seen(image, x, y)


def test_higher_is_better_and_later_is_to_the_right_by_time() -> None:
    points = [RatingPoint(0, 1000, 0), RatingPoint(100, 1200, 0), RatingPoint(400, 1100, 0)]
    (x1, low), (x2, high), (x3, middle) = Chart(points).path()
    assert (x2 - x1) * 3 == pytest.approx(x3 - x2), "a week away is as long as a week of matches"
    assert high < middle < low


def test_a_band_shows_how_sure_the_rating_is_from_the_first_match_on() -> None:
    """A newcomer's margin is the widest: the axis holds it as well."""
    points = [RatingPoint(0, 1000, 176), RatingPoint(100, 1010, 60), RatingPoint(200, 1000, 60)]
    image, chart = drawn(points), Chart(points)
    _, (x, upper), _ = chart.path(1)
    assert SURE in seen(image, x, upper + 4)
    assert SURE not in seen(image, x, upper - 4)
    (_, first), *_ = chart.path(1)
    assert first == chart.scale.y(1176) > rating.TOP
    assert chart.scale.low <= 824
    assert chart.scale.high >= 1176


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


def test_a_long_line_keeps_its_ends() -> None:
    points = curve([*range(1000, 6000)])
    thin = rating.thinned(points)
    assert len(thin) == rating.MOST
    assert (thin[0], thin[-1]) == (points[0], points[-1])


def test_a_name_that_the_font_lacks_is_left_out_and_a_long_one_is_cut() -> None:
    points = curve([1000, 1100])
    blank = drawn(points, "")
    assert apart(drawn(points, "王小明"), blank) == 0
    assert apart(drawn(points, "Anna"), blank) > 0
    now = (rating.WIDTH - 80) * PIXELS, 20, (rating.WIDTH - 20) * PIXELS, 80
    assert apart(drawn(points, "W" * 32).crop(now), blank.crop(now)) < TOLERANCE


def test_dates_do_not_run_into_each_other() -> None:
    """Three at one end: the first is written, the others only have their mark."""
    points = curve([1000, 1100])
    at = [Dated(i * 1000, "12 Nov 2026") for i in range(3)]
    foot = (0, (rating.BOTTOM + 8) * PIXELS, rating.WIDTH * PIXELS, rating.HEIGHT * PIXELS)
    one, three = (opened(rating.png("", "", points, dates)).crop(foot) for dates in (at[:1], at))
    assert one.tobytes() == three.tobytes()


def test_a_rating_looks_as_it_was_approved() -> None:
    golden = opened((GOLDEN / "rating.png").read_bytes())
    now = opened(rating.png("Zoë Łukasz ✨", "1150 ± 62", CURVE, CURVE_DATES))
    assert apart(golden, now) < TOLERANCE
