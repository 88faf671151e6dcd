"""A round of Ligretto Dice as frozen values, and the moves in it.

A die keeps its number for the whole round, counted from 0 in the order in which its seat drew them
from the bag. A move names the number and the face that its player saw (`y3#7`), and a roll names
how often this seat has rolled (`roll:4`). So a second press never throws a good roll away.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TypeAlias

from bot.games.contract import GameMove, GameState
from bot.games.values import Seat

FACES = 6
OF_A_COLOUR = 6
KEPT = 1024
"""Moves kept as parsed: each is parsed five times while a press is decided."""

_PLACE = re.compile(r"([rygb])([1-6])#([0-9]|1[0-9]|2[0-3])")
_ROLL = re.compile(r"roll:(0|[1-9][0-9]{0,4})")


class Colour(StrEnum):
    RED = "r"
    YELLOW = "y"
    GREEN = "g"
    BLUE = "b"


BAG: tuple[Colour, ...] = tuple(colour for colour in Colour for _ in range(OF_A_COLOUR))
"""The 24 dice of the box (D2)."""


@dataclass(frozen=True, slots=True)
class Die:
    """A die and its current face. A `placed` die lies on the board, out of play."""

    colour: Colour
    value: int
    placed: bool = False


@dataclass(frozen=True, slots=True)
class SeatDice:
    """One player's dice by number. `rolls` counts rerolls. `gone` is set once the seat has left.

    `gaps` are the numbers of the dice placed since the last roll: their places stay empty, so that
    nothing moves under a thumb.
    """

    dice: tuple[Die, ...]
    rolls: int = 0
    gaps: tuple[int, ...] = ()
    gone: bool = False

    @property
    def left(self) -> int:
        return sum(not die.placed for die in self.dice)


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A colour's row on the board: the owners of its 1, its 2, and so on (D4, D7)."""

    colour: Colour
    owners: tuple[Seat, ...] = ()

    @property
    def wanted(self) -> int | None:
        """The number that comes next, or None if the row is full."""
        return len(self.owners) + 1 if len(self.owners) < FACES else None


@dataclass(frozen=True, slots=True)
class State(GameState):
    """A round. `seats` holds None for a seat that was not dealt in."""

    seats: tuple[SeatDice | None, ...]
    board: tuple[BoardRow, ...] = tuple(BoardRow(colour) for colour in Colour)
    finished_by: Seat | None = None


@dataclass(frozen=True, slots=True)
class Place(GameMove):
    """A move that places a die in its colour's row: `y3#7`."""

    colour: Colour
    value: int
    die: int

    def __str__(self) -> str:
        return f"{self.colour}{self.value}#{self.die}"


@dataclass(frozen=True, slots=True)
class Roll(GameMove):
    """A move that rolls all dice left, the seat having rerolled `number` times: `roll:4`."""

    number: int

    def __str__(self) -> str:
        return f"roll:{self.number}"


Move: TypeAlias = Place | Roll


@lru_cache(maxsize=KEPT)
def parse(text: str) -> Move:
    """Parse a move. Raises ValueError, but only for a forged button."""
    if match := _PLACE.fullmatch(text):
        return Place(Colour(match[1]), int(match[2]), int(match[3]))
    if match := _ROLL.fullmatch(text):
        return Roll(int(match[1]))
    raise ValueError(f"not a move of Ligretto Dice: {text!r}")
