"""A round as those who watch it see it, step by step."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias

Face: TypeAlias = str
"""A card or a die as drawings name it: `r7`, `rd3`."""


@dataclass(frozen=True, slots=True)
class Pile:
    """A centre pile, or a row of the dice board: the seats that laid its 1, its 2, and so on."""

    colour: str
    owners: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatState:
    """The cards or dice before a player, without their hand and discard pile.

    `row`: the top card of each column, None for a gap; dice have no row. `left`: the Ligretto pile,
    next card first, or the dice still to be placed. `laid`: the cards or dice in the centre.
    """

    row: tuple[Face | None, ...]
    left: tuple[Face, ...]
    laid: int = 0
    gone: bool = False


@dataclass(frozen=True, slots=True)
class RoundState:
    """A round at one instant. `seats` holds None for a seat that was not dealt in."""

    piles: tuple[Pile, ...]
    seats: tuple[SeatState | None, ...]


class Happening(Enum):
    """The kinds of steps."""

    DEAL = auto()
    LAID = auto()  # a card or die in the centre
    MOVED = auto()  # into a gap of the row, or a roll
    DUEL = auto()
    LEFT = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class Step:
    """A state of the round, and what has just led to it.

    `at`: ms of the round's clock. `seat`: who did it, or won the duel. `card`: what was laid, in
    pile number `pile` or on `column` of the own row; of a duel, what lies where the loser wanted to
    lay the same. `loser` and `margin` in ms: of a duel.
    """

    at: int
    state: RoundState
    kind: Happening
    seat: int | None = None
    card: Face | None = None
    pile: int | None = None
    loser: int | None = None
    margin: int = 0
    column: int | None = None


@dataclass(frozen=True, slots=True)
class WatchedRound:
    """A whole round. `lasted`: ms. `steps` begin with the deal and end with the end.

    `reason` and `by`: as in the log's `end`. `kind` of log: `cards` or `dice`.
    """

    number: int
    game: str
    steps: tuple[Step, ...]
    reason: str
    by: int | None
    scores: tuple[int, ...]
    lasted: int

    @property
    def duels(self) -> tuple[Step, ...]:
        return tuple(one for one in self.steps if one.kind is Happening.DUEL)

    @property
    def dealt(self) -> tuple[int, ...]:
        """The seats that were dealt in."""
        seats = self.steps[0].state.seats
        return tuple(seat for seat, own in enumerate(seats) if own is not None)
