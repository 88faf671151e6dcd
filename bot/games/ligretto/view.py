"""A round of Ligretto as one seat may know it, or as everybody may."""

from dataclasses import dataclass
from functools import lru_cache

from bot.games.contract import GameView
from bot.games.ligretto.fits import fitting
from bot.games.ligretto.model import Card, CentrePile, Colour, Pile, State
from bot.games.ligretto.round_end import left
from bot.games.values import Seat


@dataclass(frozen=True, slots=True)
class Own:
    """A player's cards as they see them: the row, the tops, and how many cards lie below."""

    columns: tuple[Pile, ...]
    ligretto: Card | None
    discard: Card | None
    ligretto_left: int
    discarded: int
    in_hand: int
    flips: int

    @property
    def row(self) -> tuple[Card | None, ...]:
        """The tops of the columns, None for a gap."""
        return tuple([column[-1] if column else None for column in self.columns])

    @property
    def gap(self) -> int | None:
        return next((i for i, column in enumerate(self.columns) if not column), None)

    @property
    def can_turn(self) -> bool:
        return bool(self.in_hand or self.discarded)


@dataclass(frozen=True, slots=True)
class View(GameView):
    """A round as one seat sees it, or as everybody does if `own` is None.

    It holds no hidden cards, so neither a panel nor a robot can leak them. `tops` are by colour the
    top numbers of the piles, full ones too, in the order in which the piles were opened: each keeps
    its place all round. There are never more of a colour than `players` in the round.
    """

    tops: tuple[tuple[Colour, tuple[int, ...]], ...]
    left: tuple[int | None, ...]
    fits: frozenset[Card]
    refill: bool
    expert: bool
    own: Own | None = None

    @property
    def players(self) -> int:
        """The number of seats dealt in, those that have left included."""
        return sum(one is not None for one in self.left)


def view(state: State, seat: Seat | None) -> View:
    own = None if seat is None else _own(state, seat)
    return View(
        _tops(state.centre),
        left(state),
        fitting(state.centre),
        state.refill,
        state.expert,
        own,
    )


@lru_cache(maxsize=64)
def _tops(centre: tuple[CentrePile, ...]) -> tuple[tuple[Colour, tuple[int, ...]], ...]:
    tops: dict[Colour, list[int]] = {colour: [] for colour in Colour}
    for pile in centre:
        tops[pile.colour].append(len(pile.owners))
    return tuple((colour, tuple(numbers)) for colour, numbers in tops.items())


def top(pile: Pile) -> Card | None:
    """Return the card on top, None for an empty pile."""
    return pile[-1] if pile else None


def _own(state: State, seat: Seat) -> Own | None:
    own = state.seats[seat]
    if own is None or own.gone:
        return None
    return Own(
        columns=own.row,
        ligretto=top(own.ligretto[:1]),
        discard=top(own.discard),
        ligretto_left=len(own.ligretto),
        discarded=len(own.discard),
        in_hand=len(own.hand),
        flips=own.flips,
    )
