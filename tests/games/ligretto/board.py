"""Rounds drawn as text and moves in notation, so that a test reads as a story.

A board has a line for the centre and one for each seat:

    centre r01 g0
    0  row b3 - b5 | ligretto r2 g7 | hand y1 y2 y3 | discard g8 g9
    1  row b6 b7 b8 | ligretto r2 y9 | gone

`r01` is a red pile with the 1 of seat 0 and the 2 of seat 1 on top; `-` is a gap. `r9/g7` is a
column of the expert game with its top at the right. Hidden piles begin with their next card, the
discard pile ends with its top. A line of a score is a seat and its move: `0 r2`, `1 flip:0`,
`0 g7>1`.
"""

from collections import Counter

from bot.games.chance import Chance
from bot.games.ligretto import LIGRETTO
from bot.games.ligretto.model import Card, CentrePile, Colour, Pile, SeatCards, State, parse
from bot.games.ligretto.rules import MoveRefusal
from bot.games.values import LogMove, Played, Refused, Seat
from bot.i18n import say
from bot.text import Icon, Text

ANNA, BEN, CARA = Seat(0), Seat(1), Seat(2)
SEED = bytes(range(32))


def card(text: str) -> Card:
    return Card(Colour(text[0]), int(text[1:]))


def cards(text: str) -> Pile:
    return tuple(card(word) for word in text.split())


def board(text: str, *, refill: bool = True, expert: bool = False) -> State:
    """A round in mid-play. A seat's line that is missing was not dealt in."""
    lines = [line.split(maxsplit=1) for line in text.strip().splitlines()]
    centre = " ".join(rest for start, rest in lines if start == "centre")
    seats = {int(start): _seat(rest) for start, rest in lines if start != "centre"}
    return State(
        tuple(seats.get(seat) for seat in range(max(seats) + 1)),
        _piles(centre),
        refill=refill and not expert,
        expert=expert,
    )


def own(state: State, seat: Seat) -> SeatCards:
    found = state.seats[seat]
    assert found is not None, f"seat {seat} was not dealt in"
    return found


def press(state: State, line: str, number: int = 1) -> Played[State] | Refused:
    """What comes of one line of a score, as move `number` of round 1."""
    seat, move = line.split()
    return LIGRETTO.play(state, Seat(int(seat)), parse(move), Chance(SEED, 1, number))


def play(state: State, *score: str) -> State:
    """The state after a score, every line of which must be accepted."""
    number = 1
    for line in score:
        outcome = press(state, line, number)
        assert isinstance(outcome, Played), f"{line}: {outcome}"
        state, number = outcome.state, number + len(outcome.moves)
    return state


def log(state: State, line: str) -> tuple[LogMove, ...]:
    """The moves that the match log counts for one press."""
    outcome = press(state, line)
    assert isinstance(outcome, Played), f"{line}: {outcome}"
    return outcome.moves


def refusal(state: State, line: str) -> tuple[MoveRefusal, dict[str, str]]:
    """Why a press is refused, and the cards that its words name."""
    outcome = press(state, line)
    assert isinstance(outcome, Refused), f"{line} was accepted"
    named = {gap: value.name for gap, value in outcome.values if isinstance(value, Icon)}
    return MoveRefusal(outcome.why), named


def why(state: State, line: str) -> MoveRefusal:
    return refusal(state, line)[0]


def tops(state: State) -> str:
    """The centre's piles in the order of their opening: `r3 g1`."""
    return " ".join(f"{pile.colour}{pile.top}" for pile in state.centre)


def row(state: State, seat: Seat = ANNA) -> str:
    """A player's row in the notation of the board."""
    return " ".join("/".join(map(str, column)) or "-" for column in own(state, seat).row)


def in_words(text: Text) -> str:
    """A sentence with the names of its icons in braces."""
    named = tuple(
        (gap, f"{{{value.name}}}" if isinstance(value, Icon) else value)
        for gap, value in text.values
    )
    return say(Text(text.key, named), "en")


def cards_of(state: State, seat: Seat) -> Counter[Card]:
    """All cards of a player, wherever they lie."""
    mine = own(state, seat)
    held = [*mine.ligretto, *mine.hand, *mine.discard, *(card for c in mine.row for card in c)]
    laid = [
        Card(pile.colour, value)
        for pile in state.centre
        for value, owner in enumerate(pile.owners, start=1)
        if owner == seat
    ]
    return Counter(held + laid)


def _piles(text: str) -> tuple[CentrePile, ...]:
    return tuple(
        CentrePile(Colour(word[0]), tuple(Seat(int(owner)) for owner in word[1:]))
        for word in text.split()
    )


def _seat(text: str) -> SeatCards:
    parts = dict((part.strip() + " ").split(" ", 1) for part in text.split("|"))
    return SeatCards(
        row=tuple(_column(word) for word in parts["row"].split()),
        ligretto=cards(parts.get("ligretto", "")),
        hand=cards(parts.get("hand", "")),
        discard=cards(parts.get("discard", "")),
        flips=int(parts.get("flips", "0")),
        gone="gone" in parts,
    )


def _column(word: str) -> Pile:
    return () if word == "-" else cards(word.replace("/", " "))
