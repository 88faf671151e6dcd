"""Rounds of a daily in which a player takes what a robot would, or flips now and then instead."""

from functools import cache
from hashlib import sha256

from bot.daily.dates import DayNumber
from bot.daily.round import ATTENTIVE, NO_CHANCE, DailyRound, begun, pressed
from bot.daily.schedule import PLAYER
from bot.games import GAMES
from bot.games.values import Refused

DAY = DayNumber(20787)
"""2026-11-30."""


def secret(number: int = 0) -> bytes:
    return sha256(b"daily%d" % number).digest()


def chosen(one: DailyRound) -> str:
    """Return the next press of somebody who plays as a robot does."""
    view = one.game.view(one.state, PLAYER)
    move = one.game.choose(view, ATTENTIVE, NO_CHANCE)
    assert move is not None, "a player always has a press left"
    return str(move)


@cache
def whole(game: str, number: int = 0, day: DayNumber = DAY) -> DailyRound:
    """Return a round played to its end."""
    one = begun(GAMES[game], day, secret(number))
    while one.ending is None:
        after = pressed(one, chosen(one))
        assert not isinstance(after, Refused), after
        one = after
    return one


def after(one: DailyRound, presses: int) -> DailyRound:
    """Return a round after the first of its presses."""
    begin = begun(one.game, one.day, secret())
    for step in one.steps[:presses]:
        found = pressed(begin, step.word)
        assert not isinstance(found, Refused), found
        begin = found
    return begin
