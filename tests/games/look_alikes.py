"""Two states that must look the same from a seat: to its player, and to a computer there."""

from typing import TypeVar

from bot.games.chance import Chance
from bot.games.contract import Game, GameMove, GameState, GameView
from bot.games.values import Seat
from bot.tables.running.robots import LEVELS

S = TypeVar("S", bound=GameState)
M = TypeVar("M", bound=GameMove)
V = TypeVar("V", bound=GameView)


def assert_alike(game: Game[S, M, V], one: S, other: S, seat: Seat | None, seed: bytes) -> None:
    """Assert that both give the same view, and at every level the same choice by one chance."""
    views = game.view(one, seat), game.view(other, seat)
    assert views[0] == views[1]
    for level in LEVELS.values():
        chosen = [game.choose(view, level, Chance(seed, 0, 3)) for view in views]
        assert chosen[0] == chosen[1]
