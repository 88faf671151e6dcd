"""Chance, recompute_file from `docs/chance.md` with nothing but SHA-256: deals can be checked."""

import re
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.chance import Chance
from bot.games.ligretto import LIGRETTO
from bot.games.ligretto.model import Card
from bot.games.seat_streams import SeatStreams
from bot.games.values import Played, Seat
from bot.ids import ChannelId, MessageId
from bot.tables.state.match_seed import mixed, public_part
from tests.games.ligretto.board import board, log, own

T = TypeVar("T")

SEED = bytes(range(32))
DOCUMENT = Path(__file__).parents[2] / "docs" / "chance.md"
NEW_DECK = [f"{colour}{number}" for colour in "RYGB" for number in range(1, 11)]

PROMISE = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
BLOCKS = [
    "16489f19d2217570df21ce159767da4728a61de7ea044130eb1d795cd4adea1c",
    "329375d35b078ab82fc1a37fef3f8054fcdb11260cd7dfda51c72d3b619edce2",
    "46da10264701aa4a55712c2402bdeb3bcc3fa989cc26d5e8118ba36680503f9f",
]
DEAL = [
    (
        "G9 R5 Y5 G6 Y8",
        "G7 R9 G4 Y7 R10 Y1 G10 B8 Y10 Y6",
        "Y2 R2 B4 G2 B1 Y4 R3 B2 Y9 B3 G5 G8 R1 R6 R4 R8 B5 B10 G3 B9 R7 B7 B6 G1 Y3",
    ),
    (
        "G5 Y10 B1 R8 B10",
        "B9 B2 Y2 G9 G8 B6 R10 G6 R5 G2",
        "B4 G10 R6 G3 G7 R3 B8 Y1 Y9 Y5 R4 Y3 Y7 G4 B3 R7 G1 R9 Y6 R1 B5 B7 Y4 Y8 R2",
    ),
]
"""Row, Ligretto pile and hand of the two seats in round 1."""


OWN_BLOCKS = [
    "cb1ed7dc82dc98d1614113814b22f551a1fe6c27a4fb4a588a36ec996425345e",
    "a37bd3910b784ddfc3cdc984fa85c8b59ef769d8078b5c78b9c870694a74071e",
    "4533b196385570aedd9cb8f6a8d71512c3a4945b46970bd8f49ff14512ba8903",
]
OWN_DEAL = [
    (
        "G10 Y8 R8 G6 R1",
        "B7 G5 G9 B2 B8 B9 R6 G1 G2 Y2",
        "B5 R2 Y7 G7 G8 R9 B3 Y9 B1 B6 Y1 Y5 R4 Y10 R7 Y3 R10 Y6 Y4 R3 R5 G4 B4 B10 G3",
    ),
    (
        "B5 R8 Y1 Y6 G8",
        "Y7 G7 R2 R3 R6 Y9 R4 B10 B7 G5",
        "G9 B8 G4 R1 G2 R7 Y5 G6 R9 Y10 B3 G3 Y3 B6 B9 G1 R10 Y2 G10 Y8 B1 Y4 R5 B2 B4",
    ),
]
"""The same in the second scheme."""


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """RFC 2104 written out, for keys of at most 64 bytes."""
    key = key.ljust(64, b"\0")
    inner = sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
    return sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()


class Draws:
    """The draws of one stream, counted from 0."""

    def __init__(self, seed: bytes, *name: int | str) -> None:
        self.seed, self.name, self.draw = seed, "/".join(map(str, name)), 0

    def block(self) -> int:
        message = f"{self.name}/{self.draw}".encode("ascii")
        self.draw += 1
        return int.from_bytes(hmac_sha256(self.seed, message), "big")

    def below(self, bound: int) -> int:
        block = self.block()
        while block >= bound * (2**256 // bound):
            block = self.block()
        return block % bound

    def shuffle(self, items: list[T]) -> list[T]:
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
        return items


def words(cards: tuple[Card, ...]) -> str:
    return " ".join(str(card).upper() for card in cards)


def test_the_first_draws_are_the_documented_ones() -> None:
    draws, chance = Draws(SEED, 1, 0), Chance(SEED, 1, 0)
    assert [f"{draws.block():064x}" for _ in BLOCKS] == BLOCKS
    assert [chance.below(2**256) for _ in BLOCKS] == [int(block, 16) for block in BLOCKS]


def test_numbers_below_a_bound_are_the_documented_ones() -> None:
    chance = Chance(SEED, 1, 0)
    assert [chance.below(bound) for bound in (40, 39, 38)] == [12, 20, 35]
    chance = Chance(SEED, 1, 0)
    assert [chance.below(6) for _ in range(12)] == [0, 2, 1, 4, 0, 2, 4, 3, 2, 5, 3, 3]


@pytest.mark.parametrize(
    ("round_", "move", "expected"),
    [
        (1, 0, "R2 R7 R5 R9 R6 R1 R4 R8 R10 R3"),
        (2, 7, "R7 R6 R8 R9 R2 R1 R10 R3 R5 R4"),
    ],
    ids=["the deal of round 1", "move 7 of round 2"],
)
def test_a_shuffle_is_the_documented_one(round_: int, move: int, expected: str) -> None:
    assert Chance(SEED, round_, move).shuffled(NEW_DECK[:10]) == tuple(expected.split())
    assert Draws(SEED, round_, move).shuffle(NEW_DECK[:10]) == expected.split()


def test_the_deal_of_round_one_is_the_documented_one() -> None:
    both = (True, True)
    state = LIGRETTO.deal(both, {"refill": "auto"}, Chance(SEED, 1, 0))
    for seat, (row, ligretto, hand) in enumerate(DEAL):
        cards = own(state, Seat(seat))
        assert words(tuple(column[0] for column in cards.row)) == row
        assert words(cards.ligretto) == ligretto
        assert words(cards.hand) == hand


def test_anyone_can_recompute_that_deal() -> None:
    """The draws run on from seat to seat: 39 for the first deck, 39 for the second."""
    draws = Draws(SEED, 1, 0)
    for seat in DEAL:
        assert draws.shuffle(list(NEW_DECK)) == " ".join(seat).split()
    assert draws.draw == 78


def test_a_seat_that_sits_out_draws_nothing() -> None:
    """The same two decks go to whoever is dealt in."""
    deals = [
        LIGRETTO.deal(is_in, {"refill": "auto"}, Chance(SEED, 1, 0)).seats
        for is_in in ((True, True), (True, False, True), (False, True, True))
    ]
    dealt = [[cards for cards in seats if cards is not None] for seats in deals]
    assert dealt[0] == dealt[1] == dealt[2]


def test_a_pile_taken_up_is_shuffled_from_bottom_to_top_by_the_number_of_its_move() -> None:
    state = board("""
        0  row b3 b4 b5 | ligretto g7 g8 | discard y1 y2 y3 y4 y5 y6 y7
        1  row b6 b7 b8 | ligretto y9 y8
    """)
    seventeenth = Chance(SEED, 1, 17).shuffled(["Y1", "Y2", "Y3", "Y4", "Y5", "Y6", "Y7"])
    assert " ".join(seventeenth) == "Y3 Y4 Y2 Y7 Y5 Y6 Y1"
    recycle, flip = log(state, "0 flip:0")
    order = Draws(SEED, 1, 1).shuffle(["Y1", "Y2", "Y3", "Y4", "Y5", "Y6", "Y7"])
    assert recycle == (("recycle", tuple(order)), None)
    assert flip == (("flip",), None)


@given(
    seed=st.binary(min_size=32, max_size=32),
    bounds=st.lists(st.integers(1, 2**256), min_size=1, max_size=5),
)
def test_any_draw_can_be_recomputed(seed: bytes, bounds: list[int]) -> None:
    """Large bounds make every other block be drawn again."""
    chance, draws = Chance(seed, 3, 14), Draws(seed, 3, 14)
    for bound in bounds:
        number = chance.below(bound)
        assert number == draws.below(bound)
        assert 0 <= number < bound


def test_a_block_that_would_favour_small_numbers_is_drawn_again() -> None:
    """Of the blocks a bound just over half leaves one share whole and passes over the rest."""
    bound = 2**255 + 1
    recompute_file = [Draws(SEED, 1, move) for move in range(20)]
    numbers = [draws.below(bound) for draws in recompute_file]
    assert [Chance(SEED, 1, move).below(bound) for move in range(20)] == numbers
    assert [draws.draw for draws in recompute_file] == [
        1,
        3,
        1,
        1,
        2,
        1,
        1,
        3,
        2,
        1,
        1,
        1,
        3,
        1,
        3,
        1,
        1,
        2,
        1,
        3,
    ]
    assert all(number < bound for number in numbers)


def test_a_fraction_is_from_zero_up_to_one() -> None:
    chance = Chance(SEED, 1, 0)
    assert all(0 <= chance.fraction() < 1 for _ in range(200))
    assert Chance(SEED, 1, 0).fraction() == int(BLOCKS[0], 16) % 2**53 / 2**53


def test_round_and_move_each_make_other_draws() -> None:
    drawn = {Chance(SEED, round_, move).below(2**256) for round_ in range(9) for move in range(9)}
    assert len(drawn) == 81
    assert Chance(SEED, 1, 11).below(2**256) != Chance(SEED, 11, 1).below(2**256)


def test_the_streams_of_the_second_scheme_are_the_documented_ones() -> None:
    draws, chance = Draws(SEED, 1, 0, 0), SeatStreams(SEED, 1, (0, 1), 2).of(Seat(0), 0)
    assert [f"{draws.block():064x}" for _ in OWN_BLOCKS] == OWN_BLOCKS
    assert [chance.below(2**256) for _ in OWN_BLOCKS] == [int(one, 16) for one in OWN_BLOCKS]
    chance = SeatStreams(SEED, 1, (0, 1), 2).of(Seat(0), 0)
    assert [chance.below(bound) for bound in (40, 39, 38)] == [22, 22, 33]
    chance = SeatStreams(SEED, 1, (0, 1), 2).of(Seat(0), 0)
    assert [chance.below(6) for _ in range(12)] == [2, 4, 3, 3, 4, 0, 1, 3, 3, 0, 0, 3]
    chance = SeatStreams(SEED, 1, (0, 1), 2).of(Seat(0), 0)
    assert " ".join(chance.shuffled(NEW_DECK[:10])) == "R6 R9 R1 R8 R10 R5 R7 R4 R2 R3"
    later = SeatStreams(SEED, 2, (0, 1, 2, 3), 4).of(Seat(3), 1)
    assert " ".join(later.shuffled(NEW_DECK[:10])) == "R4 R3 R10 R1 R8 R9 R7 R5 R6 R2"


def test_the_deal_of_the_second_scheme_is_the_documented_one() -> None:
    """Whoever else there was at Start, and whatever seat they have now."""
    deals = [
        LIGRETTO.deal((True, True), {"refill": "auto"}, SeatStreams(SEED, 1, (0, 1), 2)),
        LIGRETTO.deal((True, True), {"refill": "auto"}, SeatStreams(SEED, 1, (0, 1), 7)),
    ]
    for state in deals:
        for seat, parts in enumerate(OWN_DEAL):
            cards = own(state, Seat(seat))
            assert words(tuple(column[0] for column in cards.row)) == parts[0]
            assert words(cards.ligretto) == parts[1]
            assert words(cards.hand) == parts[2]
    moved = LIGRETTO.deal(
        (True, True, True), {"refill": "auto"}, SeatStreams(SEED, 1, (1, 4, 0), 5)
    )
    cards = own(moved, Seat(0))
    assert words((*(c for column in cards.row for c in column), *cards.ligretto)).startswith(
        OWN_DEAL[1][0]
    )


def test_a_pile_taken_up_is_shuffled_by_how_often_its_seat_has_done_so() -> None:
    state = board("""
        0  row b3 b4 b5 | ligretto g7 g8 | discard y1 y2 y3 y4 y5 y6 y7
        1  row b6 b7 b8 | ligretto y9 y8
    """)
    chance = SeatStreams(SEED, 1, (0, 1), 2)
    taken = LIGRETTO.play(state, Seat(0), LIGRETTO.parse("flip:0"), chance)
    assert isinstance(taken, Played)
    (recycle, _), (flip, _) = taken.moves
    assert recycle == ("recycle", ("Y5", "Y1", "Y6", "Y7", "Y2", "Y3", "Y4"))
    for number in (1, 2):
        taken = LIGRETTO.play(taken.state, Seat(0), LIGRETTO.parse(f"flip:{number}"), chance)
        assert isinstance(taken, Played)
    pile = [str(card).upper() for card in own(taken.state, Seat(0)).discard]
    again = LIGRETTO.play(taken.state, Seat(0), LIGRETTO.parse("flip:3"), chance)
    assert isinstance(again, Played)
    assert again.moves[0][0] == ("recycle", tuple(Draws(SEED, 1, 0, 2).shuffle(pile)))
    assert flip == ("flip",)


def test_the_program_in_the_document_prints_the_example(capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    exec(program, {})  # noqa: S102 it is the page's own
    printed = capsys.readouterr().out.splitlines()
    text = DOCUMENT.read_text(encoding="utf-8")
    assert printed[1:3] == [" ".join(seat) for seat in OWN_DEAL]
    assert all(f"    {line}\n" in text for line in printed[3:])
    assert all(word in text for word in printed[0].split())


def test_the_document_has_the_same_numbers() -> None:
    text = " ".join(DOCUMENT.read_text(encoding="utf-8").split())
    deals = (part for seat in (*DEAL, *OWN_DEAL) for part in seat)
    for expected in (PROMISE, *BLOCKS, *OWN_BLOCKS, *deals):
        assert expected in text
    assert sha256(SEED).hexdigest() == PROMISE


def test_the_document_mixes_secret_and_message() -> None:
    text = " ".join(DOCUMENT.read_text(encoding="utf-8").split())
    secret, public = bytes(range(32, 64)), "1420070400000000001/1420070400000000002"
    seed = hmac_sha256(secret, public.encode("ascii"))
    assert (
        public_part(ChannelId(1_420_070_400_000_000_001), MessageId(1_420_070_400_000_000_002))
        == public
    )
    assert mixed(secret, public) == seed
    promise = sha256(secret).hexdigest()
    assert (
        f"its promise is {promise} and with the message `{public}` the seed is {seed.hex()}" in text
    )
