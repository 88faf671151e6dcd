"""Screens of the records fit a phone and what Discord takes; pictures are drawn as they should."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from bot.games.screen import ASIDE, Text
from bot.i18n import say
from bot.records.figures import Order
from bot.records.periods import Period
from bot.ui.desk import NotOursError
from bot.ui.names import columns
from bot.ui.records import boards, chart, ids
from bot.ui.records.boards import Ask, asked
from tests.ui.limits import PHONE, fits, table_lines
from tests.ui.limits import drawn as parts_of
from tests.ui.matches import HOSTILE, PEOPLE
from tests.ui.records import LARGE, WIDE, board_screens, matches, rated, record_screens, stats

BLUE = (0x3F, 0x68, 0xEE)


@pytest.mark.parametrize("called", [PEOPLE, HOSTILE, WIDE, ("W" * 32,) * 12])
def test_every_screen_fits_whatever_people_call_themselves(called: tuple[str, ...]) -> None:
    for screen in record_screens(called):
        fits(screen)


@pytest.mark.parametrize("called", [PEOPLE, HOSTILE, WIDE, ("W" * 32,) * 12])
def test_every_table_is_as_wide_as_a_phone_at_most(called: tuple[str, ...]) -> None:
    for screen in (*board_screens(called), *stats(called), *matches(called)):
        for line in table_lines(screen):
            assert columns(line) <= PHONE, line


def test_buttons_of_records_keep_their_ids_on_a_tables_message() -> None:
    ids = {
        part["custom_id"].split(":")[0]
        for screen in record_screens(PEOPLE)
        for part in parts_of(screen)
        if "custom_id" in part
    }
    assert ids == {ASIDE, "lg1"}


@pytest.mark.parametrize("key", ["board.rating", "board.wins", "board.points", "board.played"])
def test_headings_leave_room_for_names(key: str) -> None:
    assert columns(say(Text(key), "en-US")) <= 6


@pytest.mark.parametrize("period", Period)
@pytest.mark.parametrize("order", Order)
def test_a_button_asks_for_what_it_says(period: Period, order: Order) -> None:
    ask = Ask("dice", LARGE, period, order, 12)
    prefix, subject, *words = ask.to_id(12).split(":")
    assert (prefix, subject) == (ASIDE, boards.SUBJECT)
    assert asked(words) == ask


@pytest.mark.parametrize("word", ["", "-1", "1 ", "١", "1" * 16, "0x1"])
def test_a_number_that_was_made_up(word: str) -> None:
    with pytest.raises(NotOursError):
        ids.number(word)


# -- pictures --------------------------------------------------------------------------------


def drawn(ratings: Sequence[int]) -> Any:
    image = Image.open(BytesIO(chart.png(ratings, "matches")))
    image.load()
    return image


def test_a_picture_is_a_png_of_the_size_it_should_have() -> None:
    image = drawn([1000, 1100])
    assert (image.format, image.size) == ("PNG", (chart.WIDTH, chart.HEIGHT))


@pytest.mark.parametrize("ratings", [[1000, 1200, 900, 1100], [1000] * 3, [-50, 2000], [7, 8]])
def test_the_line_goes_through_every_rating(ratings: list[int]) -> None:
    image = drawn(ratings).convert("RGB")
    for x, y in chart.points(ratings):
        near = [(round(x) + dx, round(y) + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        assert BLUE in map(image.getpixel, near)


def test_higher_is_better_and_later_is_to_the_right() -> None:
    (x1, low), (x2, high), (x3, middle) = chart.points([1000, 1200, 1100])
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
    assert chart.scale(ratings) == chart.Scale(low, high, step)


def test_a_long_line_keeps_its_ends_and_is_drawn_quickly() -> None:
    ratings = [*range(1000, 6000)]
    thin = chart.thinned(ratings)
    assert len(thin) == chart.MOST
    assert (thin[0], thin[-1]) == (1000, 5999)
    assert drawn(ratings).size == (chart.WIDTH, chart.HEIGHT)


def test_the_picture_is_told_to_those_who_do_not_see_it() -> None:
    described = say(next(rated()), "en-US")
    assert described == (
        "Line: the rating of Anna in Ligretto after each of 3 rated matches. "
        "First 1000, last 1050, best 1100."
    )
    assert len(described) <= 256
