"""A round of Ligretto as frozen values, and the moves in it.

Face-down piles are queues, their first card is next; open piles end with their top. A move
names the card its player saw, not the place it lay in, and a flip the number of flips this
seat has made: a second press on the same button cannot play the next card by mistake.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TypeAlias

from bot.games.contract import GameMove, GameState
from bot.games.values import Seat

TOP = 10

_PLAY = re.compile(r"([rygb])(10|[1-9])")
_LAY = re.compile(r"([rygb])(10|[1-9])>([0-4])")
_HALF = re.compile(r"([rygb])(10|[1-9])>")
_FLIP = re.compile(r"flip:(0|[1-9][0-9]{0,4})")


class Colour(StrEnum):
    RED = "r"
    YELLOW = "y"
    GREEN = "g"
    BLUE = "b"


@dataclass(frozen=True, slots=True)
class Card:
    """What is printed on a card: `r5` is the red five. Its owner is the seat it lies before."""

    colour: Colour
    value: int

    def __str__(self) -> str:
        return f"{self.colour}{self.value}"


@cache
def deck() -> tuple[Card, ...]:
    """The 40 cards of a player in the order of a new deck (C2)."""
    return tuple(Card(colour, value) for colour in Colour for value in range(1, TOP + 1))


Pile: TypeAlias = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class SeatCards:
    """One player's cards. A column of the row that is empty is a gap.

    `hand[0]` and `ligretto[0]` are next, `discard[-1]` and the last card of a column on top.
    `flips` counts the times this seat has turned cards, `taken_up` those it has taken up its
    discard pile for that; `gone` is set when it has left.
    """

    row: tuple[Pile, ...]
    ligretto: Pile
    hand: Pile
    discard: Pile = ()
    flips: int = 0
    taken_up: int = 0
    gone: bool = False

    @property
    def gap(self) -> int | None:
        """The leftmost gap of the row, counted from 0."""
        return next((i for i, column in enumerate(self.row) if not column), None)


@dataclass(frozen=True, slots=True)
class CentrePile:
    """A pile in the centre: who laid its 1, its 2, and so on (C24)."""

    colour: Colour
    owners: tuple[Seat, ...]

    @property
    def top(self) -> int:
        return len(self.owners)


@dataclass(frozen=True, slots=True)
class State(GameState):
    """A round. `seats` holds None for a seat that was not dealt in.

    `stopped_by` is who has got rid of the Ligretto pile (C20). `refill` fills gaps by itself;
    `expert`: cards may be laid on the row (X1).
    """

    seats: tuple[SeatCards | None, ...]
    centre: tuple[CentrePile, ...] = ()
    stopped_by: Seat | None = None
    refill: bool = True
    expert: bool = False


@dataclass(frozen=True, slots=True)
class Play(GameMove):
    """A card to the centre: `r5`."""

    card: Card

    def __str__(self) -> str:
        return str(self.card)


@dataclass(frozen=True, slots=True)
class Lay(GameMove):
    """A card on one's own row, columns counted from 0: `r5>2`."""

    card: Card
    column: int

    def __str__(self) -> str:
        return f"{self.card}>{self.column}"


@dataclass(frozen=True, slots=True)
class Flip(GameMove):
    """Turn three hand cards, after this seat has done so `number` times: `flip:12`."""

    number: int

    def __str__(self) -> str:
        return f"flip:{self.number}"


Move: TypeAlias = Play | Lay | Flip


def parse(text: str) -> Move:
    """Read a move. Only a forged button can make this raise ValueError."""
    if match := _PLAY.fullmatch(text):
        return Play(Card(Colour(match[1]), int(match[2])))
    if match := _LAY.fullmatch(text):
        return Lay(Card(Colour(match[1]), int(match[2])), int(match[3]))
    if match := _FLIP.fullmatch(text):
        return Flip(int(match[1]))
    raise ValueError(f"not a Ligretto move: {text!r}")


def half(text: str) -> Card | None:
    """The card of `g4>`, a lay whose column is still to be named; None for anything else."""
    match = _HALF.fullmatch(text)
    return Card(Colour(match[1]), int(match[2])) if match else None
