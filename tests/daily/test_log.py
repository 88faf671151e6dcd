"""The log of a daily: a referee that shares nothing with the bot finds every line of it again."""

import json
from collections.abc import Callable

import pytest

from bot.daily import log
from bot.daily.schedule import PLAYER
from bot.games import GAMES
from bot.verify.log.errors import LogError
from bot.verify.referee import Referee
from bot.verify.rounds.cards import CardRound
from bot.verify.rounds.daily import Schedule
from bot.verify.rounds.streams import SecondScheme
from tests.daily.false_logs import FALSE, Lines, false_log
from tests.daily.played import DAY, after, secret, whole
from tests.daily.stuck import stuck_steps

BOTH = pytest.mark.parametrize("game", sorted(GAMES))


@BOTH
def test_the_referee_finds_every_line_again(game: str) -> None:
    """Whole rounds of ten days, and one that was left in the middle."""
    for number in range(10):
        one = whole(game, number)
        assert Referee(log.text(one, secret(number))).check().seen["move"] > one.presses
    for presses in (4, 0):
        left = Referee(log.text(after(whole(game), presses), secret())).check()
        assert (left.lines[-1]["presses"], left.reasons) == (presses, {"abort": 1})


@BOTH
@pytest.mark.parametrize("fault", FALSE, ids=lambda one: one.__name__)
def test_the_referee_finds_a_false_line(game: str, fault: Callable[[Lines], None]) -> None:
    with pytest.raises(LogError, match=FALSE[fault]):
        Referee(false_log(game, fault)).check()


def test_robots_go_on_for_a_player_who_can_do_nothing() -> None:
    """The referee has the same further turns as the round, until the player can do something."""
    steps = stuck_steps()
    assert sum(one.has_further for one in steps) > 4, "it came to that now and then"
    for one in steps:
        luck = SecondScheme(one.seed, 1, (0, 1, 2))
        round_ = CardRound.dealt(one.deal, luck, expert=False)
        round_.seat(PLAYER).hand.clear()
        schedule = Schedule(one.seed, round_)
        for move, goes_on in one.moves:
            schedule.demand_move(move, goes_on=goes_on)
            round_.make(move["p"], move["m"], luck)
        if round_.over(()) is None:
            schedule.demand_end()


def test_a_log_names_its_day() -> None:
    start = json.loads(log.text(whole("dice"), secret()).splitlines()[0])
    assert start["public"] == "2026-11-30"
    assert whole("dice").day == DAY
