"""The expert game's panel: columns, lays made in two presses; and what computer players lay."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from bot.games.chance import Chance
from bot.games.contract import Frame, Skill
from bot.games.ligretto import LIGRETTO
from bot.games.ligretto.model import Lay, State, half
from bot.games.ligretto.rules import MoveRefusal
from bot.games.values import Refused
from bot.i18n import say
from bot.screen import Choice, Column, Row, Sentence, Style, Words
from bot.text import Icon, Text
from tests.games.ligretto.board import ANNA, SEED, board, in_words, own, play, refusal, row

HEAD = Sentence(Text("table.ready"))
NOTE = Sentence(Text("table.live"))

# --- A lay in two presses


@pytest.mark.parametrize("card", ["b5", "r6"])
def test_the_column_is_asked_for_where_several_take_the_card(table: State, card: str) -> None:
    asked = LIGRETTO.half(table, ANNA, f"{card}>")
    assert isinstance(asked, Text)
    assert in_words(asked) == f"**{{{card}}} on which column?**"


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        pytest.param("b9>", MoveRefusal.NOT_OPEN, id="covered in the discard pile"),
        pytest.param("y1>", MoveRefusal.NOT_OPEN, id="in the hand"),
        pytest.param("y4>", MoveRefusal.NOT_OPEN, id="covered in the Ligretto pile"),
        pytest.param("g7>", MoveRefusal.NOT_OPEN, id="in the row"),
        pytest.param("r10>", MoveRefusal.NOT_OPEN, id="forged"),
    ],
)
def test_no_column_is_asked_for_a_card_that_cannot_be_laid(
    table: State, word: str, reason: MoveRefusal
) -> None:
    card = (("card", Icon(word.removesuffix(">"))),)
    assert LIGRETTO.half(table, ANNA, word) == Refused(reason, card)


def test_no_column_is_asked_for_where_none_takes_the_card() -> None:
    state = board(
        """
        0  row b6 b7 g2 | ligretto b8 y8 | hand y1
        1  row b6 b7 b8 | ligretto y9 y8
        """,
        expert=True,
    )
    assert LIGRETTO.half(state, ANNA, "b8>") == Refused(
        MoveRefusal.NO_COLUMN, (("card", Icon("b8")),)
    )


def test_a_discard_card_has_no_column_in_the_standard_game(standard: State) -> None:
    assert LIGRETTO.half(standard, ANNA, "r6>") is None, "nobody is asked for a column there"


def test_a_seat_that_does_not_play_is_asked_nothing(table: State) -> None:
    gone = LIGRETTO.leave(table, ANNA)
    assert LIGRETTO.half(gone, ANNA, "b5>") == Refused(MoveRefusal.NOT_DEALT_IN)
    sits_out = board("1 row b6 b7 b8 | ligretto y9 y8", expert=True)
    assert LIGRETTO.half(sits_out, ANNA, "b5>") == Refused(MoveRefusal.NOT_DEALT_IN)


@pytest.mark.parametrize(
    "word", ["", ">", "b5", "b5>0", "b11>", "b0>", "x5>", "B5>", " b5>", "b5> ", "b5>\n", "flip:0"]
)
def test_no_other_word_is_half_of_a_lay(table: State, word: str) -> None:
    assert half(word) is None
    assert LIGRETTO.half(table, ANNA, word) is None


# --- The panel


def panel(
    state: State, half: str | None = None, *, assist: bool = False
) -> tuple[list[str], list[str]]:
    """Anna's panel: its lines of words, and its rows of buttons.

    A button is what it says and the word it sends, `+` before it where it stands out and `x`
    where it is off.
    """
    blocks = LIGRETTO.panel(LIGRETTO.view(state, ANNA), Frame(HEAD, NOTE, half, assist=assist))
    lines = [line for block in blocks if isinstance(block, Words) for line in block.lines]
    said = [in_words(line.text) for line in lines if isinstance(line, Sentence)]
    columns = [f"{c.number} {' '.join(c.icons)}" for c in lines if isinstance(c, Column)]
    buttons = [" ".join(map(button, block.choices)) for block in blocks if isinstance(block, Row)]
    return [*columns, *said], buttons


def button(choice: Choice) -> str:
    mark = "x" if choice.off else "+" if choice.style is Style.SUCCESS else ""
    label = say(choice.label, "en").replace(" ", "")
    return f"{mark}{label}[{choice.word}]"


def columns(state: State) -> list[str]:
    return panel(state)[0][: len(own(state, ANNA).row)]


def test_a_panel_shows_what_lies_in_the_columns(table: State, standard: State) -> None:
    """From the bottom to the top, a dot for a gap; the standard game has no such lines."""
    assert columns(table) == ["1 r9 g7", "2 b3", "3 dot"]
    assert not any("r9" in line for line in panel(standard)[0])


def test_of_a_long_column_a_panel_shows_the_last_seven_cards() -> None:
    state = board(
        """
        0  row r10/g9/r8/g7/r6/g5/r4 b10/g9/r8/g7/r6/g5/r4/g3 y10/g9/r8/g7/r6/g5/r4/g3/r2/g1
        1  row b6 b7 b8 | ligretto y9 y8
        """,
        expert=True,
    )
    assert columns(state) == [
        "1 r10 g9 r8 g7 r6 g5 r4",
        "2 g9 r8 g7 r6 g5 r4 g3",
        "3 g7 r6 g5 r4 g3 r2 g1",
    ]


def test_both_open_piles_have_a_button_for_the_row(table: State) -> None:
    """Several columns take either card, so the next press names one."""
    assert panel(table)[1] == [
        "G7[g7] B3[b3] x––[off:row2]",
        "B5[b5] B5↓[b5>]",
        "R6[r6] R6↓[r6>] Flip[flip:0]",
    ]


def test_a_column_is_chosen_with_the_buttons_of_the_row(table: State) -> None:
    """They keep labels and places; those that take the card stand out, the others are off."""
    assert panel(table, "b5>")[1] == [
        "+G7[b5>0] xB3[off:row1] +––[b5>2]",
        "B5[b5] Back[panel]",
        "R6[r6] R6↓[r6>] Flip[flip:0]",
    ]
    assert panel(table, "r6>")[1] == [
        "+G7[r6>0] xB3[off:row1] +––[r6>2]",
        "B5[b5] B5↓[b5>]",
        "R6[r6] Back[panel] Flip[flip:0]",
    ]


def test_each_button_sends_a_word_of_its_own_while_a_column_is_chosen() -> None:
    """Discord takes no message in which two buttons have the same custom id."""
    state = board(
        """
        0  row b10 b2 - - y1 | ligretto b5 y8
        1  row b6 b7 b8 b9 g2 | ligretto y9 y8
        """,
        expert=True,
    )
    rows = panel(state, "b5>")[1]
    assert rows == [
        "xB10[off:row0] xB2[off:row1] +––[b5>2]",
        "+––[b5>3] xY1[off:row4]",
        "B5[b5] Back[panel]",
        "x––[off:discard] x–↓[off:discard.down] xFlip[off:flip]",
    ]


@pytest.mark.parametrize(
    "stale",
    [
        pytest.param("y4>", id="not open yet"),
        pytest.param("g7>", id="in the row"),
        pytest.param("r2>", id="another player's"),
        pytest.param("b5>2", id="a whole move"),
        pytest.param("flip:0", id="a flip"),
    ],
)
def test_a_half_that_can_be_ended_no_more_is_ignored(table: State, stale: str) -> None:
    assert panel(table, stale) == panel(table)


def test_once_the_card_is_laid_its_half_is_ignored(table: State) -> None:
    after = play(table, "0 b5>0")
    assert panel(after, "b5>") == panel(after)


def test_with_one_column_the_button_is_the_move_itself() -> None:
    state = board(
        """
        0  row b6 b7 g6 | ligretto b5 y8 | discard b10 g9
        1  row b6 b7 b8 | ligretto y9 y8
        """,
        expert=True,
    )
    assert panel(state)[1][1:] == ["B5[b5] B5↓[b5>2]", "G9[g9] G9↓[g9>0] Flip[flip:0]"]
    assert panel(state, "b5>") == panel(state)
    assert row(play(state, "0 b5>2")) == "b6 b7 g6/b5"


def test_with_no_column_the_button_is_there_and_says_why_not() -> None:
    state = board(
        """
        0  row b6 b7 b8 | ligretto b5 y8 | discard g9
        1  row b6 b7 b8 | ligretto y9 y8
        """,
        expert=True,
    )
    assert panel(state)[1][1:] == ["B5[b5] B5↓[b5>0]", "G9[g9] G9↓[g9>0] Flip[flip:0]"]
    assert panel(state, "b5>") == panel(state)
    for card in ("b5", "g9"):
        assert refusal(state, f"0 {card}>0") == (MoveRefusal.NO_COLUMN, {"card": card})


def test_without_a_card_its_button_for_the_row_is_off() -> None:
    state = board(
        """
        0  row b6 b7 b8 | ligretto y8 | hand y1
        1  row b6 b7 b8 | ligretto y9 y8
        """,
        expert=True,
    )
    assert panel(state)[1][2] == "x––[off:discard] x–↓[off:discard.down] Flip[flip:0]"
    empty = replace(state, seats=(replace(own(state, ANNA), ligretto=()), state.seats[1]))
    assert panel(empty)[1][1] == "x––[off:ligretto] x–↓[off:ligretto.down]"


def test_with_assist_the_panel_points_out_what_fits() -> None:
    """Where it lies: each zone names its own, and what is named is green."""
    state = board(
        """
        centre g000 b0
        0  row r9/g4 b2 y3 | ligretto r2 y8 | discard y2
        1  row b6 b7 b8 | ligretto y9 y8
        """,
        expert=True,
    )
    lines, rows = panel(state, assist=True)
    assert lines[-3:] == [
        "**Your row** · fits: G4, B2",
        "**Ligretto pile** · 2 left · fits",
        "**Discard pile** · 0 in hand · fits",
    ]
    assert rows == [
        "+G4[g4] +B2[b2] Y3[y3]",
        "R2[r2] +R2↓[r2>]",
        "Y2[y2] +Y2↓[y2>0] Flip[flip:0]",
    ]
    plain, quiet = panel(state)
    assert not any("+" in buttons for buttons in quiet)
    assert not any("fits" in line for line in plain)


def test_with_assist_a_lay_that_no_column_takes_does_not_stand_out() -> None:
    state = board(
        """
        0  row b6 b7 b8 | ligretto b5 y8 | hand y1
        1  row b6 b7 b8 | ligretto y9 y8
        """,
        expert=True,
    )
    lines, rows = panel(state, assist=True)
    assert rows[1] == "B5[b5] B5↓[b5>0]"
    assert "**Your row** · GAP nothing fits" in lines


def test_a_covered_card_that_would_fit_is_not_pointed_out() -> None:
    """X2."""
    state = board(
        """
        centre r0
        0  row r2/g4 b6 b7 | ligretto b5 y8 | hand y1
        1  row b6 b7 b8 | ligretto y9 y8
        """,
        expert=True,
    )
    assert "**Your row** · GAP nothing fits" in panel(state, assist=True)[0]


# --- Computer players


def thoughts(state: State) -> Iterator[str]:
    """What a computer player that notices everything does, move after move, until it turns."""
    sharp = Skill(pace=1, attention=1)
    while isinstance(
        move := LIGRETTO.choose(LIGRETTO.view(state, ANNA), sharp, Chance(SEED, 0, 0)), Lay
    ):
        yield str(move)
        state = play(state, f"0 {move}")
    yield str(move)


def test_a_computer_player_lays_ligretto_cards_on_the_lowest_column_and_last_in_a_gap() -> None:
    """Low cards are needed first, and a gap takes anything."""
    state = board(
        """
        0  row - g9 r7 y8 | ligretto b5 y4 r10 g10 | hand y1
        1  row b6 b7 b8 b9 | ligretto y9 y8
        """,
        expert=True,
    )
    assert list(thoughts(state)) == ["b5>2", "y4>2", "r10>0", "flip:0"]


def test_a_computer_player_lays_a_discard_card_only_to_lay_a_ligretto_card_on_it() -> None:
    state = board(
        """
        0  row b9 b8 b7 | ligretto b5 b6 | hand y1 | discard y6 r6
        1  row b6 b7 b8 | ligretto y9 y8
        """,
        expert=True,
    )
    assert list(thoughts(state)) == ["r6>2", "b5>2", "flip:0"]


@pytest.mark.parametrize(
    "anna",
    [
        pytest.param("row b9 b8 b7 | ligretto b5 y9 | discard y4", id="too low to be covered"),
        pytest.param("row b9 b8 b7 | ligretto b5 y9 | discard y10", id="too high for the row"),
        pytest.param("row b9 b8 b7 | ligretto b5 y9 | discard b6", id="of the same colour"),
        pytest.param("row b9 b8 y7 | ligretto y10 y9 | discard r6", id="of no help"),
    ],
)
def test_a_computer_player_keeps_a_discard_card_that_does_not_help(anna: str) -> None:
    state = board(f"0 {anna} | hand y1\n1 row b6 b7 b8 | ligretto y9 y8", expert=True)
    assert list(thoughts(state)) == ["flip:0"]


def test_in_the_standard_game_a_computer_player_lays_on_no_column(standard: State) -> None:
    assert next(thoughts(standard)) == "b5>2"


def test_a_computer_player_lays_no_discard_card_while_the_ligretto_top_can_be_laid() -> None:
    """Not even one that takes its moves as they come: the card would be wasted."""
    state = board(
        """
        0  row b9 y7 b8 | ligretto b5 y9 | hand y1 | discard r6
        1  row b6 b7 b8 | ligretto y9 y8
        """,
        expert=True,
    )
    easy = Skill(pace=1, attention=0.5, foresight=0.5, orderly=False)
    chosen = {
        str(LIGRETTO.choose(LIGRETTO.view(state, ANNA), easy, Chance(SEED, 0, number)))
        for number in range(40)
    }
    assert chosen == {"b5>1", "flip:0"}
