"""Rounds of Ligretto Dice drawn as text and moves in notation, so that a test reads as a story.

    board(("r1 y3* g2", "r1 b6 | rolls 4", "-", "b2 | gone"), "y013 g0")

`y3*` lies on the board, `gaps 1,2` are the numbers of the dice placed since the last roll, `-` is a
seat that was not dealt in. `y013` is the yellow row: seat 0 placed its 1, seat 1 its 2, seat 3 its
3. A line of a score is a seat and its move: `0 y1#3`, `1 roll:0`.
"""

from collections.abc import Sequence

from bot.games.chance import Chance
from bot.games.dice import DICE
from bot.games.dice.handicap import SHARE
from bot.games.dice.model import BoardRow, Colour, Die, SeatDice, State, parse
from bot.games.dice.rules import MoveRefusal
from bot.games.values import LogMove, Options, Played, Refused, Seat
from bot.text import Icon

ANNA, BEN, CARA, DAN = Seat(0), Seat(1), Seat(2), Seat(3)
SEED = bytes(range(32))


def board(seats: Sequence[str], rows: str = "") -> State:
    """A round in mid-play."""
    owners = {word[0]: tuple(Seat(int(seat)) for seat in word[1:]) for word in rows.split()}
    return State(
        tuple(None if text == "-" else _seat(text) for text in seats),
        tuple(BoardRow(colour, owners.get(colour, ())) for colour in Colour),
    )


def options(extra: int = 0, shares: str = "", rounds: str = "full") -> Options:
    """The host's choices; `shares` has a word for each seat that is not left at `even`."""
    seats = {f"{SHARE.key}.{seat}": word for seat, word in enumerate(shares.split())}
    return {"rounds": rounds, "extra": str(extra), **seats}


def own(state: State, seat: Seat) -> SeatDice:
    found = state.seats[seat]
    assert found is not None, f"seat {seat} was not dealt in"
    return found


def faces(state: State, seat: Seat) -> str:
    """A seat's dice as `board` reads them."""
    return " ".join(f"{die.colour}{die.value}{'*' * die.placed}" for die in own(state, seat).dice)


def rows(state: State) -> str:
    """The board's rows that have begun, as `board` reads them."""
    return " ".join(
        row.colour + "".join(str(owner) for owner in row.owners)
        for row in state.board
        if row.owners
    )


def press(state: State, line: str, number: int = 1) -> Played[State] | Refused:
    """What comes of one line of a score, as move `number` of round 1."""
    seat, move = line.split()
    return DICE.play(state, Seat(int(seat)), parse(move), Chance(SEED, 1, number))


def play(state: State, *score: str) -> State:
    """The state after a score, every line of which must be accepted."""
    for number, line in enumerate(score, start=1):
        outcome = press(state, line, number)
        assert isinstance(outcome, Played), f"{line}: {outcome}"
        state = outcome.state
    return state


def log(state: State, line: str) -> tuple[LogMove, ...]:
    """The moves that the match log counts for one press."""
    outcome = press(state, line)
    assert isinstance(outcome, Played), f"{line}: {outcome}"
    return outcome.moves


def refused(state: State, line: str) -> Refused:
    outcome = press(state, line)
    assert isinstance(outcome, Refused), f"{line} was accepted"
    return outcome


def refusal(state: State, line: str) -> tuple[MoveRefusal, dict[str, str]]:
    """Why a press is refused, and the dice that its words name."""
    outcome = refused(state, line)
    named = {gap: value.name for gap, value in outcome.values if isinstance(value, Icon)}
    return MoveRefusal(outcome.why), named


def why(state: State, line: str) -> MoveRefusal:
    return refusal(state, line)[0]


def legal(state: State, seat: Seat) -> str:
    """What a seat may do, in notation."""
    return " ".join(str(move) for move in DICE.moves(state, seat))


def net(state: State) -> list[int]:
    return [points.net for points in DICE.scores(state)]


def _seat(text: str) -> SeatDice:
    dice, *more = (part.strip() for part in text.split("|"))
    marks = dict((f"{part} ").split(" ", 1) for part in more)
    return SeatDice(
        tuple(Die(Colour(word[0]), int(word[1]), placed=word[2:] == "*") for word in dice.split()),
        rolls=int(marks.get("rolls", "0")),
        gaps=tuple(int(die) for die in marks.get("gaps", "").split(",") if die),
        gone="gone" in marks,
    )
