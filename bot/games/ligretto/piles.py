"""Cards moved between hand, row, Ligretto pile and centre."""

from dataclasses import replace

from bot.games.chance import Chance
from bot.games.ligretto.fits import Source
from bot.games.ligretto.model import Card, CentrePile, SeatCards, State, deck
from bot.games.values import Seat

LIGRETTO_PILE = 10


def dealt_cards(columns: int, chance: Chance) -> SeatCards:
    cards = chance.shuffled(deck())
    hand = columns + LIGRETTO_PILE
    return SeatCards(
        row=tuple((card,) for card in cards[:columns]),
        ligretto=cards[columns:hand],
        hand=cards[hand:],
    )


def pile_for(state: State, card: Card) -> int | None:
    """Return the first pile that takes this card, or None. A 1 opens a new one (C10 to C12)."""
    if card.value == 1:
        return len(state.centre)
    return next(
        (
            i
            for i, pile in enumerate(state.centre)
            if pile.colour == card.colour and pile.top == card.value - 1
        ),
        None,
    )


def on_centre(state: State, target: int, card: Card, seat: Seat) -> tuple[CentrePile, ...]:
    if target == len(state.centre):
        return (*state.centre, CentrePile(card.colour, (seat,)))
    pile = state.centre[target]
    grown = CentrePile(pile.colour, (*pile.owners, seat))
    return (*state.centre[:target], grown, *state.centre[target + 1 :])


def without(own: SeatCards, source: Source) -> SeatCards:
    if source == "ligretto":
        return replace(own, ligretto=own.ligretto[1:])
    if source == "discard":
        return replace(own, discard=own.discard[:-1])
    column = int(source.removeprefix("row"))
    return replace(own, row=row_with(own, column, own.row[column][:-1]))


def refilled(own: SeatCards) -> tuple[SeatCards, int] | None:
    """Fill a gap automatically, but not with the last Ligretto card: that ends the round (C15).

    Returns the seat's cards and the filled column, or None if nothing was filled.
    """
    if len(own.ligretto) > 1 and (gap := own.gap) is not None:
        return _filled(own, gap), gap
    return None


def _filled(own: SeatCards, column: int) -> SeatCards:
    return replace(own, row=row_with(own, column, own.ligretto[:1]), ligretto=own.ligretto[1:])


def row_with(own: SeatCards, column: int, cards: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
    return (*own.row[:column], cards, *own.row[column + 1 :])


def with_seat(state: State, seat: Seat, own: SeatCards) -> State:
    seats = seats_with(state, seat, own)
    return State(seats, state.centre, state.stopped_by, state.refill, state.expert)


def seats_with(state: State, seat: Seat, own: SeatCards) -> tuple[SeatCards | None, ...]:
    return (*state.seats[:seat], own, *state.seats[seat + 1 :])
