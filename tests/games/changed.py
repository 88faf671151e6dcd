"""A game with other facts than its own, for one test."""

from copy import copy

from bot.games.contract import AnyGame


def changed(game: AnyGame, **facts: object) -> AnyGame:
    """Return a copy of the game with these attributes or methods in place of its own."""
    other = copy(game)
    vars(other).update(facts)
    return other
