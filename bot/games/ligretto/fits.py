"""Open cards in a round of Ligretto, and where they fit. C and X numbers: `docs/rules.md`."""

from functools import lru_cache
from typing import TypeAlias

from bot.games.ligretto.model import TOP, Card, CentrePile, Colour, Pile, SeatCards, deck

Source: TypeAlias = str
"""The place of a card, as in the match log: `row0` and so on, `ligretto`, `discard`."""

_UPWARDS = {colour: tuple(c for c in deck() if c.colour == colour) for colour in Colour}
"""A colour's cards from 1. On a pile of n cards, the one at index n fits."""
_FIRST = frozenset(card for card in deck() if card.value == 1)


@lru_cache(maxsize=64)
def fitting(centre: tuple[CentrePile, ...]) -> frozenset[Card]:
    """Return every card that could be played to the centre now (C10, C11, C13).

    Most questions are about the centre of the question before: a flip leaves it as it was.
    """
    return _FIRST | {
        _UPWARDS[pile.colour][top] for pile in centre if (top := len(pile.owners)) < TOP
    }


def open_cards(own: SeatCards) -> dict[Source, Card]:
    """Return the cards that may be played, by their place (C9, X2), the row first."""
    found = {f"row{i}": column[-1] for i, column in enumerate(own.row) if column}
    if own.ligretto:
        found["ligretto"] = own.ligretto[0]
    if own.discard:
        found["discard"] = own.discard[-1]
    return found


def layable(own: SeatCards, *, expert: bool) -> dict[Source, Card]:
    """Return the cards that may be laid on the row, by their place.

    That is the Ligretto top (C14), and in the expert game also the discard top (X6, X7).
    """
    sources = ("ligretto", "discard") if expert else ("ligretto",)
    return {source: card for source, card in open_cards(own).items() if source in sources}


def takes(column: Pile, card: Card, *, expert: bool) -> bool:
    """Check whether a column takes this card (X3 to X6).

    A gap takes any card. In the expert game a higher card of another colour takes it too.
    """
    if not column:
        return True
    top = column[-1]
    return expert and card.value < top.value and card.colour != top.colour


def columns_for(row: tuple[Pile, ...], card: Card, *, expert: bool) -> tuple[int, ...]:
    """Return the columns that take this card, counted from 0."""
    return tuple(i for i, column in enumerate(row) if takes(column, card, expert=expert))
