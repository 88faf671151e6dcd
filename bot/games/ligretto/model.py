"""A round of Ligretto as frozen values, and the moves in it.

Face-down piles are queues whose first card is next. Open piles end with their top. A move names the
card that its player saw, not the place it lay in, and a flip names the number of flips this seat
has made. So a second press on the same button cannot play the next card by mistake.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from typing import NamedTuple, TypeAlias

from bot.games.contract import GameMove, GameState
from bot.games.values import Seat

TOP = 10
"""The highest value of a card."""
KEPT = 1024
"""Moves kept as parsed: each is parsed five times while a press is decided."""

_PLAY = re.compile(r"([rygb])(10|[1-9])")
_LAY = re.compile(r"([rygb])(10|[1-9])>([0-4])")
_HALF = re.compile(r"([rygb])(10|[1-9])>")
_FLIP = re.compile(r"flip:(0|[1-9][0-9]{0,4})")


class Colour(StrEnum):
    RED = "r"
    YELLOW = "y"
    GREEN = "g"
    BLUE = "b"


class Card(NamedTuple):
    """The printed face of a card: `r5` is the red five. Its owner is the seat that holds it.

    Sets are asked for cards all the time, and a tuple is hashed fast.
    """

    colour: Colour
    value: int

    def __str__(self) -> str:
        return f"{self.colour}{self.value}"


@cache
def deck() -> tuple[Card, ...]:
    """Return a player's 40 cards in the order of a new deck (C2)."""
    return tuple(Card(colour, value) for colour in Colour for value in range(1, TOP + 1))


Pile: TypeAlias = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class SeatCards:
    """One player's cards. An empty column of the row is a gap.

    `hand[0]` and `ligretto[0]` are next; `discard[-1]` and the last card of a column are on top.
    `flips` counts this seat's flips, and `taken_up` the flips that first took up the discard pile.
    `gone` is set once the seat has left.
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
        """The leftmost gap of the row, counted from 0, or None."""
        return next((i for i, column in enumerate(self.row) if not column), None)


class CentrePile(NamedTuple):
    """A pile in the centre: the owners of its 1, its 2, and so on (C24)."""

    colour: Colour
    owners: tuple[Seat, ...]

    @property
    def top(self) -> int:
        return len(self.owners)


@dataclass(frozen=True, slots=True)
class State(GameState):
    """A round. `seats` holds None for a seat that was not dealt in.

    `stopped_by` is the seat that emptied its Ligretto pile (C20). With `refill`, gaps fill
    themselves. With `expert`, cards may be laid on the row (X1).
    """

    seats: tuple[SeatCards | None, ...]
    centre: tuple[CentrePile, ...] = ()
    stopped_by: Seat | None = None
    refill: bool = True
    expert: bool = False


@dataclass(frozen=True, slots=True)
class Play(GameMove):
    """A move that plays a card to the centre: `r5`."""

    card: Card

    def __str__(self) -> str:
        return str(self.card)


@dataclass(frozen=True, slots=True)
class Lay(GameMove):
    """A move that lays a card on one's own row, with columns counted from 0: `r5>2`."""

    card: Card
    column: int

    def __str__(self) -> str:
        return f"{self.card}>{self.column}"


@dataclass(frozen=True, slots=True)
class Flip(GameMove):
    """A move that flips three hand cards, the seat having flipped `number` times: `flip:12`."""

    number: int

    def __str__(self) -> str:
        return f"flip:{self.number}"


Move: TypeAlias = Play | Lay | Flip


@lru_cache(maxsize=KEPT)
def parse(text: str) -> Move:
    """Parse a move. Raises ValueError, but only for a forged button."""
    if match := _PLAY.fullmatch(text):
        return Play(Card(Colour(match[1]), int(match[2])))
    if match := _LAY.fullmatch(text):
        return Lay(Card(Colour(match[1]), int(match[2])), int(match[3]))
    if match := _FLIP.fullmatch(text):
        return Flip(int(match[1]))
    raise ValueError(f"not a Ligretto move: {text!r}")


def half(text: str) -> Card | None:
    """Return the card of `g4>`, a lay without its column yet, or None for any other word."""
    match = _HALF.fullmatch(text)
    return Card(Colour(match[1]), int(match[2])) if match else None
