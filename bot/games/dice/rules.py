"""The rules of Ligretto Dice: deal, place, roll, the end of a round, points (`docs/rules.md`)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import assert_never

from bot.games.chance import Chance
from bot.games.dice.handicap import shares
from bot.games.dice.model import (
    BAG,
    FACES,
    BoardRow,
    Colour,
    Die,
    Move,
    Place,
    Roll,
    SeatDice,
    State,
)
from bot.games.values import Ending, LogMove, Options, Played, Points, Reason, Refused, Seat
from bot.text import Icon, Text


class MoveRefusal(StrEnum):
    """A reason to refuse a move. The value is the catalogue key of its words."""

    NO_FIT = "dice.refused.no_fit"
    ROW_FULL = "dice.refused.row_full"
    PLACED_ALREADY = "dice.refused.placed_already"
    ROLLED_SINCE = "dice.refused.rolled_since"
    ROLLED_ALREADY = "dice.refused.rolled_already"
    NOT_YOURS = "dice.refused.not_yours"
    NOT_DEALT_IN = "dice.refused.not_dealt_in"


def deal(dealt: tuple[bool, ...], options: Options, chance: Chance) -> State:
    """Deal a round: draw dice blind from the bag, then make everybody's first roll (D3, D5)."""
    drawn = chance.shared_out(BAG, shares(options, dealt))
    return State(
        tuple(
            _rolled_dice(Seat(seat), drawn[seat], chance) if is_in else None
            for seat, is_in in enumerate(dealt)
        )
    )


def play(state: State, seat: Seat, move: Move, chance: Chance) -> Played[State] | Refused:
    """Return the state after a move, or the reason to refuse it. Assumes that the round is live."""
    own = state.seats[seat]
    if own is None or own.gone:
        return Refused(MoveRefusal.NOT_DEALT_IN)
    match move:
        case Place():
            return _place(state, seat, own, move)
        case Roll(number):
            return _roll(state, seat, own, number, chance)
        case _:
            assert_never(move)


def moves(state: State, seat: Seat) -> Iterator[Move]:
    """Yield every move that `play` would accept from this seat."""
    own = state.seats[seat]
    if own is None or own.gone or state.finished_by is not None:
        return
    wanted = {row.colour: row.wanted for row in state.board}
    for number, die in enumerate(own.dice):
        if not die.placed and wanted[die.colour] == die.value:
            yield Place(die.colour, die.value, number)
    yield Roll(own.rolls)


def leave(state: State, seat: Seat) -> State:
    """Take a seat out of play. Its dice still count as left (D12, D13)."""
    own = state.seats[seat]
    return state if own is None else _with(state, seat, replace(own, gone=True))


def ending(state: State) -> Ending | None:
    """Return the ending once a player has placed their last die (D11). No round hangs (D16)."""
    return None if state.finished_by is None else Ending(Reason.DICE, state.finished_by)


def scores(state: State) -> tuple[Points, ...]:
    """Score the round: the finisher gets a point per die the others have left (D12, D13).

    The others each lose a point per die they have left. In a round stopped from outside nobody
    scores.
    """
    if state.finished_by is None:
        return tuple(Points(0, 0) for _ in state.seats)
    left_over = [0 if own is None else own.left for own in state.seats]
    return tuple(
        Points(sum(left_over), 0) if seat == state.finished_by else Points(0, count)
        for seat, count in enumerate(left_over)
    )


def left(state: State) -> tuple[int | None, ...]:
    """Count the dice each seat has left. None for a seat that was not dealt in."""
    return tuple(None if own is None else own.left for own in state.seats)


def claim(move: Move) -> str | None:
    """Return the face whose place on the board a move takes, or None for a roll (D8)."""
    return f"{move.colour}d{move.value}" if isinstance(move, Place) else None


def lapsed(refused: Refused) -> bool:
    return refused.why in {
        MoveRefusal.ROLLED_ALREADY,
        MoveRefusal.NOT_DEALT_IN,
        MoveRefusal.NOT_YOURS,
    }


def written(seen: State, seat: Seat, move: Move) -> LogMove | None:
    """Return a refused move for the log, with the die by number, whatever it shows.

    Returns None if the player had no such die.
    """
    if isinstance(move, Roll):
        return ("reroll",), None
    own = seen.seats[seat]
    if own is None or move.die >= len(own.dice):
        return None
    return ("place", move.die), f"{move.colour}{move.value}".upper()


def _rolled_dice(seat: Seat, colours: Sequence[Colour], chance: Chance) -> SeatDice:
    dice = enumerate(colours)
    return SeatDice(tuple(Die(colour, _rolled(chance.of(seat, 0, die))) for die, colour in dice))


def _rolled(chance: Chance) -> int:
    return 1 + chance.below(FACES)


def _place(state: State, seat: Seat, own: SeatDice, move: Place) -> Played[State] | Refused:
    die = own.dice[move.die] if move.die < len(own.dice) else None
    if die is None or die.colour is not move.colour:
        return Refused(MoveRefusal.NOT_YOURS)
    shown = ("card", Icon(f"{move.colour}d{move.value}"))
    if die.placed:
        return Refused(MoveRefusal.PLACED_ALREADY, (shown,))
    if die.value != move.value:
        return Refused(MoveRefusal.ROLLED_SINCE, (shown,))
    index, row = _row(state, move.colour)
    if row.wanted is None:
        return Refused(MoveRefusal.ROW_FULL, (shown,))
    if row.wanted != move.value:
        needs = Icon(f"{move.colour}d{row.wanted}")
        return Refused(MoveRefusal.NO_FIT, (shown, ("needs", needs)))
    dice = (*own.dice[: move.die], replace(die, placed=True), *own.dice[move.die + 1 :])
    own = replace(own, dice=dice, gaps=(*own.gaps, move.die))
    grown = BoardRow(row.colour, (*row.owners, seat))
    after = replace(
        _with(state, seat, own),
        board=(*state.board[:index], grown, *state.board[index + 1 :]),
        finished_by=None if own.left else seat,
    )
    log: LogMove = ("place", move.die), f"{move.colour}{move.value}".upper()
    return Played(after, Text("dice.placed", (shown,)), (log,))


def _roll(
    state: State, seat: Seat, own: SeatDice, number: int, chance: Chance
) -> Played[State] | Refused:
    """Roll all dice left, never only some of them (D9, D10)."""
    if number != own.rolls:
        return Refused(MoveRefusal.ROLLED_ALREADY)
    dice = tuple(
        die if die.placed else Die(die.colour, _rolled(chance.of(seat, number + 1, i)))
        for i, die in enumerate(own.dice)
    )
    thrown = tuple(die.value for die in dice if not die.placed)
    after = _with(state, seat, replace(own, dice=dice, rolls=own.rolls + 1, gaps=()))
    log: LogMove = ("reroll", thrown), None
    return Played(after, Text("dice.rolled", (("n", len(thrown)),)), (log,))


def _row(state: State, colour: Colour) -> tuple[int, BoardRow]:
    return next((i, row) for i, row in enumerate(state.board) if row.colour is colour)


def _with(state: State, seat: Seat, own: SeatDice) -> State:
    return replace(state, seats=(*state.seats[:seat], own, *state.seats[seat + 1 :]))
