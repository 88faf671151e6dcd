"""The end of a round of Ligretto, and its scores. C and X numbers: `docs/rules.md`."""

from bot.games.ligretto.fits import fitting, open_cards, takes
from bot.games.ligretto.model import Card, SeatCards, State
from bot.games.values import Ending, Points, Reason


def ending(state: State) -> Ending | None:
    """Return how the round ended: Ligretto stop (C20) or dead (C22). None while it goes on."""
    if state.stopped_by is not None:
        return Ending(Reason.LIGRETTO, state.stopped_by)
    return Ending(Reason.DEAD) if is_dead(state) else None


def is_dead(state: State) -> bool:
    """Return True if no player still in can ever play or lay a card again (C22).

    They cannot, whatever they flip and however their reserve is shuffled.
    """
    wanted = fitting(state.centre)
    return not any(
        own is not None and not own.gone and _can_go_on(own, wanted, expert=state.expert)
        for own in state.seats
    )


def _can_go_on(own: SeatCards, wanted: frozenset[Card], *, expert: bool) -> bool:
    """Check whether a seat can reach a wanted card, or get its Ligretto top into its row.

    It can reach the tops of its row, the Ligretto top and its whole reserve, since a shuffle can
    bring any reserve card to the top.
    """
    if not wanted.isdisjoint(own.hand) or not wanted.isdisjoint(own.discard):
        return True
    if any(card in wanted for card in open_cards(own).values()):
        return True
    return bool(own.ligretto) and _leaves_its_pile(own, expert=expert)


def _leaves_its_pile(own: SeatCards, *, expert: bool) -> bool:
    """Check whether the Ligretto top can get into the row, over reserve cards if needed (X9).

    If a chain of reserve cards helps at all, its first card is enough. That card lies on a column
    of the Ligretto card's own colour, so its colour differs, and it is higher than that card.
    """
    top = own.ligretto[0]
    if any(takes(column, top, expert=expert) for column in own.row):
        return True
    return expert and any(
        takes(column, between, expert=True) and takes((between,), top, expert=True)
        for column in own.row
        for between in (*own.hand, *own.discard)
    )


def scores(state: State) -> tuple[Points, ...]:
    """Score 1 per own card in the centre and -2 per card left in the Ligretto pile (C24 to C26)."""
    laid = [0] * len(state.seats)
    for pile in state.centre:
        for owner in pile.owners:
            laid[owner] += 1
    return tuple(
        Points(0, 0) if own is None else Points(count, 2 * len(own.ligretto))
        for own, count in zip(state.seats, laid, strict=True)
    )


def left(state: State) -> tuple[int | None, ...]:
    """Count the cards left in each Ligretto pile. None for a seat that was not dealt in."""
    return tuple([None if own is None else len(own.ligretto) for own in state.seats])
