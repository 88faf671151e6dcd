"""A round of the daily follows from its secret and its presses, and from nothing else."""

import random
from dataclasses import replace

import pytest

from bot.daily.dates import DayNumber
from bot.daily.result import Quarter, quarters, result, streak
from bot.daily.round import BadPressesError, DailyRound, Made, begun, pressed, replayed
from bot.daily.schedule import PLAYER, ROBOTS, SEATS, share
from bot.games import GAMES
from bot.games.ligretto.model import State
from bot.games.values import Refused
from tests.daily.played import DAY, chosen, secret, whole

BOTH = pytest.mark.parametrize("game", sorted(GAMES))
WRONG = ("off:1", "nothing", "b10>2", "flip:99", "roll:99", "r10")


@BOTH
def test_refused_presses_move_nobody(game: str) -> None:
    """A round with refusals between its presses is the same round."""
    plain, rng = whole(game), random.Random(1)
    one = begun(GAMES[game], DAY, secret())
    for step in plain.steps:
        for wrong in rng.sample(WRONG, 2):
            if isinstance(pressed(one, wrong), Refused):
                assert isinstance(pressed(one, wrong), Refused)
        after = pressed(one, step.word)
        assert not isinstance(after, Refused)
        one = after
    assert one == plain
    assert isinstance(pressed(one, "flip:0"), Refused), "it is over"


@BOTH
def test_presses_alone_decide(game: str) -> None:
    """Played again in one go, in parts, or in another process's memory: the same state."""
    one = whole(game)
    words = [step.word for step in one.steps]
    again = replayed(begun(GAMES[game], DAY, secret()), words)
    assert again == one
    half = replayed(begun(GAMES[game], DAY, secret()), words[:5])
    assert replayed(half, words[5:]) == one
    with pytest.raises(BadPressesError):
        replayed(again, ["flip:0"])


@BOTH
def test_another_day_or_secret_is_another_deal(game: str) -> None:
    one = begun(GAMES[game], DAY, secret())
    assert one.dealt == begun(GAMES[game], DAY, secret()).dealt
    assert one.dealt != begun(GAMES[game], DayNumber(DAY + 1), secret()).dealt
    assert one.dealt != begun(GAMES[game], DAY, secret(1)).dealt


@BOTH
def test_robots_move_only_in_their_share(game: str) -> None:
    """Each share has the turns that the schedule gives, cut by the end of the round at most."""
    one = whole(game)
    for number, step in enumerate(one.steps, 1):
        seats = [made.seat for made in step.made]
        assert seats[0] == PLAYER
        turns = list(share(one.seed, number))
        if number < one.presses:
            assert seats[1:] == turns
        else:
            assert turns[: len(seats) - 1] == seats[1:], "the end ends the share"


def test_a_share_has_one_turn_for_each_robot_on_average() -> None:
    shares = [share(secret(), press) for press in range(1, 2001)]
    for seat in ROBOTS:
        counts = [turns.count(seat) for turns in shares]
        assert set(counts) == {0, 1, 2}
        assert 0.9 < sum(counts) / len(counts) < 1.1
    assert {turns for turns in shares if len(turns) == 2 and len(set(turns)) == 2} == {
        ROBOTS,
        ROBOTS[::-1],
    }, "either may be first"


def without_reserve(one: DailyRound) -> DailyRound:
    """Take the hand of a round's player away, so that nothing is left to flip."""
    state = one.state
    assert isinstance(state, State)
    own = state.seats[PLAYER]
    assert own is not None
    return replace(one, state=replace(state, seats=(replace(own, hand=()), *state.seats[1:])))


def test_a_player_who_can_do_nothing_is_not_left_alone() -> None:
    """No press would ever come: the robots go on until there is one, or the round is over."""
    further = 0
    for number in range(20):
        one = without_reserve(begun(GAMES["ligretto"], DAY, secret(number)))
        ones = [move for move in one.game.moves(one.state, PLAYER) if str(move).endswith("1")]
        after = pressed(one, str(ones[0])) if ones else None
        if not isinstance(after, DailyRound):
            continue
        can = next(iter(after.game.moves(after.state, PLAYER)), None)
        assert after.ending is not None or can is not None
        further += len(after.steps[-1].made) > 1 + len(share(one.seed, 1))
    assert further, "it came to that at least once"


@BOTH
def test_a_round_can_always_be_finished(game: str) -> None:
    for number in range(12):
        one = whole(game, number)
        assert one.ending is not None
        assert result(one).presses == one.presses == len(one.steps)
        assert len(quarters(one)) == 4


def test_the_squares_compare_with_the_better_robot() -> None:
    one = whole("dice")
    made = {
        Quarter.AHEAD: (Made(PLAYER, (), "r1"), Made(ROBOTS[0], (), None)),
        Quarter.LEVEL: (Made(PLAYER, (), "r1"), Made(ROBOTS[1], (), "r2")),
        Quarter.BEHIND: (Made(PLAYER, (), None), Made(ROBOTS[1], (), "r2")),
    }
    steps = tuple(replace(one.steps[0], made=made[quarter]) for quarter in Quarter)
    four = replace(one, steps=(*steps, replace(one.steps[0], made=())))
    assert quarters(four) == (*Quarter, Quarter.LEVEL)
    assert quarters(replace(one, steps=())) == (Quarter.LEVEL,) * 4


def test_a_streak_lasts_until_a_day_is_over() -> None:
    days = {DayNumber(DAY - n) for n in (1, 2, 3, 5)}
    assert streak(days, DAY) == 3, "today isn't over"
    assert streak({*days, DAY}, DAY) == 4
    assert streak(days, DayNumber(DAY + 1)) == 0
    assert streak((), DAY) == 0


def test_a_press_names_its_card_so_that_none_counts_twice() -> None:
    one: DailyRound = begun(GAMES["ligretto"], DAY, secret())
    word = chosen(one)
    after = pressed(one, word)
    assert not isinstance(after, Refused)
    assert isinstance(pressed(after, word), Refused)
    assert len(SEATS) == 3
