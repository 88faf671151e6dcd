"""One round between robots on a simulated clock.

Every player looks and acts in the same instant, so nobody is ever overtaken. That measures pace and
attention without a network.
"""

import hashlib
import heapq
from collections.abc import Mapping
from dataclasses import dataclass

from bot.games.chance import Chance
from bot.games.contract import AnyGame, GameMove, Skill
from bot.games.values import Ending, Played, Reason, Refused, Seat
from bot.tables.running.robots import wait

LULL = 300.0
"""Seconds without a place taken, after which the players agree to stop."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A game, its options, and the skill of each seat."""

    game: AnyGame
    options: Mapping[str, str]
    skills: tuple[Skill, ...]


@dataclass(frozen=True, slots=True)
class Act:
    """A seat's action, `at` seconds after the deal. `move` is None if it only looked."""

    at: float
    seat: Seat
    move: GameMove | None = None
    refused: Refused | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """A finished round. `points` are net points, seat by seat."""

    acts: tuple[Act, ...]
    ending: Ending
    points: tuple[int, ...]

    @property
    def seconds(self) -> float:
        return self.acts[-1].at

    @property
    def hung(self) -> bool:
        """True if the players agreed to stop after a LULL."""
        return self.ending.reason is Reason.ABORT


def seed_of(*what: object) -> bytes:
    """Return 32 bytes that depend on nothing but these words and numbers."""
    return hashlib.sha256("/".join(map(str, what)).encode()).digest()


def play(setting: Setting, seed: bytes, number: int) -> Round:
    """Play round `number` of a match with this seed. The same arguments give the same round."""
    game, luck = setting.game, seed_of(seed.hex(), "computers")
    chances = [Chance(luck, number, seat) for seat in range(len(setting.skills))]
    due = [
        (wait(skill, chance), Seat(seat))
        for seat, (skill, chance) in enumerate(zip(setting.skills, chances, strict=True))
    ]
    heapq.heapify(due)
    state = game.deal((True,) * len(due), setting.options, Chance(seed, number, 0))
    ending, acts, moves, taken = game.ending(state), list[Act](), 1, 0.0
    while ending is None:
        at, seat = due[0]
        skill, chance = setting.skills[seat], chances[seat]
        heapq.heapreplace(due, (at + wait(skill, chance), seat))
        move = game.choose(game.view(state, seat), skill, chance)
        if move is None:
            acts.append(Act(at, seat))
        else:
            outcome = game.play(state, seat, move, Chance(seed, number, moves))
            if isinstance(outcome, Played):
                state, moves = outcome.state, moves + len(outcome.moves)
                ending = game.ending(state)
                taken = taken if game.claim(move) is None else at
                acts.append(Act(at, seat, move))
            else:
                acts.append(Act(at, seat, move, outcome))
        if ending is None and at - taken > LULL:
            ending = Ending(Reason.ABORT)
    return Round(tuple(acts), ending, tuple(points.net for points in game.scores(state)))
