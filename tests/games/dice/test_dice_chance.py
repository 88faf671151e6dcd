"""Dice, recompute_file from `docs/chance.md` with nothing but HMAC-SHA256."""

import hmac
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

from bot.games.chance import Chance
from bot.games.dice import DICE
from bot.games.dice.model import State, parse
from bot.games.seat_streams import SeatStreams
from bot.games.values import Played, Seat
from tests.games.dice.board import faces, options

SEED = bytes(range(32))
DOCUMENT = Path(__file__).parents[3] / "docs" / "chance.md"
BAG = "RGYYGGBBBBYGRRYRBGBRYRYG"
DEAL = [
    "R4 G2 Y6 Y2 G2 G4 B3 B6 B2 B3 Y5 G1",
    "R4 R2 Y5 R4 B4 G3 B6 R6 Y5 R6 Y6 G6",
]
REROLL = "R1 G4 Y2 Y6 G4 G5 B2 B6 B1 B5 Y5 G4"
"""The first seat's twelve dice, rolled again as move 7 of round 1."""
AFTER_ONE = "R1 G4 Y2 Y6 G4 G5 B2 B6 B1 B5 Y5"
"""The eleven that are left when the G1 has been placed first."""


OWN_BAG = "RGYRBBYBRBYGBGBRYYRGGYRG"
OWN_DEAL = [
    "R4 R6 Y4 B2 B3 R3 R3 Y4",
    "G4 B3 B3 Y5 G6 Y6 G3 R3",
    "Y4 B3 R1 G6 B4 Y6 G3 G1",
]
OWN_DEAL_OF_TWO = [
    "R4 R6 Y4 B2 B3 R3 R3 Y4 G2 B2 B4 Y1",
    "Y4 B3 R1 G6 B4 Y6 G3 G1 G6 Y1 G4 R5",
]
"""The same round when the second of the three has left before the deal."""
OWN_REROLL = "R5 R6 Y1 B3 B4 R5 R2 Y1 G2 B6 B3 Y2"
"""The first roll of the first of them."""


def below(seed: bytes, *name: int | str) -> Callable[[int], int]:
    """Numbers below a bound, drawn as the document says."""

    def blocks() -> Iterator[int]:
        draw = 0
        while True:
            message = "/".join(map(str, (*name, draw))).encode("ascii")
            yield int.from_bytes(hmac.new(seed, message, sha256).digest(), "big")
            draw += 1

    block = blocks()

    def number(bound: int) -> int:
        return next(one for one in block if one < bound * (2**256 // bound)) % bound

    return number


def words(state: State, seat: int) -> str:
    return faces(state, Seat(seat)).upper()


def dealt() -> State:
    return DICE.deal((True, True), options(), Chance(SEED, 1, 0))


def test_the_deal_is_the_documented_one() -> None:
    number = below(SEED, 1, 0)
    bag = list("RRRRRRYYYYYYGGGGGGBBBBBB")
    for last in range(23, 0, -1):
        other = number(last + 1)
        bag[last], bag[other] = bag[other], bag[last]
    rolled = [f"{colour}{1 + number(6)}" for colour in bag]
    assert "".join(bag) == BAG
    assert [" ".join(rolled[:12]), " ".join(rolled[12:])] == DEAL
    assert [words(dealt(), seat) for seat in range(2)] == DEAL


def test_a_reroll_is_the_documented_one() -> None:
    number = below(SEED, 1, 7)
    assert " ".join(f"{face[0]}{1 + number(6)}" for face in DEAL[0].split()) == REROLL
    outcome = DICE.play(dealt(), Seat(0), parse("roll:0"), Chance(SEED, 1, 7))
    assert isinstance(outcome, Played)
    assert words(outcome.state, 0) == REROLL
    assert words(outcome.state, 1) == DEAL[1]


def test_a_placed_die_takes_no_draw_of_a_reroll() -> None:
    placed = DICE.play(dealt(), Seat(0), parse("g1#11"), Chance(SEED, 1, 6))
    assert isinstance(placed, Played)
    outcome = DICE.play(placed.state, Seat(0), parse("roll:0"), Chance(SEED, 1, 7))
    assert isinstance(outcome, Played)
    assert words(outcome.state, 0) == f"{AFTER_ONE} G1*"


def test_with_a_handicap_dice_stay_in_the_bag_and_are_not_rolled() -> None:
    """Blocks of 12 and 11, then 23 rolls, in the order of the seats."""
    state = DICE.deal((True, True), options(1, "even child"), Chance(SEED, 1, 0))
    rolled = " ".join(DEAL).split()
    assert words(state, 0) == " ".join(rolled[:12])
    assert words(state, 1) == " ".join(rolled[12:23])


def test_the_deal_of_the_second_scheme_is_the_documented_one() -> None:
    """One by one to those who were there at Start; each die has a stream of its own."""
    bag = list("RRRRRRYYYYYYGGGGGGBBBBBB")
    number = below(SEED, 1, "bag")
    for last in range(23, 0, -1):
        other = number(last + 1)
        bag[last], bag[other] = bag[other], bag[last]
    assert "".join(bag) == OWN_BAG
    three = DICE.deal((True, True, True), options(), SeatStreams(SEED, 1, (0, 1, 2), 3))
    assert [words(three, seat) for seat in range(3)] == OWN_DEAL
    for seat in range(3):
        rolled = [below(SEED, 1, seat, 0, die)(6) for die in range(8)]
        assert " ".join(
            f"{colour}{1 + n}" for colour, n in zip(bag[seat::3], rolled, strict=True)
        ) == words(three, seat)
    two = DICE.deal((True, True), options(), SeatStreams(SEED, 1, (0, 2), 3))
    assert [words(two, seat) for seat in range(2)] == OWN_DEAL_OF_TWO
    sitting_out = DICE.deal((True, False, True), options(), SeatStreams(SEED, 1, (0, 1, 2), 3))
    assert [words(sitting_out, seat) for seat in (0, 2)] == OWN_DEAL_OF_TWO


def test_a_reroll_of_the_second_scheme_is_the_documented_one() -> None:
    """By the seat's own count, with the numbers of placed dice left out."""
    chance = SeatStreams(SEED, 1, (0, 2), 3)
    state = DICE.deal((True, True), options(), chance)
    placed = DICE.play(state, Seat(1), parse("r1#2"), chance)
    assert isinstance(placed, Played)
    outcome = DICE.play(placed.state, Seat(0), parse("roll:0"), chance)
    assert isinstance(outcome, Played)
    assert words(outcome.state, 0) == OWN_REROLL
    again = DICE.play(outcome.state, Seat(0), parse("roll:1"), chance)
    assert isinstance(again, Played)
    rolled = [1 + below(SEED, 1, 0, 2, die)(6) for die in range(12)]
    colours = [face[0] for face in OWN_REROLL.split()]
    assert words(again.state, 0) == " ".join(
        f"{colour}{number}" for colour, number in zip(colours, rolled, strict=True)
    )


def test_a_handicap_takes_from_what_nobody_keeps() -> None:
    """Two at Start, of whom one gets more than every other die of the bag."""
    state = DICE.deal((True, True), options(0, "16 8"), SeatStreams(SEED, 1, (0, 1), 2))
    colours = [face[0] for face in words(state, 0).split()]
    rest = list(OWN_BAG[1::2])[8:]
    assert colours == [*OWN_BAG[0::2], *rest]
    assert [face[0] for face in words(state, 1).split()] == list(OWN_BAG[1::2])[:8]


def test_the_document_holds_this_example() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    own = (OWN_BAG, *OWN_DEAL, *OWN_DEAL_OF_TWO, OWN_REROLL)
    for expected in (BAG, *DEAL, REROLL, *own):
        assert expected in text
