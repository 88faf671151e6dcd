"""The rules of Ligretto: deal and play. C and X numbers: `docs/rules.md`."""

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from typing import assert_never

from bot.games.chance import Chance
from bot.games.ligretto import model
from bot.games.ligretto.fits import columns_for, fitting, layable, open_cards, takes
from bot.games.ligretto.model import (
    TOP,
    Card,
    Flip,
    Lay,
    Move,
    Play,
    SeatCards,
    State,
)
from bot.games.ligretto.piles import (
    dealt_cards,
    on_centre,
    pile_for,
    refilled,
    row_with,
    seats_with,
    with_seat,
    without,
)
from bot.games.values import LogMove, Option, Options, Played, Refused, Seat
from bot.text import Icon, Text

TURN = 3
"""Cards that a flip turns over."""
VARIANT = Option("variant", ("standard", "expert"), "standard")
REFILL = Option("refill", ("auto", "hand"), "auto", moot=lambda options: refills(options))  # noqa: PLW0108 defined below


class MoveRefusal(StrEnum):
    """A reason to refuse a move. The value is the catalogue key of its words."""

    NO_FIT = "ligretto.refused.no_fit"
    NOT_OPEN = "ligretto.refused.not_open"
    LAID_ALREADY = "ligretto.refused.laid_already"
    TURNED_ALREADY = "ligretto.refused.turned_already"
    NOTHING_TO_TURN = "ligretto.refused.nothing_to_turn"
    NO_GAP = "ligretto.refused.no_gap"
    NO_COLUMN = "ligretto.refused.no_column"
    NEEDS_GAP = "ligretto.refused.needs_gap"
    ONLY_LIGRETTO = "ligretto.refused.only_ligretto"
    ROW_STAYS = "ligretto.refused.row_stays"
    NOT_DEALT_IN = "ligretto.refused.not_dealt_in"


def deal(dealt: tuple[bool, ...], options: Options, chance: Chance) -> State:
    """Deal a round. The number of seats dealt in decides the sizes (C4 to C6, C30)."""
    columns = row_length(sum(dealt))
    seats = tuple(
        dealt_cards(columns, chance.of(Seat(seat), 0)) if is_in else None
        for seat, is_in in enumerate(dealt)
    )
    expert = is_expert(options)
    return State(seats, refill=options[REFILL.key] == "auto" and not expert, expert=expert)


def row_length(players: int) -> int:
    """Return the number of cards in a row, by the number of players dealt in (C4, C30)."""
    return {2: 5, 3: 4}.get(players, 3)


def refills(options: Options) -> bool:
    """Return whether nobody fills gaps by hand as a choice: the expert game knows nothing else."""
    return is_expert(options) or options.get(REFILL.key, REFILL.default) == "auto"


def is_expert(options: Options) -> bool:
    """Return True for the expert game. Tables older than that choice are standard."""
    return options.get(VARIANT.key, VARIANT.default) == "expert"


def play(state: State, seat: Seat, move: Move, chance: Chance) -> Played[State] | Refused:
    """Return the state after a move, or the reason to refuse it. Assumes that the round is live."""
    own = state.seats[seat]
    if own is None or own.gone:
        return Refused(MoveRefusal.NOT_DEALT_IN)
    match move:
        case Play(card):
            return _play(state, seat, own, card)
        case Lay():
            return _lay(state, seat, own, move)
        case Flip(number):
            return _flip(state, seat, own, number, chance)
        case _:
            assert_never(move)


def moves(state: State, seat: Seat) -> Iterator[Move]:
    """Yield every move that `play` would accept from this seat."""
    own = state.seats[seat]
    if own is None or own.gone or state.stopped_by is not None:
        return
    wanted = fitting(state.centre)
    yield from (Play(card) for card in open_cards(own).values() if card in wanted)
    for card in layable(own, expert=state.expert).values():
        yield from (Lay(card, i) for i in columns_for(own.row, card, expert=state.expert))
    if own.hand or own.discard:
        yield Flip(own.flips)


def half(state: State, seat: Seat, word: str) -> Text | Refused | None:
    """Read `g4>`, the first half of a lay, and return the question for its column.

    Returns Refused if the card cannot be laid, and None for any other word. The standard game never
    asks, since the leftmost gap is filled.
    """
    card = model.half(word)
    if card is None or not state.expert:
        return None
    named = (("card", Icon(str(card))),)
    own = state.seats[seat]
    if own is None or own.gone:
        return Refused(MoveRefusal.NOT_DEALT_IN)
    if card not in layable(own, expert=state.expert).values():
        return Refused(MoveRefusal.NOT_OPEN, named)
    if not columns_for(own.row, card, expert=state.expert):
        return Refused(_why_on_no_column(card), named)
    return Text("ligretto.which_column", named)


def leave(state: State, seat: Seat) -> State:
    """Take a seat out of play. Its cards in the centre and its Ligretto pile keep counting."""
    own = state.seats[seat]
    return state if own is None else with_seat(state, seat, replace(own, gone=True))


def claim(move: Move) -> str | None:
    """Return the face whose place in the centre a move takes, or None if it takes none."""
    return str(move.card) if isinstance(move, Play) else None


def lapsed(refused: Refused) -> bool:
    return refused.why in {MoveRefusal.TURNED_ALREADY, MoveRefusal.NOT_DEALT_IN}


def written(seen: State, seat: Seat, move: Move) -> LogMove | None:
    """Return a refused move for the log, by its card's place when the player last saw it.

    Returns None if the player had no such card.
    """
    own = seen.seats[seat]
    if own is None:
        return None
    if isinstance(move, Flip):
        return ("flip",), None
    source = next((s for s, card in open_cards(own).items() if card == move.card), None)
    if source is None or (isinstance(move, Lay) and source.startswith("row")):
        return None
    face = str(move.card).upper()
    return (("play", source) if isinstance(move, Play) else ("lay", source, move.column)), face


def _play(state: State, seat: Seat, own: SeatCards, card: Card) -> Played[State] | Refused:
    sources = [source for source, found in open_cards(own).items() if found == card]
    if not sources:
        laid = any(
            pile.colour == card.colour and pile.owners[card.value - 1 : card.value] == (seat,)
            for pile in state.centre
        )
        why = MoveRefusal.LAID_ALREADY if laid else MoveRefusal.NOT_OPEN
        return Refused(why, (("card", Icon(str(card))),))
    target = pile_for(state, card)
    if target is None:
        needs = f"{card.colour}{card.value - 1}"
        return Refused(MoveRefusal.NO_FIT, (("card", Icon(str(card))), ("needs", Icon(needs))))
    source = sources[0]
    own = without(own, source)
    log: list[LogMove] = [
        (("play", source, "new" if target == len(state.centre) else target), str(card).upper())
    ]
    if state.refill and (filled := refilled(own)) is not None:
        lay: LogMove = ("lay", "ligretto", filled[1]), str(own.ligretto[0]).upper()
        own, log = filled[0], [*log, lay]
    after = replace(
        state,
        seats=seats_with(state, seat, own),
        centre=on_centre(state, target, card, seat),
        stopped_by=None if own.ligretto else seat,
    )
    made_gap = source.startswith("row") and own.gap is not None and not state.refill
    key = "ligretto.laid_gap" if made_gap else "ligretto.laid"
    return Played(after, Text(key, (("card", Icon(str(card))),)), tuple(log))


def _lay(state: State, seat: Seat, own: SeatCards, move: Lay) -> Played[State] | Refused:
    """Lay a card on one's own row: in a gap (C14, C15), or on a column if expert (X3 to X6)."""
    card, column = move.card, own.row[move.column : move.column + 1]
    named = (("card", Icon(str(card))),)
    layable_ = layable(own, expert=state.expert)
    source = next((source for source, found in layable_.items() if found == card), None)
    if source is None:
        return Refused(_why_not_laid(state, own, move), named)
    if not column or not takes(column[0], card, expert=state.expert):
        return Refused(_why_on_no_column(card) if state.expert else MoveRefusal.NO_GAP, named)
    own = without(own, source)
    own = replace(own, row=row_with(own, move.column, (*column[0], card)))
    after = replace(with_seat(state, seat, own), stopped_by=None if own.ligretto else seat)
    log: LogMove = ("lay", source, move.column), str(card).upper()
    if not column[0]:
        return Played(after, Text("ligretto.filled", named), (log,))
    covered = Icon(str(column[0][-1]))
    return Played(after, Text("ligretto.covered", (*named, ("covered", covered))), (log,))


def _why_on_no_column(card: Card) -> MoveRefusal:
    """Return why no column takes a card: the highest goes on none, but in a gap (X3)."""
    return MoveRefusal.NEEDS_GAP if card.value == TOP else MoveRefusal.NO_COLUMN


def _why_not_laid(state: State, own: SeatCards, move: Lay) -> MoveRefusal:
    if any(move.card in column for column in own.row[move.column : move.column + 1]):
        return MoveRefusal.LAID_ALREADY
    if move.card not in open_cards(own).values():
        return MoveRefusal.NOT_OPEN
    return MoveRefusal.ROW_STAYS if state.expert else MoveRefusal.ONLY_LIGRETTO


def _flip(
    state: State, seat: Seat, own: SeatCards, number: int, chance: Chance
) -> Played[State] | Refused:
    """Flip three hand cards. An empty hand first takes up the discard pile (C17 to C19)."""
    if number != own.flips:
        return Refused(MoveRefusal.TURNED_ALREADY)
    if not own.hand and not own.discard:
        return Refused(MoveRefusal.NOTHING_TO_TURN)
    log: list[LogMove] = []
    if not own.hand:
        times = own.taken_up + 1
        shuffled = chance.of(seat, times).shuffled(own.discard)
        own = replace(own, hand=shuffled, discard=(), taken_up=times)
        order = tuple(str(card).upper() for card in own.hand)
        log.append((("recycle", order), None))
    turned = own.hand[:TURN]
    log.append((("flip",), None))
    hand, discard = own.hand[TURN:], own.discard + turned
    own = SeatCards(own.row, own.ligretto, hand, discard, own.flips + 1, own.taken_up)
    key = "ligretto.taken_up" if len(log) > 1 else "ligretto.turned"
    named = (("card", Icon(str(turned[-1]))),)
    return Played(with_seat(state, seat, own), Text(key, named), tuple(log))
