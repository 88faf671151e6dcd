"""Ligretto's rules told as stories, each with its number in `docs/rules.md`."""

import re
from pathlib import Path

import pytest

from bot.games.chance import Chance
from bot.games.ligretto import LIGRETTO
from bot.games.ligretto.fits import fitting
from bot.games.ligretto.model import Card, Colour, Flip, State, deck, parse
from bot.games.ligretto.rules import MoveRefusal
from bot.games.values import Ending, Played, Points, Reason, Refused, Seat
from tests.games.ligretto.board import (
    ANNA,
    BEN,
    CARA,
    SEED,
    board,
    cards,
    log,
    own,
    play,
    press,
    refusal,
    tops,
    why,
)

AUTO = {"refill": "auto"}


def dealt(seats: int, *, sits_out: int = 0) -> State:
    """A deal of round 1; the seats that sit it out are the first ones."""
    is_in = (False,) * sits_out + (True,) * seats
    return LIGRETTO.deal(is_in, AUTO, Chance(SEED, 1, 0))


@pytest.fixture
def race() -> State:
    """Both players hold the red two that the one red pile waits for."""
    return board("""
        centre r0
        0  row b3 b4 b5 | ligretto g7 r2 y4 | hand y1 y5 y6 y7 | discard b9 b8
        1  row r2 b7 b8 | ligretto y9 g2 g3 | hand y1
    """)


@pytest.fixture
def by_hand() -> State:
    """A table that fills its gaps by hand; Anna has two of them."""
    return board(
        """
        centre r0
        0  row b3 - r2 - | ligretto g7 g8 g9 | hand y2 | discard b9
        1  row b6 b7 b8 b9 | ligretto y8 y9
        """,
        refill=False,
    )


# --- Cards and deal


def test_two_to_twelve_play_at_a_table() -> None:
    """C1, C30."""
    assert list(LIGRETTO.seats) == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]


def test_a_deck_has_the_numbers_one_to_ten_in_four_colours() -> None:
    """C2."""
    expected = {Card(colour, value) for colour in Colour for value in range(1, 11)}
    assert len(deck()) == 40
    assert set(deck()) == expected


@pytest.mark.parametrize("seats", range(2, 13))
def test_everyone_is_dealt_the_whole_of_a_deck_of_his_own(seats: int) -> None:
    """C3."""
    state = dealt(seats)
    for seat in range(seats):
        mine = own(state, Seat(seat))
        row = [top for column in mine.row for top in column]
        assert sorted(map(str, [*row, *mine.ligretto, *mine.hand])) == sorted(map(str, deck()))
    assert len({own(state, Seat(seat)).hand for seat in range(seats)}) == seats


@pytest.mark.parametrize(
    ("seats", "row", "hand"),
    [(2, 5, 25), (3, 4, 26), *((seats, 3, 27) for seats in range(4, 13))],
)
def test_the_number_of_players_decides_the_sizes(seats: int, row: int, hand: int) -> None:
    """C4, C5, C6, C30: also where other seats sit the round out."""
    for sits_out in (0, 1, 12 - seats):
        state = dealt(seats, sits_out=sits_out)
        assert not state.centre
        assert state.seats[:sits_out] == (None,) * sits_out
        for mine in state.seats[sits_out:]:
            assert mine is not None
            assert [len(column) for column in mine.row] == [1] * row
            assert (len(mine.ligretto), len(mine.hand), mine.discard) == (10, hand, ())
            assert (mine.flips, mine.gone) == (0, False)


def test_the_table_decides_whether_gaps_fill_themselves() -> None:
    """C14."""
    assert dealt(2).refill
    assert not LIGRETTO.deal((True, True), {"refill": "hand"}, Chance(SEED, 1, 0)).refill


def test_a_deal_in_another_round_is_another_deal() -> None:
    again = LIGRETTO.deal((True, True), AUTO, Chance(SEED, 2, 0))
    assert again != dealt(2)


# --- Play


def test_the_first_card_on_a_pile_wins() -> None:
    """C7: who comes later keeps his card and is told what it needs."""
    both = board("""
        centre r0
        0  row r2 b4 b5 | ligretto g7 g8
        1  row r2 b7 b8 | ligretto y9 y8
    """)
    assert refusal(play(both, "0 r2"), "1 r2") == (
        MoveRefusal.NO_FIT,
        {"card": "r2", "needs": "r1"},
    )
    assert refusal(play(both, "1 r2"), "0 r2") == (
        MoveRefusal.NO_FIT,
        {"card": "r2", "needs": "r1"},
    )
    assert parse("r2") in LIGRETTO.moves(both, ANNA)
    assert parse("r2") not in LIGRETTO.moves(play(both, "1 r2"), ANNA)


def test_anyone_may_play_as_often_as_he_likes_and_nobody_has_to() -> None:
    """C8: three cards in a row by one player, then a flip though a card fits."""
    state = board("""
        0  row r1 r2 r3 | ligretto r4 r5 r6 r7 r8 | hand g1 g2
        1  row r1 b7 b8 | ligretto y9 y8 | hand g1 g2
    """)
    after = play(state, "0 r1", "0 r2", "0 r3", "0 r4", "1 flip:0")
    assert tops(after) == "r4"
    assert after.centre[0].owners == (ANNA,) * 4


@pytest.mark.parametrize(
    ("card", "place"), [("g1", "row0"), ("b1", "row2"), ("y1", "ligretto"), ("r1", "discard")]
)
def test_the_open_cards_may_be_played(card: str, place: str) -> None:
    """C9: each from where it lies, and from there alone."""
    state = board(
        """
        0  row g1 b5 b1 | ligretto y1 y2 | hand y3 | discard r5 r1
        1  row b6 b7 b8 | ligretto y9
        """,
        refill=False,
    )
    assert log(state, f"0 {card}") == ((("play", place, "new"), card.upper()),)
    after = own(play(state, f"0 {card}"), ANNA)
    places = {
        "row0": cards("") if card == "g1" else cards("g1"),
        "row2": cards("") if card == "b1" else cards("b1"),
        "ligretto": cards("y2") if card == "y1" else cards("y1 y2"),
        "discard": cards("r5") if card == "r1" else cards("r5 r1"),
    }
    assert after.row == (places["row0"], cards("b5"), places["row2"])
    assert after.ligretto == places["ligretto"]
    assert after.discard == places["discard"]
    assert after.hand == cards("y3")


@pytest.mark.parametrize(
    "move",
    [
        pytest.param("r2", id="covered in the Ligretto pile"),
        pytest.param("b9", id="covered in the discard pile"),
        pytest.param("y1", id="in the hand"),
        pytest.param("r10", id="forged: nowhere he can see"),
        pytest.param("r2>0", id="laying a covered Ligretto card"),
        pytest.param("y1>0", id="laying a hand card"),
    ],
)
def test_nothing_but_an_open_card_can_be_played(race: State, move: str) -> None:
    """C9."""
    assert refusal(race, f"0 {move}") == (MoveRefusal.NOT_OPEN, {"card": move.partition(">")[0]})


def test_another_players_open_card_is_not_his_to_play(race: State) -> None:
    """C3, C9."""
    assert why(race, "0 y9") == MoveRefusal.NOT_OPEN


def test_a_one_always_opens_a_new_pile() -> None:
    """C10, C12: also beside another pile of its colour."""
    state = board("""
        centre r00 r0
        0  row b6 b7 b8 | ligretto y9 y8
        1  row r1 b7 b8 | ligretto y9 y8
    """)
    after = play(state, "1 r1")
    assert tops(after) == "r2 r1 r1"
    assert after.centre[2].owners == (BEN,)


@pytest.mark.parametrize(
    ("move", "needs"),
    [
        pytest.param("r4", "r3", id="one too high"),
        pytest.param("r2", "r1", id="equal to the top"),
        pytest.param("b3", "b2", id="of another colour"),
        pytest.param("y10", "y9", id="a ten on nothing"),
    ],
)
def test_a_card_goes_on_its_own_colour_and_the_next_lower_number(move: str, needs: str) -> None:
    """C11: the refusal says what the card needs."""
    state = board("""
        centre r00 b0
        0  row r4 r2 b3 y10 r3 | ligretto y9 y8
        1  row b6 b7 b8 b9 b10 | ligretto y9
    """)
    assert refusal(state, f"0 {move}") == (MoveRefusal.NO_FIT, {"card": move, "needs": needs})
    assert tops(play(state, "0 r3")) == "r3 b1"


def test_it_does_not_matter_whose_cards_lie_on_a_pile(race: State) -> None:
    """C11."""
    assert play(race, "1 r2").centre[0].owners == (ANNA, BEN)


def test_of_two_piles_that_fit_the_one_opened_first_takes_the_card() -> None:
    """C12: they are worth the same to everybody."""
    state = board("""
        centre r000 r01 r10
        0  row r3 b4 b5 | ligretto g7 g8 g9
        1  row b6 b7 b8 | ligretto y9
    """)
    assert log(state, "0 r3")[0] == (("play", "row0", 1), "R3")
    assert tops(play(state, "0 r3")) == "r3 r3 r2"


def test_twelve_players_can_open_48_piles() -> None:
    """C12, C30."""
    seat = "row r1 y1 g1 b1 | ligretto r9 r8"
    state = board("\n".join(f"{n} {seat}" for n in range(12)), refill=False)
    ones = [f"{n} {colour}1" for n in range(12) for colour in "rygb"]
    after = play(state, *ones)
    assert len(after.centre) == 48
    assert [points.net for points in LIGRETTO.scores(after)] == [4 - 4] * 12


def test_a_pile_that_has_reached_ten_takes_no_more_but_stays() -> None:
    """C13."""
    state = board("""
        centre g111111111 r0
        0  row g10 b4 r2 | ligretto g9 g8 g7
        1  row g10 g1 b8 | ligretto y9 y8
    """)
    after = play(state, "0 g10")
    assert tops(after) == "g10 r1"
    assert refusal(after, "1 g10") == (MoveRefusal.NO_FIT, {"card": "g10", "needs": "g9"})
    assert tops(play(after, "1 g1", "0 r2")) == "g10 r2 g1"
    assert all(1 <= fits.value <= 10 for fits in fitting(after.centre))
    assert [points.plus for points in LIGRETTO.scores(after)] == [2, 9]


def test_a_gap_fills_itself_with_the_ligretto_top() -> None:
    """C14: the press is two moves in the log, and the gap's place is kept."""
    state = board("""
        centre r0
        0  row b3 r2 b5 | ligretto g7 g8 g9
        1  row b6 b7 b8 | ligretto y9
    """)
    assert log(state, "0 r2") == (
        (("play", "row1", 0), "R2"),
        (("lay", "ligretto", 1), "G7"),
    )
    after = own(play(state, "0 r2"), ANNA)
    assert after.row == (cards("b3"), cards("g7"), cards("b5"))
    assert after.ligretto == cards("g8 g9")


def test_a_card_from_the_ligretto_pile_or_the_discard_pile_makes_no_gap() -> None:
    """C14: then nothing is filled."""
    state = board("""
        0  row b3 b4 b5 | ligretto r1 g8 g9 | discard g1
        1  row b6 b7 b8 | ligretto y9
    """)
    after = own(play(state, "0 r1", "0 g1"), ANNA)
    assert after.row == (cards("b3"), cards("b4"), cards("b5"))
    assert after.ligretto == cards("g8 g9")


def test_the_last_ligretto_card_never_fills_a_gap_by_itself() -> None:
    """C15, C20: it would end the round, and that is the player's own decision."""
    state = board("""
        centre r0
        0  row r2 r3 b5 | ligretto g8 g9
        1  row b6 b7 b8 | ligretto y9
    """)
    filled = play(state, "0 r2")
    assert own(filled, ANNA).row == (cards("g8"), cards("r3"), cards("b5"))
    after = play(filled, "0 r3")
    assert own(after, ANNA).row == (cards("g8"), (), cards("b5"))
    assert own(after, ANNA).ligretto == cards("g9")
    assert LIGRETTO.ending(after) is None
    assert log(filled, "0 r3") == ((("play", "row1", 0), "R3"),)


def test_filled_by_hand_a_gap_stays_as_long_as_the_player_likes(by_hand: State) -> None:
    """C15: he may play, turn and make more gaps meanwhile."""
    after = play(by_hand, "0 r2", "0 flip:0")
    assert own(after, ANNA).row == (cards("b3"), (), (), ())
    assert own(after, ANNA).ligretto == cards("g7 g8 g9")
    assert own(play(after, "0 g7>2"), ANNA).row == (cards("b3"), (), cards("g7"), ())


def test_of_several_gaps_the_leftmost_is_the_next_to_be_filled(by_hand: State) -> None:
    """C14: by a panel's button and by a gap that fills itself."""
    seen = LIGRETTO.view(by_hand, ANNA).own
    assert seen is not None
    assert own(by_hand, ANNA).gap == seen.gap == 1
    filled = play(by_hand, "0 g7>1")
    assert own(filled, ANNA).gap == 3
    assert own(play(filled, "0 g8>3"), ANNA).gap is None


def test_any_gap_may_be_filled_and_the_log_names_it(by_hand: State) -> None:
    """C14."""
    assert [str(move) for move in LIGRETTO.moves(by_hand, ANNA) if ">" in str(move)] == [
        "g7>1",
        "g7>3",
    ]
    assert log(by_hand, "0 g7>3") == ((("lay", "ligretto", 3), "G7"),)
    after = own(play(by_hand, "0 g7>3", "0 g8>1"), ANNA)
    assert after.row == (cards("b3"), cards("g8"), cards("r2"), cards("g7"))
    assert after.ligretto == cards("g9")


@pytest.mark.parametrize("column", [0, 2, 4])
def test_a_ligretto_card_needs_a_gap(by_hand: State, column: int) -> None:
    """C14: neither a taken column nor one beyond the row."""
    assert refusal(by_hand, f"0 g7>{column}") == (MoveRefusal.NO_GAP, {"card": "g7"})


@pytest.mark.parametrize("card", ["b3", "b9"])
def test_only_a_ligretto_card_fills_a_gap(by_hand: State, card: str) -> None:
    """C14: no card from the row or the discard pile."""
    assert refusal(by_hand, f"0 {card}>1") == (MoveRefusal.ONLY_LIGRETTO, {"card": card})


def test_a_second_press_on_filling_a_gap_lays_no_second_card(by_hand: State) -> None:
    """C14."""
    after = play(by_hand, "0 g7>1")
    for again in ("0 g7>1", "0 g7>3"):
        assert isinstance(press(after, again), Refused)


def test_beneath_a_played_discard_card_the_next_is_open() -> None:
    """C16: and so on, down to the last."""
    state = board("""
        centre g0
        0  row b3 b4 b5 | ligretto g7 g8 | discard y9 g3 g2 r1
        1  row b6 b7 b8 | ligretto y9 y8
    """)
    after = play(state, "0 r1", "0 g2", "0 g3")
    assert own(after, ANNA).discard == cards("y9")
    assert why(after, "0 g3") == MoveRefusal.LAID_ALREADY


def test_three_cards_are_turned_together_and_the_third_lies_on_top() -> None:
    """C17: the two beneath it are covered."""
    state = board("""
        0  row b3 b4 b5 | ligretto r1 g8 | hand y1 y2 y3 y4 | discard b9
        1  row b6 b7 b8 | ligretto y9
    """)
    assert log(state, "0 flip:0") == ((("flip",), None),)
    after = play(state, "0 flip:0")
    assert own(after, ANNA).discard == cards("b9 y1 y2 y3")
    assert own(after, ANNA).hand == cards("y4")
    assert why(after, "0 y1") == MoveRefusal.NOT_OPEN


def test_turning_is_allowed_though_a_card_fits(race: State) -> None:
    """C17: nothing is compulsory."""
    assert parse("flip:0") in LIGRETTO.moves(race, BEN)
    assert own(play(race, "1 flip:0"), BEN).discard == cards("y1")


@pytest.mark.parametrize("left", ["y4", "y4 y5"])
def test_with_fewer_than_three_in_hand_he_turns_what_there_is(left: str) -> None:
    """C18: the discard pile is not taken up to make it three."""
    state = board(f"""
        0  row b3 b4 b5 | ligretto g7 g8 | hand {left} | discard y1 y2 y3
        1  row b6 b7 b8 | ligretto y9
    """)
    assert log(state, "0 flip:0") == ((("flip",), None),)
    after = play(state, "0 flip:0")
    assert own(after, ANNA).discard == cards(f"y1 y2 y3 {left}")
    assert own(after, ANNA).hand == ()


def test_an_empty_hand_takes_up_the_discard_pile_and_shuffles_it() -> None:
    """C19: the new hand's order is the one its number in the round draws, and is logged."""
    state = board("""
        0  row b3 b4 b5 | ligretto g7 g8 | discard y1 y2 y3 y4 y5 y6 y7
        1  row b6 b7 b8 | ligretto y9
    """)
    order = Chance(SEED, 1, 1).shuffled(cards("y1 y2 y3 y4 y5 y6 y7"))
    assert order != cards("y1 y2 y3 y4 y5 y6 y7")
    written = tuple(str(card).upper() for card in order)
    assert log(state, "0 flip:0") == ((("recycle", written), None), (("flip",), None))
    after = own(play(state, "0 flip:0"), ANNA)
    assert after.discard == order[:3]
    assert after.hand == order[3:]
    assert after.flips == 1


def test_the_same_pile_taken_up_later_is_shuffled_otherwise() -> None:
    """C19."""
    state = board("""
        0  row b3 b4 b5 | ligretto g7 g8 | discard y1 y2 y3 y4 y5 y6 y7
        1  row b6 b7 b8 | ligretto y9
    """)
    orders = {str(press(state, "0 flip:0", number)) for number in range(1, 6)}
    assert len(orders) == 5


@pytest.mark.parametrize(("reserve", "turned"), [("y5", 1), ("y5 y6", 2), ("y5 y6 y7", 3)])
def test_a_small_reserve_is_taken_up_and_turned_like_any_other(reserve: str, turned: int) -> None:
    """C18, C19: and again, as often as he likes."""
    state = board(f"""
        0  row b3 b4 b5 | ligretto g7 g8 | discard {reserve}
        1  row b6 b7 b8 | ligretto y9
    """)
    after = own(play(state, "0 flip:0", "0 flip:1", "0 flip:2"), ANNA)
    assert set(after.discard) == set(cards(reserve))
    assert (len(after.discard), after.hand, after.flips) == (turned, (), 3)


def test_without_a_reserve_there_is_nothing_to_turn() -> None:
    """C19."""
    state = board("""
        0  row r1 b4 b5 | ligretto g7 g8
        1  row b6 b7 b8 | ligretto y9 | hand y1
    """)
    assert why(state, "0 flip:0") == MoveRefusal.NOTHING_TO_TURN
    assert not any(isinstance(move, Flip) for move in LIGRETTO.moves(state, ANNA))


# --- Second presses, and seats that do not play


def test_a_double_click_does_not_play_the_next_card() -> None:
    """The card under the finger has changed, but the move still names the first one."""
    state = board("""
        centre r0
        0  row b3 b4 b5 | ligretto r2 r3 r4
        1  row b6 b7 b8 | ligretto y9 y8
    """)
    after = play(state, "0 r2")
    assert refusal(after, "0 r2") == (MoveRefusal.LAID_ALREADY, {"card": "r2"})
    assert tops(after) == "r2"


def test_laid_already_is_only_what_he_has_laid_himself() -> None:
    """His own red two lies covered, though Ben's is in the centre."""
    state = board("""
        centre r01
        0  row b3 b4 b5 | ligretto g7 r2
        1  row b6 b7 b8 | ligretto y9 y8
    """)
    assert why(state, "0 r2") == MoveRefusal.NOT_OPEN
    assert why(state, "1 r2") == MoveRefusal.LAID_ALREADY
    assert why(state, "0 r1") == MoveRefusal.LAID_ALREADY


def test_a_second_press_of_a_flip_turns_no_more_cards(race: State) -> None:
    """Each flip carries the number of flips before it."""
    after = play(race, "0 flip:0")
    assert why(after, "0 flip:0") == MoveRefusal.TURNED_ALREADY
    assert why(race, "0 flip:1") == MoveRefusal.TURNED_ALREADY
    assert own(play(after, "0 flip:1"), ANNA).flips == 2
    assert own(after, BEN).flips == 0


def test_a_seat_that_was_not_dealt_in_can_do_nothing() -> None:
    state = board("""
        0  row r1 b4 b5 | ligretto g7 g8 | hand y1
        2  row b6 b7 b8 | ligretto y9 y8 | hand y1
    """)
    for move in ("r1", "g7>0", "flip:0"):
        assert why(state, f"1 {move}") == MoveRefusal.NOT_DEALT_IN
    assert list(LIGRETTO.moves(state, BEN)) == []
    assert LIGRETTO.leave(state, BEN) == state
    assert LIGRETTO.left(state) == (2, None, 2)
    assert LIGRETTO.scores(state)[BEN] == Points(0, 0)


def test_a_seat_that_has_left_plays_no_more_but_its_cards_keep_counting() -> None:
    """C24, C25: what it has laid stays, others build on it, its Ligretto pile costs."""
    state = board("""
        0  row r1 b4 b5 | ligretto g7 g8 g9 | hand y1
        1  row r2 b7 b8 | ligretto y9 y8 | hand y1
    """)
    gone = LIGRETTO.leave(play(state, "0 r1"), ANNA)
    for move in ("b4", "g8>0", "flip:0"):
        assert why(gone, f"0 {move}") == MoveRefusal.NOT_DEALT_IN
    assert list(LIGRETTO.moves(gone, ANNA)) == []
    assert LIGRETTO.left(gone) == (2, 2)
    after = play(gone, "1 r2")
    assert after.centre[0].owners == (ANNA, BEN)
    assert LIGRETTO.scores(after) == (Points(1, 4), Points(1, 2))


# --- What the log and the table ask


def test_a_card_laid_on_the_centre_takes_the_place_of_its_face() -> None:
    assert LIGRETTO.claim(parse("r5")) == "r5"
    assert LIGRETTO.claim(parse("r5>2")) is None
    assert LIGRETTO.claim(parse("flip:0")) is None


def test_only_a_second_flip_and_a_seat_not_dealt_in_break_no_rule(race: State) -> None:
    after = LIGRETTO.leave(play(race, "0 flip:0"), BEN)
    lapsed = {
        line: LIGRETTO.lapsed(outcome)
        for line in ("0 flip:0", "1 y9", "0 r2", "0 b3", "0 b3>0", "0 g7>0")
        if isinstance(outcome := press(after, line), Refused)
    }
    assert lapsed == {
        "0 flip:0": True,
        "1 y9": True,
        "0 r2": False,
        "0 b3": False,
        "0 b3>0": False,
        "0 g7>0": False,
    }


@pytest.mark.parametrize(
    ("move", "logged"),
    [
        ("b4", (("play", "row1"), "B4")),
        ("g7", (("play", "ligretto"), "G7")),
        ("b8", (("play", "discard"), "B8")),
        ("g7>2", (("lay", "ligretto", 2), "G7")),
        ("b8>0", (("lay", "discard", 0), "B8")),
        ("flip:7", (("flip",), None)),
        ("r2", None),
        ("y1", None),
    ],
)
def test_a_refused_move_is_written_by_where_its_card_was_seen(
    race: State, move: str, logged: object
) -> None:
    """A card that could not be seen has no place, so nothing is written."""
    assert LIGRETTO.written(race, ANNA, parse(move)) == logged


def test_nothing_is_written_for_a_seat_that_was_not_dealt_in() -> None:
    state = board("1 row r1 b4 b5 | ligretto g7 g8 | hand y1")
    for move in ("r1", "r1>0", "flip:0"):
        assert LIGRETTO.written(state, ANNA, parse(move)) is None


@pytest.mark.parametrize(
    "text",
    [
        *("", "r", "r0", "r11", "x5", "R5", "r05", "r5>5", "r5>", "r٣", "off:row0", "swap"),
        *("flip", "flip:", "flip:01", "flip:-1", "flip:123456", "flip:٣"),
        *(" r5", "r5 ", "r5\n", "r5>1\n", "flip:1\n"),
    ],
)
def test_a_forged_notation_is_no_move(text: str) -> None:
    with pytest.raises(ValueError, match="not a Ligretto move"):
        parse(text)


def test_every_rule_that_the_code_names_can_be_looked_up() -> None:
    root = Path(__file__).parents[3]
    document = (root / "docs" / "rules.md").read_text(encoding="utf-8").splitlines()
    listed = {found[1] for line in document if (found := re.match(r"- \*\*([CMX]\d+)\*\* ", line))}
    card_rules = {f"C{number}" for number in (*range(1, 28), 30)}
    expert_rules = {f"X{number}" for number in range(1, 10)}
    assert listed == {*card_rules, *expert_rules, "M1", "M2", "M3"}
    for path in (root / "bot" / "games").rglob("*.py"):
        assert set(re.findall(r"\b[CX]\d+\b", path.read_text(encoding="utf-8"))) <= listed


# --- The end of a round


def test_the_last_ligretto_card_on_the_centre_ends_the_round() -> None:
    """C20."""
    state = board("""
        centre r0
        0  row b3 b4 b5 | ligretto r2 | hand r1
        1  row b6 b7 b8 | ligretto y9 y8 | hand y1
    """)
    assert LIGRETTO.ending(state) is None
    assert LIGRETTO.ending(play(state, "0 r2")) == Ending(Reason.LIGRETTO, ANNA)


def test_the_last_ligretto_card_in_the_row_ends_the_round() -> None:
    """C20: whether gaps fill themselves or not."""
    for refill in (True, False):
        state = board(
            """
            0  row b6 b7 b8 | ligretto y9 y8 | hand y1
            1  row b3 - b5 | ligretto r9 | hand r1
            """,
            refill=refill,
        )
        assert LIGRETTO.ending(state) is None
        after = play(state, "1 r9>1")
        assert LIGRETTO.ending(after) == Ending(Reason.LIGRETTO, BEN)
        assert own(after, BEN).row == (cards("b3"), cards("r9"), cards("b5"))


def test_one_card_left_is_not_the_end() -> None:
    """C20."""
    state = board("""
        centre r0
        0  row b3 b4 b5 | ligretto r2 r3 | hand r1
        1  row b6 b7 b8 | ligretto y9 y8 | hand y1
    """)
    assert LIGRETTO.ending(play(state, "0 r2")) is None
    assert LIGRETTO.ending(play(state, "0 r2", "0 r3")) == Ending(Reason.LIGRETTO, ANNA)


def test_a_card_from_row_or_discard_pile_does_not_end_the_round() -> None:
    """C20: only the Ligretto pile counts."""
    state = board("""
        centre r0
        0  row r2 b4 b5 | ligretto r9 | discard r3
        1  row b6 b7 b8 | ligretto y9 y8 | hand y1
    """)
    assert LIGRETTO.ending(play(state, "0 r2", "0 r3")) is None


def test_after_the_end_no_move_is_offered_to_anybody() -> None:
    """C21."""
    state = board("""
        centre r0
        0  row g1 - b5 | ligretto r2 | hand r1
        1  row g1 - r3 | ligretto y1 y8 | hand y1
    """)
    assert list(LIGRETTO.moves(state, BEN))
    after = play(state, "0 r2")
    assert [list(LIGRETTO.moves(after, seat)) for seat in (ANNA, BEN)] == [[], []]


def test_leaving_does_not_end_a_round_that_others_can_go_on_with() -> None:
    state = board("""
        0  row r1 b4 b5 | ligretto g7 | hand y1
        1  row b6 b7 b8 | ligretto y9 y8 | hand y1
    """)
    assert LIGRETTO.ending(LIGRETTO.leave(state, ANNA)) is None


# --- Points


def test_points_are_one_for_a_card_laid_less_two_for_a_ligretto_card_left() -> None:
    """C24, C25, C26, C27: a worked example.

    Anna has laid 3 and ends the round: 3. Ben has laid 7 and has one Ligretto card left: 5, so
    he wins though Anna has ended it. Cara has laid 1 and has ten left: -19. Cards in row, hand
    and discard pile count nothing.
    """
    state = board("""
        centre r0111 g111 y20 b1
        0  row b3 b4 b5 b6 | ligretto b2 | hand y1 y2 y3 | discard y9
        1  row b6 b7 b8 b9 | ligretto y9 | hand y1 | discard r1 r2 r3 r9
        2  row b6 b7 b8 b9 | ligretto y9 y8 y7 y6 y5 y4 y3 r7 r8 r9 | hand y2
    """)
    assert LIGRETTO.scores(state) == (Points(2, 2), Points(7, 2), Points(1, 20))
    after = play(state, "0 b2")
    assert LIGRETTO.ending(after) == Ending(Reason.LIGRETTO, ANNA)
    points = LIGRETTO.scores(after)
    assert points == (Points(3, 0), Points(7, 2), Points(1, 20))
    assert [one.net for one in points] == [3, 5, -19]
    assert max(points, key=lambda one: one.net) == points[BEN]
    assert LIGRETTO.left(after) == (0, 1, 10)


def test_equal_points_stay_equal() -> None:
    """C27: who ended the round has no bonus."""
    state = board("""
        centre r01111
        0  row b3 b4 b5 | ligretto g1 | hand y1
        1  row b6 b7 b8 | ligretto y9 | hand y1
    """)
    assert [one.net for one in LIGRETTO.scores(play(state, "0 g1"))] == [2, 2]


def test_a_full_pile_keeps_counting_for_all_whose_cards_lie_in_it() -> None:
    """C13, C24."""
    state = board("""
        centre g0120120120
        0  row b3 b4 b5 b6 | ligretto g1
        1  row b6 b7 b8 b9 | ligretto y9
        2  row b6 b7 b8 b9 | ligretto y9
    """)
    assert [one.plus for one in LIGRETTO.scores(state)] == [4, 3, 3]
    assert LIGRETTO.scores(state)[CARA].net == 1


def test_a_flip_says_whether_the_discard_pile_was_taken_up() -> None:
    """C17: three hand cards are turned. C19: an empty hand first takes up the discard pile."""
    state = board("0  row b6 b7 g2 | ligretto b8 y8 | hand y1 y2 y3")
    turned = press(state, "0 flip:0")
    assert isinstance(turned, Played)
    assert turned.said.key == "ligretto.turned"
    taken_up = press(turned.state, "0 flip:1")
    assert isinstance(taken_up, Played)
    assert taken_up.said.key == "ligretto.taken_up"


def test_a_gap_that_is_filled_by_hand_is_asked_for_when_it_is_made(by_hand: State) -> None:
    """C15: nothing else says that the player has to do it."""
    made = press(by_hand, "0 r2")
    assert isinstance(made, Played)
    assert made.said.key == "ligretto.laid_gap"
    by_itself = board("""
        centre r0
        0  row r2 b4 b5 | ligretto g8 g9
        1  row b6 b7 b8 | ligretto y9
    """)
    filled = press(by_itself, "0 r2")
    assert isinstance(filled, Played)
    assert filled.said.key == "ligretto.laid"


def test_a_view_names_every_pile_in_the_order_of_opening() -> None:
    """Each keeps its place all round, one that has reached 10 as well."""
    state = board(
        """
        centre r000 g0 r0000000 r00 y0000000000
        0  row b6 b7 g2 | ligretto b8 y8 | hand y1 y2 y3
        """
    )
    tops = {colour.value: numbers for colour, numbers in LIGRETTO.view(state, None).tops}
    assert tops == {"r": (3, 7, 2), "y": (10,), "g": (1,), "b": ()}
