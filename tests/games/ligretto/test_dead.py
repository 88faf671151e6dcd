"""C22 and X9, the dead round: found at the very move that makes it dead, and never too early."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.games.chance import Chance
from bot.games.ligretto import LIGRETTO
from bot.games.ligretto.model import Card, CentrePile, Colour, Pile, SeatCards, State, deck
from bot.games.ligretto.round_end import is_dead
from bot.games.values import Ending, Played, Points, Reason, Seat
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


# --- The expert game


def test_dead_with_the_lay_after_which_no_column_takes_a_ligretto_card() -> None:
    """X9: Anna's second card is of the colour of the first, and nothing lies between them."""
    state = board(
        """
        0  row g7 b3 b2 | ligretto r6 r5 y9 | discard y9
        1  row b6 b7 b8 | ligretto y9 y8
        """,
        expert=True,
    )
    assert LIGRETTO.ending(state) is None
    assert LIGRETTO.ending(play(state, "0 r6>0")) == DEAD


def test_dead_with_the_reserve_card_that_covers_the_only_column_for_a_ligretto_card() -> None:
    """X9: it is his own doing; laying the Ligretto card first would have been possible."""
    state = board(
        """
        0  row g7 b3 b2 | ligretto r6 y8 | discard y4
        1  row b6 b7 b8 | ligretto y9 y8
        """,
        expert=True,
    )
    assert LIGRETTO.ending(state) is None
    assert LIGRETTO.ending(play(state, "0 y4>0")) == DEAD


@pytest.mark.parametrize(
    "anna",
    [
        pytest.param("row b5 g10 b7 | ligretto y9 y8", id="a column takes a Ligretto card"),
        pytest.param("row b5 g10 b7 | ligretto y9", id="or the last one"),
        pytest.param("row b5 b6/y3 - | ligretto y9 y8", id="a gap takes it"),
        pytest.param("row b5 y10 b7 | ligretto y8 y7 | discard b9", id="over the discard top"),
        pytest.param("row b5 y10 b7 | ligretto y8 y7 | hand b9", id="over a hand card"),
        pytest.param(
            "row b5 y10 b7 | ligretto y8 y7 | hand y6 y5 y4 b9 y3",
            id="over a hand card that only a shuffle brings up",
        ),
        pytest.param(
            "row b5 y10 b7 | ligretto y8 y7 | discard b9 y6 y5",
            id="over a covered discard card",
        ),
        pytest.param("row y10 b6 b7 | ligretto y3 y2 | hand g4", id="low, over the last there is"),
    ],
)
def test_a_ligretto_card_that_can_come_into_the_row_keeps_a_round_alive(anna: str) -> None:
    """X9: directly, or with one reserve card between; no row and no other player would do."""
    state = board(
        f"""
        0  {anna}
        1  row y2 y3 y4 | ligretto y9 y8 | hand y7 y6
        """,
        expert=True,
    )
    assert LIGRETTO.ending(state) is None
    assert LIGRETTO.ending(LIGRETTO.leave(state, ANNA)) == DEAD
    if "-" not in anna:
        assert LIGRETTO.ending(replace(state, expert=False)) == DEAD


@pytest.mark.parametrize(
    "anna",
    [
        pytest.param("row y5 y6 y7 | ligretto b9 b8 | discard b4", id="laid, but too low"),
        pytest.param("row y10 y6 y7 | ligretto b10 b8 | discard b9", id="nothing covers a ten"),
        pytest.param("row b10 b6 b7 | ligretto b9 b8 | discard y9 r9", id="only equal numbers"),
        pytest.param("row b10 b6 b7 | ligretto b8 b5 | discard b9", id="between, of its colour"),
        pytest.param("row b5 b6 b7 | ligretto b4 b3 | discard y8", id="too high for the row"),
        pytest.param("row y10/y2 b6 b7 | ligretto b9 b8", id="the column for it is covered"),
        pytest.param("row b6 b5 b7 | ligretto b9 y2 | discard b4", id="a lower one lies below it"),
        pytest.param("row r10 - - | ligretto b9 | discard y9 | gone", id="a seat that has left"),
    ],
)
def test_a_reserve_card_that_can_be_laid_but_does_not_help_keeps_no_round_alive(anna: str) -> None:
    """X9."""
    state = board(
        f"""
        centre g1111111111
        0  {anna}
        1  row b6 b7 b8 | ligretto b9 b10 | hand b5 b4
        """,
        expert=True,
    )
    assert LIGRETTO.ending(state) == DEAD


def test_dead_with_the_reserve_card_that_fills_the_gap_for_a_ligretto_card() -> None:
    """X6, X9: too many cards laid on the row keep one's own Ligretto cards out of it."""
    state = board(
        """
        0  row b6 b7 b8 | ligretto b9 b10
        1  row - b7 b8 | ligretto b9 | hand b5 b4
        """,
        expert=True,
    )
    assert LIGRETTO.ending(state) is None
    assert LIGRETTO.ending(LIGRETTO.leave(state, BEN)) == DEAD
    assert LIGRETTO.ending(play(state, "1 flip:0", "1 b4>0")) == DEAD


# --- Against a search that tries everything


def turned(seat: SeatCards) -> Iterator[SeatCards]:
    """What one turn can lead to: three cards over, or any order of a pile taken up."""
    if seat.hand:
        yield replace(seat, hand=seat.hand[3:], discard=seat.discard + seat.hand[:3])
    elif seat.discard:
        for order in permutations(seat.discard):
            yield replace(seat, hand=order, discard=())


def takes(column: Pile, card: Card, *, expert: bool) -> bool:
    """C14; X3, X4, X5."""
    if not column or not expert:
        return not column
    return card.value < column[-1].value and card.colour is not column[-1].colour


def reserve_laid(seat: SeatCards) -> Iterator[SeatCards]:
    """X6: the discard top on every column of the row that takes it."""
    for i, column in enumerate(seat.row):
        if seat.discard and takes(column, seat.discard[-1], expert=True):
            grown = (*seat.row[:i], (*column, seat.discard[-1]), *seat.row[i + 1 :])
            yield replace(seat, row=grown, discard=seat.discard[:-1])


@cache
def can_ever_place(seat: SeatCards, tops: frozenset[tuple[Colour, int]], *, expert: bool) -> bool:
    """Whether any turning, shuffling and laying of reserve cards, however long, lets this player
    place a card in the centre or get one off his Ligretto pile.
    """

    def places(now: SeatCards) -> bool:
        tops_of = (now.ligretto[:1], *(c[-1:] for c in now.row), now.discard[-1:])
        if any(c.value == 1 or (c.colour, c.value - 1) in tops for top in tops_of for c in top):
            return True
        return any(takes(c, now.ligretto[0], expert=expert) for c in now.row if now.ligretto)

    seen: set[SeatCards] = set()
    waiting = [seat]
    while waiting:
        now = waiting.pop()
        if now in seen:
            continue
        seen.add(now)
        if places(now):
            return True
        waiting.extend(turned(now))
        if expert:
            waiting.extend(reserve_laid(now))
    return False


def dead_by_search(state: State) -> bool:
    tops = frozenset((pile.colour, len(pile.owners)) for pile in state.centre)
    return not any(
        can_ever_place(replace(seat, flips=0), tops, expert=state.expert)
        for seat in state.seats
        if seat is not None and not seat.gone
    )


FEW = [Card(colour, value) for colour in (Colour.RED, Colour.BLUE) for value in range(1, 11)]


@st.composite
def small_seats(draw: st.DrawFn, *, expert: bool) -> SeatCards | None:
    """Ten cards of two colours, at most four of them in the reserve; in the expert game some more
    that are covered in the row.

    They are mostly high, so that stuck players are common.
    """
    if draw(st.integers(0, 9)) == 0:
        return None
    all_of_them = draw(st.permutations(FEW[1:10] + FEW[12:]))
    pile = all_of_them[:9] + draw(st.lists(st.sampled_from([FEW[0], FEW[10], FEW[11]]), max_size=1))
    row, ligretto, hand = (draw(st.integers(*sizes)) for sizes in ((2, 3), (0, 3), (0, 4)))
    covered = [all_of_them[9 + i : 9 + i + draw(st.integers(0, 2))] for i in range(row)]
    columns = tuple((*covered[i] * expert, card) for i, card in enumerate(pile[:row]))
    columns += ((),) * (3 - row)
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
    expert = draw(st.booleans())
    seats = draw(st.lists(small_seats(expert=expert), min_size=1, max_size=3))
    heights = draw(st.lists(st.sampled_from([1, 2, 4, 9, 10, 10]), max_size=3))
    colours = draw(st.lists(st.sampled_from(Colour), min_size=3, max_size=3))
    centre = tuple(
        CentrePile(colour, (ANNA,) * top) for colour, top in zip(colours, heights, strict=False)
    )
    refill = not expert and draw(st.booleans())
    return State(tuple(seats), centre, refill=refill, expert=expert)


@settings(deadline=None, max_examples=300)
@given(state=small_rounds())
def test_dead_is_what_a_search_through_every_shuffle_finds(state: State) -> None:
    assert is_dead(state) == dead_by_search(state)


@settings(deadline=None, max_examples=125)
@given(state=small_rounds(), choices=st.lists(st.integers(0, 10**6), min_size=12, max_size=12))
def test_a_round_is_dead_exactly_from_the_move_that_the_search_names(
    state: State, choices: list[int]
) -> None:
    """Small rounds played to their end at random; from a dead one only flips lead on, in the
    expert game also lays of reserve cards.
    """
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
        if dead:
            assert str(move).startswith("flip") or state.expert
            assert outcome.state.centre == state.centre
            assert LIGRETTO.left(outcome.state) == LIGRETTO.left(state)
        state = outcome.state
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


def test_the_search_sees_what_only_a_chain_of_reserve_cards_brings_into_the_row() -> None:
    """X9."""
    chain = board("0 row b10 b3 b2 | ligretto b6 b5 | hand b9 b4 r8 b7", expert=True)
    assert not dead_by_search(chain)
    assert dead_by_search(replace(chain, expert=False))
    assert dead_by_search(board("0 row b10 b3 b2 | ligretto b6 b5 | hand b9 b4 r2 b7", expert=True))


def chain_of_any_length(column: Card, ligretto: Card, reserve: frozenset[Card]) -> bool:
    """Whether the Ligretto card can be laid on a column, over any reserve cards one by one."""
    return takes((column,), ligretto, expert=True) or any(
        chain_of_any_length(between, ligretto, reserve - {between})
        for between in reserve
        if takes((column,), between, expert=True)
    )


@settings(deadline=None, max_examples=500)
@given(
    pile=st.permutations([card for card in deck() if card.value > 1]),
    sizes=st.tuples(st.integers(1, 3), st.integers(0, 5), st.integers(0, 5)),
)
def test_one_reserve_card_between_is_enough_where_any_number_of_them_is(
    pile: list[Card], sizes: tuple[int, int, int]
) -> None:
    """X9: in all four colours, with nothing that fits the centre."""
    columns, hand, discard = sizes
    row, reserve = pile[:columns], pile[columns + 1 : columns + 1 + hand + discard]
    seat = SeatCards(
        row=tuple((card,) for card in row),
        ligretto=tuple(pile[columns : columns + 1]),
        hand=tuple(reserve[:hand]),
        discard=tuple(reserve[hand:]),
    )
    alive = any(chain_of_any_length(top, pile[columns], frozenset(reserve)) for top in row)
    assert is_dead(State((seat,), refill=False, expert=True)) == (not alive)
