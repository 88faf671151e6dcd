"""The log of a daily: a referee that shares nothing with the bot finds every line of it again."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bot.daily import log
from bot.daily.round import DailyRound, begun, pressed
from bot.daily.schedule import PLAYER, share
from bot.games import GAMES
from bot.games.ligretto.model import State
from bot.verify.log.errors import LogError
from bot.verify.referee import Referee
from bot.verify.rounds.cards import CardRound
from bot.verify.rounds.daily import Schedule
from bot.verify.rounds.streams import SecondScheme
from tests.daily.false_logs import FALSE, Lines, false_log
from tests.daily.played import DAY, after, secret, whole

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


def without_reserve(one: DailyRound) -> DailyRound:
    """Take the hand of a round's player away, so that nothing is left to flip."""
    assert isinstance(one.state, State)
    own, *others = one.state.seats
    assert own is not None
    return replace(one, state=replace(one.state, seats=(replace(own, hand=()), *others)))


def test_robots_go_on_for_a_player_who_can_do_nothing() -> None:
    """The referee has the same further turns as the round, until the player can do something."""
    further = 0
    for number in range(20):
        one = without_reserve(begun(GAMES["ligretto"], DAY, secret(number)))
        ones = [move for move in one.game.moves(one.state, PLAYER) if str(move).endswith("1")]
        after_one = pressed(one, str(ones[0])) if ones else None
        if isinstance(after_one, DailyRound):
            further += _made_alike(
                after_one, json.loads(log.text(one, secret(number)).split("\n")[1])
            )
    assert further > 4, "it came to that now and then"


def _made_alike(one: DailyRound, deal: dict[str, Any]) -> bool:
    """Hold a step of a round against the schedule. Return whether robots had further turns."""
    luck = SecondScheme(one.seed, 1, (0, 1, 2))
    round_ = CardRound.dealt(deal, luck, expert=False)
    round_.seat(PLAYER).hand.clear()
    schedule = Schedule(one.seed, round_)
    for made in one.steps[-1].made:
        for number, (move, _) in enumerate(made.moves):
            line = {"p": made.seat, "m": json.loads(json.dumps(move)), "press": 1}
            schedule.demand_move(line, goes_on=number > 0)
            round_.make(made.seat, line["m"], luck)
    if round_.over(()) is None:
        schedule.demand_end()
    return len(one.steps[-1].made) > 1 + len(share(one.seed, 1))


def test_a_log_names_its_day() -> None:
    start = json.loads(log.text(whole("dice"), secret()).splitlines()[0])
    assert start["public"] == "2026-11-30"
    assert whole("dice").day == DAY
