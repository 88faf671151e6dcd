"""The expert game told as stories: cards may be laid on one's own row, which grows columns."""

from dataclasses import replace

import pytest

from bot.games.chance import Chance
from bot.games.ligretto import LIGRETTO
from bot.games.ligretto.model import State, parse
from bot.games.ligretto.rules import REFILL, VARIANT, MoveRefusal
from bot.games.values import Ending, Points, Reason, Refused
from tests.games.ligretto.board import (
    ANNA,
    BEN,
    SEED,
    board,
    cards,
    in_words,
    log,
    own,
    play,
    press,
    refusal,
    row,
    tops,
    why,
)

EXPERT = {"variant": "expert", "refill": "auto"}

# --- X1: the same game, and cards on the row


def test_the_table_decides_whether_cards_may_be_laid_on_the_row() -> None:
    """X1: the deal is the same; tables opened before there was a choice are standard."""
    variants = {
        name: LIGRETTO.deal((True, True), {"refill": "auto", **chosen}, Chance(SEED, 1, 0))
        for name, chosen in {
            "expert": {"variant": "expert"},
            "standard": {"variant": "standard"},
            "before": {},
        }.items()
    }
    assert [name for name, state in variants.items() if state.expert] == ["expert"]
    assert {state.seats for state in variants.values()} == {variants["expert"].seats}
    assert VARIANT.default == "standard"


def test_only_in_the_expert_game_a_column_takes_a_card(table: State, standard: State) -> None:
    """X1, X6."""
    assert row(play(table, "0 b5>0")) == "r9/g7/b5 b3 -"
    assert refusal(standard, "0 b5>0") == (MoveRefusal.NO_GAP, {"card": "b5"})
    assert parse("b5>0") in LIGRETTO.moves(table, ANNA)
    assert parse("b5>0") not in LIGRETTO.moves(standard, ANNA)


def test_the_centre_is_played_on_as_in_the_standard_game(table: State) -> None:
    """X1."""
    assert tops(play(table, "1 flip:0", "1 r2")) == "r2"
    assert refusal(table, "0 g7") == (MoveRefusal.NO_FIT, {"card": "g7", "needs": "g6"})


def test_what_may_be_laid_is_all_that_is_offered(table: State) -> None:
    """X3 to X7: the Ligretto top and the discard top where they go, and a flip."""
    offered = " ".join(map(str, LIGRETTO.moves(table, ANNA)))
    assert offered == "b5>0 b5>2 r6>0 r6>2 flip:0"


# --- X2: only the top of a column


def test_a_covered_card_is_played_once_it_is_uncovered() -> None:
    """X2: the card beneath is the new top."""
    state = board(
        """
        centre r0 g0
        0  row r2/g2 b3 b4 | ligretto y9 y8
        1  row b6 b7 b8 | ligretto y9 y8
        """,
        expert=True,
    )
    assert refusal(state, "0 r2") == (MoveRefusal.NOT_OPEN, {"card": "r2"})
    assert parse("r2") not in LIGRETTO.moves(state, ANNA)
    uncovered = play(state, "0 g2")
    assert row(uncovered) == "r2 b3 b4"
    assert log(state, "0 g2") == ((("play", "row0", 1), "G2"),)
    assert log(uncovered, "0 r2") == ((("play", "row0", 0), "R2"),)
    assert tops(play(uncovered, "0 r2")) == "r2 g2"


def test_a_card_that_is_laid_covers_the_one_that_could_be_played() -> None:
    """X2."""
    state = board(
        """
        centre r0
        0  row r2 b3 b4 | ligretto g1 y8
        1  row b6 b7 b8 | ligretto y9 y8
        """,
        expert=True,
    )
    covered = play(state, "0 g1>0")
    assert why(covered, "0 r2") == MoveRefusal.NOT_OPEN
    assert tops(play(covered, "0 g1", "0 r2")) == "r2 g1"


def test_a_column_that_is_emptied_is_a_gap_that_takes_any_card() -> None:
    """X2, X6: one that still has a card is not."""
    state = board(
        """
        centre r0 b0
        0  row r3/b2 r2 b4 | ligretto y10 y8 | discard y9
        1  row b6 b7 b8 | ligretto y9 r1
        """,
        expert=True,
    )
    after = play(state, "0 b2", "0 r2")
    assert row(after) == "r3 - b4"
    assert why(after, "0 y10>0") == MoveRefusal.NEEDS_GAP
    assert row(play(after, "0 y10>1")) == "r3 y10 b4"
    assert row(play(after, "0 y9>1")) == "r3 y9 b4"


# --- X3, X4, X5: what covers what


@pytest.mark.parametrize("covering", ["r6", "r5", "r1", "b6", "y2"])
def test_any_lower_number_of_another_colour_covers_a_card(covering: str) -> None:
    """X3, X4, X5: not only the next lower one."""
    state = board(
        f"""
        0  row g7 b3 b4 | ligretto {covering} y8
        1  row b6 b7 b8 | ligretto y9 y8
        """,
        expert=True,
    )
    assert row(play(state, f"0 {covering}>0")) == f"g7/{covering} b3 b4"


@pytest.mark.parametrize(
    "refused",
    [
        pytest.param("r7", id="an equal number"),
        pytest.param("r8", id="the next higher number"),
        pytest.param("r10", id="a higher number"),
        pytest.param("g6", id="the next lower number of the same colour"),
        pytest.param("g1", id="a lower number of the same colour"),
        pytest.param("g8", id="a higher number of the same colour"),
    ],
)
@pytest.mark.parametrize("source", ["ligretto", "discard"])
def test_no_other_card_covers_it(refused: str, source: str) -> None:
    """X3, X5: the refusal names the card."""
    piles = {"ligretto": f"ligretto {refused} y8", "discard": f"ligretto y10 | discard {refused}"}
    state = board(
        f"""
        0  row g7 b10 g10 | {piles[source]}
        1  row b6 b7 b8 | ligretto y9 y8
        """,
        expert=True,
    )
    expected = MoveRefusal.NEEDS_GAP if refused.endswith("10") else MoveRefusal.NO_COLUMN
    assert refusal(state, f"0 {refused}>0") == (expected, {"card": refused})
    assert parse(f"{refused}>0") not in LIGRETTO.moves(state, ANNA)


def test_only_the_top_of_a_column_counts_not_what_it_covers() -> None:
    """X3, X5: neither the number nor the colour of a card further down."""
    state = board(
        """
        0  row b9/g5 r9/y4 b10 | ligretto b4 y8 | discard y6
        1  row b6 b7 b8 | ligretto y9 y8
        """,
        expert=True,
    )
    assert row(play(state, "0 b4>0")) == "b9/g5/b4 r9/y4 b10"
    assert why(state, "0 y6>0") == MoveRefusal.NO_COLUMN
    assert why(state, "0 y6>1") == MoveRefusal.NO_COLUMN


def test_neighbouring_columns_do_not_matter() -> None:
    """X5: equal colours and lower numbers may lie side by side."""
    state = board(
        """
        0  row b1 g7 b2 | ligretto b5 y8
        1  row b6 b7 b8 | ligretto y9 y8
        """,
        expert=True,
    )
    assert row(play(state, "0 b5>1")) == "b1 g7/b5 b2"


def test_a_column_grows_as_long_as_its_numbers_fall() -> None:
    """X3, X4, X5."""
    state = board(
        """
        0  row g10 b3 b4 | ligretto r9 g8 r6 y5 r2 y1 b10
        1  row b6 b7 b8 | ligretto y9 y8
        """,
        expert=True,
    )
    lays = [f"0 {card}>0" for card in ("r9", "g8", "r6", "y5", "r2", "y1")]
    assert row(play(state, *lays)) == "g10/r9/g8/r6/y5/r2/y1 b3 b4"


# --- X6: from where, and into gaps


@pytest.mark.parametrize(
    ("line", "after", "logged", "said"),
    [
        ("b5>0", "r9/g7/b5 b3 -", ("lay", "ligretto", 0), "{b5} on {g7}"),
        ("b5>2", "r9/g7 b3 b5", ("lay", "ligretto", 2), "{b5} into the gap"),
        ("r6>0", "r9/g7/r6 b3 -", ("lay", "discard", 0), "{r6} on {g7}"),
        ("r6>2", "r9/g7 b3 r6", ("lay", "discard", 2), "{r6} into the gap"),
    ],
)
def test_ligretto_top_and_discard_top_go_on_columns_and_into_gaps(
    table: State, line: str, after: str, logged: tuple[object, ...], said: str
) -> None:
    """X6: logged by the pile they came from; nothing else moves."""
    laid = play(table, f"0 {line}")
    source, card = logged[1], line.partition(">")[0]
    assert row(laid) == after
    assert log(table, f"0 {line}") == ((logged, card.upper()),)
    assert own(laid, ANNA).ligretto == cards("y4 y2" if source == "ligretto" else "b5 y4 y2")
    assert own(laid, ANNA).discard == cards("b9" if source == "discard" else "b9 r6")
    assert own(laid, ANNA).hand == own(table, ANNA).hand
    assert (laid.centre, own(laid, BEN)) == (table.centre, own(table, BEN))
    outcome = press(table, f"0 {line}")
    assert not isinstance(outcome, Refused)
    assert in_words(outcome.said) == said


def test_a_gap_takes_a_discard_card_in_the_expert_game_alone(table: State, standard: State) -> None:
    """X6: in the standard game it is for Ligretto cards (C14)."""
    assert row(play(table, "0 r6>2")) == "r9/g7 b3 r6"
    assert refusal(standard, "0 r6>2") == (MoveRefusal.ONLY_LIGRETTO, {"card": "r6"})


def test_beneath_a_discard_card_laid_on_the_row_the_next_is_open(table: State) -> None:
    """X6, C16."""
    assert row(play(table, "0 r6>0", "0 b9>2")) == "r9/g7/r6 b3 b9"


@pytest.mark.parametrize(
    "move",
    [
        pytest.param("y1>0", id="in the hand"),
        pytest.param("b9>2", id="covered in the discard pile"),
        pytest.param("y4>0", id="covered in the Ligretto pile"),
        pytest.param("r1>2", id="in the centre"),
        pytest.param("y9>2", id="another player's"),
    ],
)
def test_only_an_open_card_is_laid_on_the_row(table: State, move: str) -> None:
    """X6, X7, C9."""
    assert refusal(table, f"0 {move}") == (MoveRefusal.NOT_OPEN, {"card": move.partition(">")[0]})


def test_there_are_no_more_columns_than_were_dealt(table: State) -> None:
    for column in (3, 4):
        assert refusal(table, f"0 b5>{column}") == (MoveRefusal.NO_COLUMN, {"card": "b5"})


def test_a_gap_is_never_filled_by_itself(table: State) -> None:
    """C14, C15, X6: whatever the option says, which has no meaning here."""
    assert REFILL.moot(EXPERT)
    assert not REFILL.moot({"variant": "standard", "refill": "hand"})
    dealt = LIGRETTO.deal((True, True), EXPERT, Chance(SEED, 1, 0))
    state = replace(
        dealt,
        seats=board("""
            0  row r1 b3 b4 | ligretto y10 y8 y7
            1  row b6 b7 b8 | ligretto y9 y8
        """).seats,
    )
    assert log(state, "0 r1") == ((("play", "row0", "new"), "R1"),)
    after = play(state, "0 r1")
    assert row(after) == "- b3 b4"
    assert own(after, ANNA).ligretto == cards("y10 y8 y7")


# --- X7: what lies in the row stays


@pytest.mark.parametrize("move", ["g7>2", "g7>1", "b3>0", "b3>2"])
def test_a_card_of_the_row_moves_to_no_other_column(table: State, move: str) -> None:
    """X7: neither on a higher card nor into a gap; the centre is all it can go to."""
    assert refusal(table, f"0 {move}") == (MoveRefusal.ROW_STAYS, {"card": move.partition(">")[0]})
    assert parse(move) not in LIGRETTO.moves(table, ANNA)


def test_a_second_press_lays_no_second_card(table: State) -> None:
    """On the same column it was the same press; on another the card would have to move (X7)."""
    for line, other in (("b5>0", "b5>2"), ("r6>2", "r6>0")):
        after = play(table, f"0 {line}")
        card = line.partition(">")[0]
        assert refusal(after, f"0 {line}") == (MoveRefusal.LAID_ALREADY, {"card": card})
        assert refusal(after, f"0 {other}") == (MoveRefusal.ROW_STAYS, {"card": card})
    covered = play(table, "0 b5>0", "0 y4>0")
    assert refusal(covered, "0 b5>0") == (MoveRefusal.LAID_ALREADY, {"card": "b5"})


# --- X8: points and the end


@pytest.mark.parametrize("line", ["y8>1", "y8>2"])
def test_the_last_ligretto_card_laid_on_the_row_ends_the_round(line: str) -> None:
    """X8: on a column as in a gap, and nothing is laid after it (C21)."""
    state = board(
        """
        0  row g1 b7 b8 | ligretto y9 y8 | hand y1
        1  row b3 g9 - | ligretto y8 | hand r1 | discard r5
        """,
        expert=True,
    )
    assert LIGRETTO.ending(state) is None
    after = play(state, f"1 {line}")
    assert LIGRETTO.ending(after) == Ending(Reason.LIGRETTO, BEN)
    assert [list(LIGRETTO.moves(after, seat)) for seat in (ANNA, BEN)] == [[], []]


def test_a_discard_card_on_the_row_does_not_end_the_round() -> None:
    """X8: only an empty Ligretto pile does."""
    state = board(
        """
        0  row g9 b7 b8 | ligretto y9 | discard r5
        1  row b6 b7 b8 | ligretto y10 | hand r1
        """,
        expert=True,
    )
    assert LIGRETTO.ending(play(state, "0 r5>0")) is None
    assert LIGRETTO.ending(play(state, "0 r5>0")) == LIGRETTO.ending(state)


def test_cards_in_columns_count_nothing() -> None:
    """X8, C24 to C26."""
    state = board(
        """
        centre r01
        0  row r9/g7 b10/r8/g6/r5 b4 | ligretto b5 y4 y3 | discard y6
        1  row b6 b7 b8 | ligretto y9 y8
        """,
        expert=True,
    )
    assert LIGRETTO.scores(state) == (Points(1, 6), Points(1, 4))
    assert LIGRETTO.scores(play(state, "0 y6>0")) == LIGRETTO.scores(state)
    assert LIGRETTO.scores(play(state, "0 b5>0")) == (Points(1, 4), Points(1, 4))
    assert LIGRETTO.left(play(state, "0 b5>0")) == (2, 2)


# --- Refused lays, for the log and for the race


@pytest.mark.parametrize(
    ("move", "logged"),
    [
        pytest.param("b5>1", (("lay", "ligretto", 1), "B5"), id="no column for it"),
        pytest.param("r6>1", (("lay", "discard", 1), "R6"), id="a discard card"),
        pytest.param("g7>2", None, id="from the row: not a move there is"),
        pytest.param("r9>2", None, id="covered in the row"),
        pytest.param("r9", None, id="covered in the row, to the centre"),
        pytest.param("g7", (("play", "row0"), "G7"), id="the top of a column"),
    ],
)
def test_a_refused_lay_is_written_by_where_its_card_was_seen(
    table: State, move: str, logged: object
) -> None:
    refused = press(table, f"0 {move}")
    assert isinstance(refused, Refused)
    assert LIGRETTO.written(table, ANNA, parse(move)) == logged
    assert not LIGRETTO.lapsed(refused)


def test_a_card_laid_on_the_row_takes_nobodys_place() -> None:
    assert LIGRETTO.claim(parse("b5>0")) is None
