"""Ligretto Dice in the match log: the first line, and a round as dealt."""

from collections.abc import Mapping

from bot.games.dice.handicap import EXTRA, SHARE
from bot.games.dice.model import State
from bot.games.values import Options


def start(options: Options, seats: int) -> Mapping[str, object]:
    """Return the game's part of the log's first line.

    `shares` are by seat: a number of dice, or `even` or `child` for a share of the rest.
    """
    chosen = [options.get(f"{SHARE.key}.{seat}", SHARE.default) for seat in range(seats)]
    shares = [int(share) if share.isdecimal() else share for share in chosen]
    return {"game": "dice", "shares": shares, "extra": int(options[EXTRA.key])}


def deal(state: State) -> Mapping[str, object]:
    """Return the colours of each seat's dice as a string, and everybody's first roll."""
    seats = [None if own is None else own.dice for own in state.seats]
    return {
        "dice": [dice and "".join(die.colour.upper() for die in dice) for dice in seats],
        "rolls": [dice and [die.value for die in dice] for dice in seats],
    }
