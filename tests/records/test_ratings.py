"""Ratings: several players, ties, and the number people see."""

import pytest

from bot.records.figures import pages, streaks
from bot.records.ratings import NEWCOMER, Finish, Skill, rate, rate_all


def test_a_newcomer_has_a_thousand() -> None:
    assert NEWCOMER.shown == 1000


@pytest.mark.parametrize(
    ("skill", "shown"),
    [(Skill(25, 5), 1400), (Skill(30, 2), 1960), (Skill(10, 5), 800), (Skill(0, 8), 40)],
)
def test_the_number_shown_is_a_plain_function(skill: Skill, shown: int) -> None:
    """1000 + 40 * (mu - 3 sigma)."""
    assert skill.shown == shown


def test_a_better_place_is_a_better_rating() -> None:
    after = rate([NEWCOMER] * 4, [2, 1, 4, 3])
    order = sorted(range(4), key=lambda seat: -after[seat].mu)
    assert order == [1, 0, 3, 2]


def test_equal_places_of_equals_are_equal_ratings() -> None:
    first, second, third = rate([NEWCOMER] * 3, [1, 1, 3])
    assert first.mu == pytest.approx(second.mu)
    assert first.shown == second.shown
    assert first.mu > third.mu


def test_every_match_makes_the_bot_surer() -> None:
    assert all(one.sigma < NEWCOMER.sigma for one in rate([NEWCOMER] * 12, range(1, 13)))


def test_beating_the_stronger_counts_more() -> None:
    strong, weak = Skill(35, 4), Skill(15, 4)
    surprise, _ = rate([NEWCOMER, strong], [1, 2])
    expected, _ = rate([NEWCOMER, weak], [1, 2])
    assert surprise.mu > expected.mu


def test_matches_are_rated_one_after_the_other() -> None:
    finishes = [Finish(1, 0, 7, 1), Finish(1, 1, 8, 2), Finish(2, 0, 8, 1), Finish(2, 2, 7, 2)]
    seven, eight = rate([NEWCOMER, NEWCOMER], [1, 2])
    eight_again, seven_again = rate([eight, seven], [1, 2])
    rated = rate_all({}, finishes)
    assert [one.finish for one in rated] == finishes
    assert [one.skill for one in rated] == [seven, eight, eight_again, seven_again]


@pytest.mark.parametrize(
    ("won", "expected"),
    [("", (0, 0)), ("1", (1, 1)), ("110", (0, 2)), ("1101", (1, 2)), ("0111", (3, 3))],
)
def test_streaks(won: str, expected: tuple[int, int]) -> None:
    assert streaks(one == "1" for one in won) == expected


@pytest.mark.parametrize(("items", "expected"), [(0, 1), (1, 1), (10, 1), (11, 2), (20, 2)])
def test_pages(items: int, expected: int) -> None:
    assert pages(items, 10) == expected
