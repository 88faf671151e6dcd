"""Ratings: several players, ties, who presses nothing, and the number people see."""

import sys
from collections.abc import Callable
from typing import Any

import pytest
from openskill.models import PlackettLuce

from bot.games import GAMES
from bot.records.models import pages, streaks
from bot.records.ratings import (
    NEWCOMER,
    SIGMA,
    SURE,
    Finish,
    RatedMatch,
    Rater,
    Shown,
    Skill,
    beta,
    chance,
    rate,
    rate_all,
    shown,
)

LIGRETTO, DICE = "ligretto", "dice"


@pytest.mark.parametrize("game", GAMES)
def test_a_newcomer_has_a_thousand_and_the_largest_margin(game: str) -> None:
    new = shown(NEWCOMER, game)
    assert new.points == 1000
    assert new.margin > 4 * SURE


@pytest.mark.parametrize(
    ("rating", "words"),
    [
        (Shown(1140, 90), "1140 ± 90"),
        (Shown(1140, 51), "1140 ± 51"),
        (Shown(-5, 50), "\N{MINUS SIGN}5"),
    ],
)
def test_a_rating_is_shown_with_its_margin_until_that_is_small(rating: Shown, words: str) -> None:
    assert str(rating).replace("\N{NO-BREAK SPACE}", " ") == words


@pytest.mark.parametrize("game", GAMES)
def test_two_hundred_points_win_three_rounds_of_four(game: str) -> None:
    """As in chess, once both ratings are sure."""
    better = next(
        Skill(25 + step / 100, 0)
        for step in range(5_000)
        if shown(Skill(25 + step / 100, 0), game).points >= 1200
    )
    assert chance(better, Skill(25, 0), beta(game)) == pytest.approx(0.76, abs=0.005)


def test_a_better_place_is_a_better_rating() -> None:
    after = rate([NEWCOMER] * 4, [2, 1, 4, 3], LIGRETTO)
    order = sorted(range(4), key=lambda seat: -after[seat].mu)
    assert order == [1, 0, 3, 2]


def test_equal_places_of_equals_change_nothing_but_how_sure_it_is() -> None:
    for after in rate([NEWCOMER] * 3, [1, 1, 1], LIGRETTO):
        assert after.mu == pytest.approx(NEWCOMER.mu)
        assert after.sigma < SIGMA


@pytest.mark.parametrize("players", range(2, 13))
def test_every_round_makes_the_bot_surer(players: int) -> None:
    after = rate([NEWCOMER] * players, range(1, players + 1), LIGRETTO)
    assert all(one.sigma < SIGMA for one in after)


def test_beating_the_stronger_counts_more() -> None:
    strong, weak = Skill(35, 4), Skill(15, 4)
    surprise, _ = rate([NEWCOMER, strong], [1, 2], LIGRETTO)
    expected, _ = rate([NEWCOMER, weak], [1, 2], LIGRETTO)
    assert surprise.mu > expected.mu


def test_a_round_of_dice_says_more_than_one_of_cards() -> None:
    (cards, _), (dice, _) = (rate([NEWCOMER] * 2, [1, 2], game) for game in (LIGRETTO, DICE))
    assert dice.mu > cards.mu


def test_idle_players_gain_nothing_and_can_fall() -> None:
    """Neither points nor certainty, whatever the others did."""
    weak = Skill(10, 5)
    for ranks in ([1, 2, 2], [1, 1, 1], [3, 1, 2]):
        _, second, third = rate([NEWCOMER, weak, NEWCOMER], ranks, LIGRETTO, idle=(1, 2))
        assert (second.mu <= weak.mu, second.sigma) == (True, weak.sigma)
        assert (third.mu <= NEWCOMER.mu, third.sigma) == (True, NEWCOMER.sigma)
    _, loser = rate([NEWCOMER, NEWCOMER], [1, 2], LIGRETTO, idle=(1,))
    assert loser.mu < NEWCOMER.mu


def test_a_rater_remembers_nothing() -> None:
    rater = Rater(beta(LIGRETTO))
    first = rater.rate([NEWCOMER, Skill(30, 3)], [1, 2])
    _ = rater.rate([Skill(1, 1)] * 5, [5, 4, 3, 2, 1])
    assert rater.rate([NEWCOMER, Skill(30, 3)], [1, 2]) == first


def test_rounds_are_rated_one_after_the_other() -> None:
    matches = [
        RatedMatch(1, (Finish((7, 8), (1, 2)), Finish((8, 7), (1, 2), idle=(1,)))),
        RatedMatch(2, ()),
        RatedMatch(3, (Finish((8, 7), (1, 1)),)),
    ]
    seven, eight = rate([NEWCOMER, NEWCOMER], [1, 2], LIGRETTO)
    eight, seven = rate([eight, seven], [1, 2], LIGRETTO, idle=(1,))
    eight_again, seven_again = rate([eight, seven], [1, 1], LIGRETTO)
    rated = rate_all(LIGRETTO, {}, matches)
    assert [(one.match, one.player, one.skill) for one in rated] == [
        (1, 7, seven),
        (1, 8, eight),
        (3, 8, eight_again),
        (3, 7, seven_again),
    ]


@pytest.mark.parametrize("players", [2, 4, 12])
def test_a_round_takes_no_longer_than_a_match_did(players: int) -> None:
    """It did with openskill's own defaults and new objects each time. Counted in lines of Python:
    a time depends on what else the machine does.
    """
    model, rater, ranks = PlackettLuce(), Rater(beta(LIGRETTO)), list(range(players))

    def match() -> None:
        teams = [[model.rating(mu=25.0, sigma=8.0)] for _ in ranks]
        _ = model.rate(teams, ranks=[float(rank) for rank in ranks])

    assert steps(lambda: rater.rate([NEWCOMER] * players, ranks)) <= 1.2 * steps(match)


def steps(work: Callable[[], object]) -> int:
    """Calls, lines and returns of Python in this work, once it has been done before."""
    taken = 0

    def counts(*_: object) -> Callable[..., Any]:
        nonlocal taken
        taken += 1
        return counts

    work()
    before = sys.gettrace()
    sys.settrace(counts)
    try:
        work()
    finally:
        sys.settrace(before)
    return taken


@pytest.mark.parametrize(
    ("won", "expected"),
    [("", (0, 0)), ("1", (1, 1)), ("110", (0, 2)), ("1101", (1, 2)), ("0111", (3, 3))],
)
def test_streaks(won: str, expected: tuple[int, int]) -> None:
    assert streaks(one == "1" for one in won) == expected


@pytest.mark.parametrize(("items", "expected"), [(0, 1), (1, 1), (10, 1), (11, 2), (20, 2)])
def test_pages(items: int, expected: int) -> None:
    assert pages(items, 10) == expected
