"""Steps of a round whose player may have nothing left to do, so that the robots go on."""

import json
from dataclasses import replace
from typing import Any, NamedTuple

from bot.daily import log
from bot.daily.round import DailyRound, begun, pressed
from bot.daily.schedule import PLAYER, share
from bot.games import GAMES
from bot.games.ligretto.model import State
from tests.daily.played import DAY, secret


class Stuck(NamedTuple):
    """A first press and what follows, as the log has it. The player was dealt no hand."""

    seed: bytes
    start: dict[str, Any]
    deal: dict[str, Any]
    moves: list[tuple[dict[str, Any], bool]]
    """Each with whether it belongs to the turn of the one before."""
    has_further: bool


def stuck_steps(rounds: int = 20) -> list[Stuck]:
    """Play the first press of days whose player has a 1 to play, and no card to flip."""
    found: list[Stuck] = []
    for number in range(rounds):
        one = _without_reserve(begun(GAMES["ligretto"], DAY, secret(number)))
        ones = [move for move in one.game.moves(one.state, PLAYER) if str(move).endswith("1")]
        after = pressed(one, str(ones[0])) if ones else None
        if not isinstance(after, DailyRound):
            continue
        start, deal, *_ = map(json.loads, log.text(one, secret(number)).splitlines())
        made = after.steps[-1].made
        written = [
            (each.seat, move, n > 0) for each in made for n, (move, _) in enumerate(each.moves)
        ]
        moves = [
            ({"p": p, "m": json.loads(json.dumps(m)), "press": 1}, goes_on)
            for p, m, goes_on in written
        ]
        found.append(Stuck(one.seed, start, deal, moves, len(made) > 1 + len(share(one.seed, 1))))
    return found


def _without_reserve(one: DailyRound) -> DailyRound:
    """Take the hand of a round's player away, so that nothing is left to flip."""
    assert isinstance(one.state, State)
    own, *others = one.state.seats
    assert own is not None
    return replace(one, state=replace(one.state, seats=(replace(own, hand=()), *others)))
