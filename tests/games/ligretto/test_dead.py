"""C22, the dead round: found at the very move that makes it dead, and never too early."""

from collections.abc import Iterator
from functools import cache
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.games.kernel import Chance, Ending, Played, Points, Reason, Seat
from bot.games.ligretto import LIGRETTO
from bot.games.ligretto.ends import is_dead
from bot.games.ligretto.model import Card, CentrePile, Colour, Pile, SeatCards, State
from tests.games.ligretto.board import ANNA, BEN, CARA, SEED, board, play

DEAD = Ending(Reason.DEAD)


# --- The very move


def test_dead_with_the_play_that_leaves_nothing_to_place() -> None:
    """Anna's red two was the last card that fitted; nothing waits for a three."""
    state = board("""
        centre r0 g1
        0  row b5 b6 b7 | ligretto y9 y8 | hand y6 | discard r2
        1  row b6 b7 b8 | ligretto y9 y8 | hand y7 y6 y5
    """)
    assert LIGRETTO.ending(state) is None
    after = play(state, "0 r2")
    assert LIGRETTO.ending(after) == DEAD
    assert LIGRETTO.scores(after) == (Points(2, 4), Points(1, 4))


def test_dead_with_the_card_that_takes_the_place_of_another() -> None:
    """Ben's red two fitted as well; Anna's being first leaves it, and all others, stuck."""
    state = board("""
        centre r0
        0  row b5 b6 b7 | ligretto r2 y9 | hand y6
        1  row b6 b7 b8 | ligretto y9 y8 | hand r2
    """)
    assert LIGRETTO.ending(state) is None
    assert LIGRETTO.ending(play(state, "0 r2")) == DEAD
    assert LIGRETTO.ending(play(state, "1 flip:0", "1 r2")) == DEAD


def test_dead_with_the_lay_that_fills_the_last_gap() -> None:
    state = board(
        """
        0  row b5 - b7 | ligretto r2 y9 | hand y6
        1  row b6 b7 b8 | ligretto y9 y8 | hand r2
        """,
        refill=False,
    )
    assert LIGRETTO.ending(state) is None
    assert LIGRETTO.ending(play(state, "0 r2>1")) == DEAD


def test_dead_with_the_ten_that_closes_the_last_pile() -> None:
    state = board("""
        centre r000000000
        0  row b5 b6 b7 | ligretto y9 y8 | discard r10
        1  row b6 b7 b8 | ligretto y9 y8
    """)
    assert LIGRETTO.ending(state) is None
    assert LIGRETTO.ending(play(state, "0 r10")) == DEAD


def test_dead_with_the_leaving_of_the_only_seat_that_could_still_play() -> None:
    state = board("""
        centre r0
        0  row b5 b6 b7 | ligretto y9 y8 | hand y6
        1  row b6 b7 b8 | ligretto y9 y8 | hand y4 y3 r2
        2  row b6 b7 b8 | ligretto y9 y8 | hand y5
    """)
    assert LIGRETTO.ending(LIGRETTO.leave(state, ANNA)) is None
    assert LIGRETTO.ending(LIGRETTO.leave(state, CARA)) is None
    assert LIGRETTO.ending(LIGRETTO.leave(state, BEN)) == DEAD


def test_dead_when_all_have_left() -> None:
    state = board("""
        centre r0
        0  row r1 - r2 | ligretto g1 y8 | hand y1
        1  row r1 - r2 | ligretto g1 y8 | hand y1
    """)
    gone = LIGRETTO.leave(state, ANNA)
    assert LIGRETTO.ending(gone) is None
    assert LIGRETTO.ending(LIGRETTO.leave(gone, BEN)) == DEAD


# --- What looks dead but is not


@pytest.mark.parametrize(
    "anna",
    [
        pytest.param("row b5 r2 b7 | ligretto y9 y8", id="a row card fits"),
        pytest.param("row b5 b6 b7 | ligretto r2 y8", id="the Ligretto top fits"),
        pytest.param("row b5 b6 b7 | ligretto y9 y8 | discard y6 r2", id="the discard top fits"),
        pytest.param("row b5 b6 b7 | ligretto y9 y8 | hand r2", id="a flip brings it up"),
        pytest.param(
            "row b5 b6 b7 | ligretto y9 y8 | hand y6 r2 y5 y4",
            id="in the hand, but only a shuffle brings it up",
        ),
        pytest.param(
            "row b5 b6 b7 | ligretto y9 y8 | discard r2 y6 y5",
            id="covered in the discard pile, but a shuffle brings it up",
        ),
        pytest.param("row b5 b6 b7 | ligretto y9 y8 | hand g1", id="a one opens a pile"),
        pytest.param("row b5 - b7 | ligretto y9 y8", id="a gap takes a Ligretto card"),
        pytest.param("row b5 - b7 | ligretto y9", id="a gap takes the last Ligretto card"),
        pytest.param("row - - - | ligretto y9", id="nothing but gaps"),
    ],
)
@pytest.mark.parametrize("refill", [True, False])
def test_one_reachable_card_keeps_the_round_alive(anna: str, *, refill: bool) -> None:
    state = board(
        f"""
        centre g1111111111 r0
        0  {anna}
        1  row b6 b7 b8 | ligretto y9 y8 | hand y7 y6
        """,
        refill=refill,
    )
    assert LIGRETTO.ending(state) is None
    assert LIGRETTO.ending(LIGRETTO.leave(state, ANNA)) == DEAD


# --- What looks alive but is dead


@pytest.mark.parametrize(
    "anna",
    [
        pytest.param("row b5 b6 b7 | ligretto y9 r2 g1", id="covered in the Ligretto pile"),
        pytest.param("row b5 b6 b7 | ligretto y9 r1", id="a one covered in the Ligretto pile"),
        pytest.param("row b5 b6 b7 | ligretto y9 | hand r3 r4 r5", id="too high by one"),
        pytest.param("row b5 b6 b7 | ligretto y9 | hand y6 y5", id="turning cards without end"),
        pytest.param("row r2 - g1 | ligretto y9 y8 | hand r2 | gone", id="a seat that has left"),
        pytest.param("row g11 b6 b7 | ligretto y9", id="no eleven follows a full pile"),
    ],
)
def test_what_nobody_can_ever_place_does_not_count(anna: str) -> None:
    state = board(f"""
        centre g1111111111 r0
        0  {anna}
        1  row b6 b7 b8 | ligretto y9 y8 | hand y7 y6
    """)
    assert LIGRETTO.ending(state) == DEAD


def test_a_seat_that_was_not_dealt_in_neither_keeps_a_round_alive_nor_ends_it() -> None:
    alive = board("""
        0  row r1 b6 b7 | ligretto y9
        2  row b6 b7 b8 | ligretto y9
    """)
    assert LIGRETTO.ending(alive) is None
    assert LIGRETTO.ending(LIGRETTO.leave(alive, ANNA)) == DEAD


def test_the_last_ligretto_card_is_a_ligretto_stop_though_nothing_fits_after_it() -> None:
    """C20 before C22."""
    state = board("""
        centre r0
        0  row b5 b6 b7 | ligretto r2
        1  row b6 b7 b8 | ligretto y9 y8
    """)
    after = play(state, "0 r2")
    assert is_dead(after)
    assert LIGRETTO.ending(after) == Ending(Reason.LIGRETTO, ANNA)


# --- Against a search that tries everything


def turned(hand: Pile, discard: Pile) -> Iterator[tuple[Pile, Pile]]:
    """What one turn can lead to: three cards over, or any order of a pile taken up."""
    if hand:
        yield hand[3:], discard + hand[:3]
    elif discard:
        yield from ((order, ()) for order in permutations(discard))


@cache
def can_ever_place(seat: SeatCards, tops: frozenset[tuple[Colour, int]]) -> bool:
    """Whether any turning and shuffling, however long, lets this player place a card."""

    def fits(card: Card) -> bool:
        return card.value == 1 or (card.colour, card.value - 1) in tops

    if seat.ligretto and () in seat.row:
        return True
    if any(fits(card) for card in (*seat.ligretto[:1], *(c[-1] for c in seat.row if c))):
        return True
    seen: set[tuple[Pile, Pile]] = set()
    waiting = [(seat.hand, seat.discard)]
    while waiting:
        reserve = waiting.pop()
        if reserve in seen:
            continue
        seen.add(reserve)
        if reserve[1] and fits(reserve[1][-1]):
            return True
        waiting.extend(turned(*reserve))
    return False


def dead_by_search(state: State) -> bool:
    tops = frozenset((pile.colour, len(pile.owners)) for pile in state.centre)
    return not any(
        can_ever_place(seat, tops) for seat in state.seats if seat is not None and not seat.gone
    )


FEW = [Card(colour, value) for colour in (Colour.RED, Colour.BLUE) for value in range(1, 11)]


@st.composite
def small_seats(draw: st.DrawFn) -> SeatCards | None:
    """Ten cards of two colours, at most four of them in the reserve.

    They are mostly high, so that stuck players are common.
    """
    if draw(st.integers(0, 9)) == 0:
        return None
    pile = draw(st.permutations(FEW[1:10] + FEW[12:]))
    pile = pile[:9] + draw(st.lists(st.sampled_from([FEW[0], FEW[10], FEW[11]]), max_size=1))
    row, ligretto, hand = (draw(st.integers(*sizes)) for sizes in ((2, 3), (0, 3), (0, 4)))
    columns = tuple((card,) for card in pile[:row]) + ((),) * (3 - row)
    rest = pile[row + ligretto :][:4]
    return SeatCards(
        columns if draw(st.booleans()) else columns[::-1],
        tuple(pile[row : row + ligretto]),
        tuple(rest[:hand]),
        tuple(rest[hand:]),
        gone=draw(st.integers(0, 4)) == 0,
    )


@st.composite
def small_rounds(draw: st.DrawFn) -> State:
    seats = draw(st.lists(small_seats(), min_size=1, max_size=3))
    heights = draw(st.lists(st.sampled_from([1, 2, 4, 9, 10, 10]), max_size=3))
    colours = draw(st.lists(st.sampled_from(Colour), min_size=3, max_size=3))
    centre = tuple(
        CentrePile(colour, (ANNA,) * top) for colour, top in zip(colours, heights, strict=False)
    )
    return State(tuple(seats), centre, refill=draw(st.booleans()))


@settings(deadline=None, max_examples=400)
@given(state=small_rounds())
def test_dead_is_what_a_search_through_every_shuffle_finds(state: State) -> None:
    assert is_dead(state) == dead_by_search(state)


@settings(deadline=None, max_examples=150)
@given(state=small_rounds(), choices=st.lists(st.integers(0, 10**6), min_size=12, max_size=12))
def test_a_round_is_dead_exactly_from_the_move_that_the_search_names(
    state: State, choices: list[int]
) -> None:
    """Small rounds played to their end at random; from a dead one only flips lead on."""
    dead = dead_by_search(state)
    for number, choice in enumerate(choices, start=1):
        legal = [
            (Seat(s), m) for s in range(len(state.seats)) for m in LIGRETTO.moves(state, Seat(s))
        ]
        if not legal:
            return
        seat, move = legal[choice % len(legal)]
        outcome = LIGRETTO.play(state, seat, move, Chance(SEED, 1, number))
        assert isinstance(outcome, Played)
        state = outcome.state
        assert not dead or str(move).startswith("flip")
        dead = dead_by_search(state)
        assert is_dead(state) == dead


def test_the_search_sees_what_only_a_shuffle_brings_up() -> None:
    """Else it would prove nothing; some four in ten of the rounds drawn above are dead."""
    shuffle_only = board("""
        centre r0
        0  row b5 b6 b7 | ligretto b9 b8 | hand b4 r2 b3 b2
    """)
    assert not dead_by_search(shuffle_only)
    assert dead_by_search(LIGRETTO.leave(shuffle_only, ANNA))
    assert dead_by_search(board("0 row b5 b6 b7 | ligretto b9 r1 | hand r2 r3 r4 r5"))
