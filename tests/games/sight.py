"""Two states that must look the same from a seat: to its player, and to a computer there."""

from typing import Any

from bot.games.chance import Chance
from bot.games.contract import AnyGame
from bot.games.values import Seat
from bot.tables.robots import LEVELS


def assert_alike(game: AnyGame, one: Any, other: Any, seat: Seat | None, seed: bytes) -> None:
    """The same view, and at every level the same choice by the same chance."""
    views = game.view(one, seat), game.view(other, seat)
    assert views[0] == views[1]
    for level in LEVELS.values():
        chosen = [game.choose(view, level, Chance(seed, 0, 3)) for view in views]
        assert chosen[0] == chosen[1]
