"""How a round of Ligretto ends, and what it scores. C and X numbers: `docs/rules.md`."""

from bot.games.ligretto.fits import fitting, open_cards, takes
from bot.games.ligretto.model import Card, SeatCards, State
from bot.games.values import Ending, Points, Reason


def ending(state: State) -> Ending | None:
    """How the round has ended: Ligretto stop (C20), dead (C22), or None while it goes on."""
    if state.stopped_by is not None:
        return Ending(Reason.LIGRETTO, state.stopped_by)
    return Ending(Reason.DEAD) if is_dead(state) else None


def is_dead(state: State) -> bool:
    """No player still in can ever place a card again, whatever he turns and shuffles (C22)."""
    wanted = fitting(state)
    return not any(
        own is not None and not own.gone and _can_go_on(own, wanted, expert=state.expert)
        for own in state.seats
    )


def _can_go_on(own: SeatCards, wanted: set[Card], *, expert: bool) -> bool:
    """Reachable are the row's tops, the Ligretto top and the whole reserve, since a shuffle can
    bring any of its cards to the top.
    """
    if not wanted.isdisjoint(own.hand) or not wanted.isdisjoint(own.discard):
        return True
    if any(card in wanted for card in open_cards(own).values()):
        return True
    return bool(own.ligretto) and _leaves_its_pile(own, expert=expert)


def _leaves_its_pile(own: SeatCards, *, expert: bool) -> bool:
    """Whether the Ligretto top can get into the row, if need be over reserve cards (X9).

    One reserve card between is enough where any number of them is: the first of a chain, which
    lies on a column of the Ligretto card's own colour, is of another colour and higher than it.
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
    """+1 for each own card in the centre, -2 for each left in the Ligretto pile (C24 to C26)."""
    laid = [0] * len(state.seats)
    for pile in state.centre:
        for owner in pile.owners:
            laid[owner] += 1
    return tuple(
        Points(0, 0) if own is None else Points(count, 2 * len(own.ligretto))
        for own, count in zip(state.seats, laid, strict=True)
    )


def left(state: State) -> tuple[int | None, ...]:
    """Cards left in each Ligretto pile."""
    return tuple(None if own is None else len(own.ligretto) for own in state.seats)
