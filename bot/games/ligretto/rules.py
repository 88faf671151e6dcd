"""The rules of Ligretto: deal, play, the end of a round, points. C numbers: `docs/rules.md`."""

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from typing import TypeAlias, assert_never

from bot.games.kernel import (
    Chance,
    Ending,
    LogMove,
    Option,
    Options,
    Played,
    Points,
    Reason,
    Refused,
    Seat,
)
from bot.games.ligretto.model import (
    TOP,
    Card,
    CentrePile,
    Flip,
    Lay,
    Move,
    Play,
    SeatCards,
    State,
    deck,
)
from bot.games.screen import Icon, Text

LIGRETTO_PILE = 10
TURN = 3
REFILL = Option("refill", ("auto", "hand"), "auto")

Source: TypeAlias = str
"""Where a card lies, as the match log says it: `row0` and so on, `ligretto`, `discard`."""


class Why(StrEnum):
    """Why a move was refused. Each value is the key of its words."""

    NO_FIT = "ligretto.refused.no_fit"
    NOT_OPEN = "ligretto.refused.not_open"
    LAID_ALREADY = "ligretto.refused.laid_already"
    TURNED_ALREADY = "ligretto.refused.turned_already"
    NOTHING_TO_TURN = "ligretto.refused.nothing_to_turn"
    NO_GAP = "ligretto.refused.no_gap"
    ONLY_LIGRETTO = "ligretto.refused.only_ligretto"
    NOT_DEALT_IN = "ligretto.refused.not_dealt_in"


def deal(dealt: tuple[bool, ...], options: Options, chance: Chance) -> State:
    """A new round for the seats dealt in; their number decides the sizes (C4 to C6, C30)."""
    columns = {2: 5, 3: 4}.get(sum(dealt), 3)
    seats = tuple(_cards(columns, chance) if is_in else None for is_in in dealt)
    return State(seats, refill=options[REFILL.key] == "auto")


def play(state: State, seat: Seat, move: Move, chance: Chance) -> Played[State] | Refused:
    """The state after the move, or why it is refused. The round is taken to be live."""
    own = state.seats[seat]
    if own is None or own.gone:
        return Refused(Why.NOT_DEALT_IN)
    match move:
        case Play(card):
            return _play(state, seat, own, card)
        case Lay(card, column):
            return _lay(state, seat, own, Lay(card, column))
        case Flip(number):
            return _flip(state, seat, own, number, chance)
        case _:
            assert_never(move)


def moves(state: State, seat: Seat) -> Iterator[Move]:
    """Every move that `play` would accept from this seat."""
    own = state.seats[seat]
    if own is None or own.gone or state.stopped_by is not None:
        return
    wanted = fitting(state)
    yield from (Play(card) for card in open_cards(own).values() if card in wanted)
    if own.ligretto:
        yield from (Lay(own.ligretto[0], i) for i, column in enumerate(own.row) if not column)
    if own.hand or own.discard:
        yield Flip(own.flips)


def leave(state: State, seat: Seat) -> State:
    """The seat plays no more; its cards in the centre and its Ligretto pile keep counting."""
    own = state.seats[seat]
    return state if own is None else _with(state, seat, replace(own, gone=True))


def ending(state: State) -> Ending | None:
    """How the round has ended: Ligretto stop (C20), dead (C22), or None while it goes on."""
    if state.stopped_by is not None:
        return Ending(Reason.LIGRETTO, state.stopped_by)
    return Ending(Reason.DEAD) if is_dead(state) else None


def is_dead(state: State) -> bool:
    """No player still in can ever place a card again, whatever he turns and shuffles (C22).

    Reachable are the row's tops, the Ligretto top and the whole reserve, since a shuffle can
    bring any of its cards to the top; a gap lets a Ligretto card off its pile.
    """
    wanted = fitting(state)
    for own in state.seats:
        if own is None or own.gone:
            continue
        if own.ligretto and own.gap is not None:
            return False
        if not wanted.isdisjoint(own.hand) or not wanted.isdisjoint(own.discard):
            return False
        if any(card in wanted for card in open_cards(own).values()):
            return False
    return True


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


def fitting(state: State) -> set[Card]:
    """Every card that could be laid on the centre now (C10, C11, C13)."""
    return set(_FIRST.values()) | {
        _CARDS[pile.colour, pile.top + 1] for pile in state.centre if pile.top < TOP
    }


def open_cards(own: SeatCards) -> dict[Source, Card]:
    """The cards that may be played, by where they lie (C9): the row first."""
    found = {f"row{i}": column[-1] for i, column in enumerate(own.row) if column}
    if own.ligretto:
        found["ligretto"] = own.ligretto[0]
    if own.discard:
        found["discard"] = own.discard[-1]
    return found


def claim(move: Move) -> str | None:
    """Laying a card takes the place that any other card of this face was for."""
    return str(move.card) if isinstance(move, Play) else None


def lapsed(refused: Refused) -> bool:
    return refused.why in {Why.TURNED_ALREADY, Why.NOT_DEALT_IN}


def written(seen: State, seat: Seat, move: Move) -> LogMove | None:
    """A refused move for the log, by where its card lay in what the player was last shown."""
    own = seen.seats[seat]
    if own is None:
        return None
    if isinstance(move, Flip):
        return ("flip",), None
    source = next((s for s, card in open_cards(own).items() if card == move.card), None)
    if source is None:
        return None
    face = str(move.card).upper()
    return (("play", source) if isinstance(move, Play) else ("lay", source, move.column)), face


_CARDS = {(card.colour, card.value): card for card in deck()}
_FIRST = {card.colour: card for card in deck() if card.value == 1}


def _cards(columns: int, chance: Chance) -> SeatCards:
    cards = chance.shuffled(deck())
    hand = columns + LIGRETTO_PILE
    return SeatCards(
        row=tuple((card,) for card in cards[:columns]),
        ligretto=cards[columns:hand],
        hand=cards[hand:],
    )


def _play(state: State, seat: Seat, own: SeatCards, card: Card) -> Played[State] | Refused:
    sources = [source for source, found in open_cards(own).items() if found == card]
    if not sources:
        laid = any(
            pile.colour == card.colour and pile.owners[card.value - 1 : card.value] == (seat,)
            for pile in state.centre
        )
        why = Why.LAID_ALREADY if laid else Why.NOT_OPEN
        return Refused(why, (("card", Icon(str(card))),))
    target = _target(state, card)
    if target is None:
        needs = f"{card.colour}{card.value - 1}"
        return Refused(Why.NO_FIT, (("card", Icon(str(card))), ("needs", Icon(needs))))
    source = sources[0]
    own = _without(own, source)
    log: list[LogMove] = [
        (("play", source, "new" if target == len(state.centre) else target), str(card).upper())
    ]
    if state.refill and (filled := _refilled(own)) is not None:
        lay: LogMove = ("lay", "ligretto", filled[1]), str(own.ligretto[0]).upper()
        own, log = filled[0], [*log, lay]
    after = replace(
        _with(state, seat, own),
        centre=_laid(state, target, card, seat),
        stopped_by=None if own.ligretto else seat,
    )
    return Played(after, Text("ligretto.laid", (("card", Icon(str(card))),)), tuple(log))


def _lay(state: State, seat: Seat, own: SeatCards, move: Lay) -> Played[State] | Refused:
    """A Ligretto card into a gap, at any time (C14, C15)."""
    if move.card not in own.ligretto[:1]:
        return Refused(_why_not_ligretto(own, move), (("card", Icon(str(move.card))),))
    if own.row[move.column : move.column + 1] != ((),):
        return Refused(Why.NO_GAP, (("card", Icon(str(move.card))),))
    own = _filled(own, move.column)
    after = replace(_with(state, seat, own), stopped_by=None if own.ligretto else seat)
    log: LogMove = ("lay", "ligretto", move.column), str(move.card).upper()
    return Played(after, Text("ligretto.filled", (("card", Icon(str(move.card))),)), (log,))


def _why_not_ligretto(own: SeatCards, move: Lay) -> Why:
    if any(move.card in column for column in own.row[move.column : move.column + 1]):
        return Why.LAID_ALREADY
    return Why.ONLY_LIGRETTO if move.card in open_cards(own).values() else Why.NOT_OPEN


def _flip(
    state: State, seat: Seat, own: SeatCards, number: int, chance: Chance
) -> Played[State] | Refused:
    """Turn three hand cards; an empty hand first takes up the discard pile (C17 to C19)."""
    if number != own.flips:
        return Refused(Why.TURNED_ALREADY)
    if not own.hand and not own.discard:
        return Refused(Why.NOTHING_TO_TURN)
    log: list[LogMove] = []
    if not own.hand:
        own = replace(own, hand=chance.shuffled(own.discard), discard=())
        order = tuple(str(card).upper() for card in own.hand)
        log.append((("recycle", order), None))
    turned = own.hand[:TURN]
    log.append((("flip",), None))
    own = replace(own, hand=own.hand[TURN:], discard=own.discard + turned, flips=own.flips + 1)
    key = "ligretto.taken_up" if len(log) > 1 else "ligretto.turned"
    return Played(_with(state, seat, own), Text(key, (("n", len(turned)),)), tuple(log))


def _target(state: State, card: Card) -> int | None:
    """The pile for this card, the first that fits; a 1 opens a new one (C10 to C12)."""
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


def _laid(state: State, target: int, card: Card, seat: Seat) -> tuple[CentrePile, ...]:
    if target == len(state.centre):
        return (*state.centre, CentrePile(card.colour, (seat,)))
    pile = state.centre[target]
    grown = CentrePile(pile.colour, (*pile.owners, seat))
    return (*state.centre[:target], grown, *state.centre[target + 1 :])


def _without(own: SeatCards, source: Source) -> SeatCards:
    if source == "ligretto":
        return replace(own, ligretto=own.ligretto[1:])
    if source == "discard":
        return replace(own, discard=own.discard[:-1])
    column = int(source.removeprefix("row"))
    return replace(own, row=_row(own, column, own.row[column][:-1]))


def _refilled(own: SeatCards) -> tuple[SeatCards, int] | None:
    """A gap filled by itself, but never with the last Ligretto card, which ends the round (C15)."""
    if len(own.ligretto) > 1 and (gap := own.gap) is not None:
        return _filled(own, gap), gap
    return None


def _filled(own: SeatCards, column: int) -> SeatCards:
    return replace(own, row=_row(own, column, own.ligretto[:1]), ligretto=own.ligretto[1:])


def _row(own: SeatCards, column: int, cards: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
    return (*own.row[:column], cards, *own.row[column + 1 :])


def _with(state: State, seat: Seat, own: SeatCards) -> State:
    return replace(state, seats=(*state.seats[:seat], own, *state.seats[seat + 1 :]))
