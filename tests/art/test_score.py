"""The picture of a score: bars for rounds, a crown for who ended one, and as it was approved."""

import pytest
from PIL import Image, ImageColor

from bot.art import score
from bot.art.palette import GAIN, GOLD, LOSS
from bot.art.score import Standing
from tests.art.pixels import apart, opened
from tests.art.record import EVENING, GOLDEN, STOPPED
from tests.art.test_faces import TOLERANCE


def drawn(*standings: Standing, stopped: tuple[int | None, ...] = (None,)) -> Image.Image:
    return opened(score.png(standings, stopped))


def area(image: Image.Image, colour: str) -> int:
    """Pixels of exactly this colour."""
    wanted = (*ImageColor.getrgb(colour)[:3], 255)
    counted = image.getcolors(image.width * image.height) or ()
    return sum(count for count, one in counted if one == wanted)


def test_a_score_looks_as_it_was_approved() -> None:
    golden = opened((GOLDEN / "score.png").read_bytes())
    assert apart(golden, opened(score.png(EVENING, STOPPED))) < TOLERANCE


def test_what_was_won_goes_up_and_what_was_lost_goes_down() -> None:
    won = drawn(Standing(1, 1, (8,), 8))
    lost = drawn(Standing(1, 1, (-8,), -8))
    assert area(won, GAIN) > 0
    assert area(won, LOSS) == 0
    assert area(lost, LOSS) > 0
    assert area(lost, GAIN) == 0
    middle = won.height // 2
    above, below = (0, 0, won.width, middle - 3), (0, middle + 3, won.width, won.height)
    assert area(won.crop(above), GAIN) > 0
    assert area(won.crop(below), GAIN) == 0
    assert area(lost.crop(below), LOSS) > 0
    assert area(lost.crop(above), LOSS) == 0


def test_a_bar_is_as_long_as_its_points() -> None:
    both = drawn(Standing(1, 1, (10,), 10), Standing(2, 2, (5,), 5))
    first = area(both.crop((0, 0, both.width, both.height // 2)), GAIN)
    second = area(both.crop((0, both.height // 2, both.width, both.height)), GAIN)
    assert first / second == pytest.approx(2, rel=0.15)


def test_who_ended_a_round_has_a_crown_there() -> None:
    standing = Standing(1, 1, (8, 8), 16)
    crowned = drawn(standing, stopped=(None, 1))
    assert area(crowned, GOLD) > area(drawn(standing, stopped=(None, 2)), GOLD) == 0


@pytest.mark.parametrize("players", [2, 12])
@pytest.mark.parametrize("rounds", [1, 3, 40])
def test_any_match_is_drawn(players: int, rounds: int) -> None:
    standings = [Standing(n, n, (7,) * rounds, 7 * rounds) for n in range(1, players + 1)]
    image = drawn(*standings, stopped=(1,) * rounds)
    assert image.size == (score.WIDTH, score.height(players))


def test_a_match_in_which_nobody_won_anything_is_drawn() -> None:
    assert drawn(Standing(1, 1, (0,), 0), Standing(2, 1, (0,), 0)).height == score.height(2)
