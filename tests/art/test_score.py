"""The picture of a score: bars that grow by round, names, a stop sign, and as it was approved."""

from itertools import combinations
from typing import Any

import pytest
from PIL import Image, ImageColor, ImageFont

from bot.art import lettering, score, wide_png
from bot.art.palette import BEFORE, GAIN, GROUND, LOSS, MEDALS, STOP
from bot.art.score import SCALE, ScoreRow
from tests.art.pixels import apart, opened
from tests.art.record import GOLDEN, SCORES
from tests.art.test_faces import TOLERANCE

FOREIGN = ("王小明", "محمد", "עברית", "한글", "ไทย", "🦊🦊", "\u3164", "\u2800", "\u202e\u200b", "")
"""Names in scripts that the font lacks, of emojis alone, and of nothing that can be seen."""


def drawn(*standings: ScoreRow, stopped: int | None = None) -> Image.Image:
    return opened(score.png(standings, stopped))


def row(*rounds: int, name: str = "Anna", seat: int = 1, place: int = 4) -> ScoreRow:
    return ScoreRow(seat, place, name, rounds)


def area(image: Image.Image, colour: str) -> int:
    """Pixels of exactly this colour."""
    wanted = (*ImageColor.getrgb(colour)[:3], 255)
    counted = image.getcolors(image.width * image.height) or ()
    return sum(count for count, one in counted if one == wanted)


def bar(image: Image.Image, colour: str) -> int:
    """Pixels of this colour between the names and the figures."""
    return area(image.crop((2 * score.NAME, 0, 2 * score.FULL, image.height)), colour)


@pytest.mark.parametrize(("name", "shown"), SCORES.items())
def test_a_score_looks_as_it_was_approved(name: str, shown: tuple[ScoreRow, ...]) -> None:
    golden = opened((GOLDEN / f"{name}.png").read_bytes())
    assert apart(golden, opened(score.png(shown, 2))) < TOLERANCE


def test_a_round_adds_in_one_colour_and_takes_in_another() -> None:
    won, lost = drawn(row(5, 8)), drawn(row(8, -5))
    assert bar(won, GAIN) > 0 == bar(won, LOSS)
    assert bar(lost, LOSS) > 0 == bar(lost, GAIN)
    assert bar(won, BEFORE) > 0 < bar(lost, BEFORE)


def test_a_bar_is_as_long_as_its_total() -> None:
    both = drawn(row(10), row(5))
    middle = both.height // 2
    first, second = (bar(both.crop((0, y, both.width, y + middle)), GAIN) for y in (0, middle))
    assert first / second == pytest.approx(2, rel=0.15)


def test_every_round_has_a_notch() -> None:
    """The same total is a shorter bar by a notch when it was won in more rounds."""
    one, three = drawn(row(0, 30, 0)), drawn(row(10, 20, 0))
    assert 0 < bar(one, BEFORE) - bar(three, BEFORE) < bar(one, BEFORE) / 10


def test_only_whoever_ended_the_round_has_a_stop_sign() -> None:
    two = (row(5), row(3, seat=2, name="Ben"))
    signed = drawn(*two, stopped=2)
    assert area(signed, STOP) > 100
    assert area(signed.crop((0, 0, signed.width, signed.height // 2)), STOP) == 0
    assert area(drawn(*two), STOP) == 0


def test_the_first_three_places_have_medals() -> None:
    places = (1, 2, 3, 4)
    image = drawn(*(row(1, seat=n, place=n, name=f"P{n}") for n in places))
    for fill, _ in MEDALS:
        assert area(image, fill) > 1_000


@pytest.mark.parametrize("name", FOREIGN)
def test_a_name_that_cannot_be_written_is_a_seat_and_never_boxes(name: str) -> None:
    standings = [row(5, name=name, seat=7), row(3, name="Ben", seat=2)]
    assert score.nameless(standings) == (7,)
    assert drawn(*standings).height == 2 * score.height(2)


def test_every_letter_that_is_drawn_is_in_the_font() -> None:
    letters = lettering.font(20)
    for name, written in (("Zoë ✨", "Zoë"), ("Łukasz", "Łukasz"), ("Дми 🦊 три", "Дми три")):
        assert lettering.writable(name, letters) == written
    assert lettering.writable("Anna 王", letters) is None, "part of a name is another name"
    assert lettering.writable("x\ufffe\uffff", letters) == "x"


def test_letters_are_looked_for_in_the_font_that_draws_them() -> None:
    """Also those that another font is known to have."""

    class Latin(ImageFont.FreeTypeFont):
        def getmask(self, text: str | bytes, *more: Any, **options: Any) -> Any:
            known = text if text.isascii() else lettering.NOTHING
            return super().getmask(known, *more, **options)

    assert lettering.writable("Дми", lettering.font(20)) == "Дми"
    assert lettering.writable("Дми", Latin(lettering.font(20).path, 20)) is None


def test_names_that_look_alike_in_the_picture_are_told_apart() -> None:
    """Those that are the same in words too stay as they are."""
    long = "Benedikta-Charlotte"
    alike = [row(1, seat=1, name=f"{long} 1"), row(1, seat=2, name=f"{long} 2")]
    assert score.nameless(alike) == (1, 2)
    assert score.nameless([row(1, seat=1, name="Zoë ✨"), row(1, seat=2, name="Zoë")]) == (1, 2)
    assert score.nameless([row(1, seat=1), row(1, seat=2)]) == ()


def test_a_long_name_is_cut_before_the_bars() -> None:
    for size in (20, 17):
        letters, room = lettering.font(size * SCALE), 100.0 * SCALE
        for name in ("W" * 32, "i" * 100, "Anna " * 10):
            assert letters.getlength(lettering.cut(name, letters, room)) <= room


def test_its_corners_show_the_ground_behind_it() -> None:
    image = drawn(row(5))
    last = (image.width - 1, image.height - 1)
    for corner in ((0, 0), (last[0], 0), (0, last[1]), last):
        assert image.getpixel(corner) == (*ImageColor.getrgb(GROUND), 0)
    assert image.getpixel((image.width // 2, 0)) == (*ImageColor.getrgb(GROUND), 255)


@pytest.mark.parametrize("rounds", [(), (0,), (-3,) * 40, (40, -40)])
def test_any_match_is_drawn(rounds: tuple[int, ...]) -> None:
    standings = [row(*rounds, seat=n, place=n, name=f"Robot {n}") for n in range(1, 13)]
    image = drawn(*standings, stopped=1)
    assert image.size == (2 * score.WIDTH, 2 * score.height(12))


def test_a_score_of_four_is_a_small_file() -> None:
    """It is uploaded after each round. With all colours of its smooth edges it would be 26 kB."""
    standings = [row(12, -3, 7, seat=n, place=n, name=f"Player {n}") for n in range(1, 5)]
    made = score.png(standings, 1)
    assert len(made) < 16_000
    assert len(opened(made).getcolors() or ()) <= 256


def test_no_area_can_take_the_colour_of_another() -> None:
    """A colour of a file becomes the artwork's own where it is near that."""
    flat = [ImageColor.getrgb(colour) for colour in wide_png.FLAT]
    for one, other in combinations(flat, 2):
        distance = max(abs(a - b) for a, b in zip(one, other, strict=True))
        assert distance > 2 * wide_png.NEAR, (one, other)
