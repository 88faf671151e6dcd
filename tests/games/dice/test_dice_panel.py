"""A player's dice as buttons, and the board above them."""

from bot.games.contract import Frame
from bot.games.dice import DICE
from bot.games.dice.model import State
from bot.games.screen import Block, Choice, Row, Sentence, Style, Text, Track, Words
from bot.i18n import say
from tests.games.dice.board import ANNA, BEN, board

HEAD, NOTE = Sentence(Text("table.rematch")), Sentence(Text("panel.quiet"))


def panel(state: State, *, assist: bool = True) -> tuple[Block, ...]:
    return DICE.panel(DICE.view(state, ANNA), Frame(HEAD, NOTE, assist=assist))


def lines(blocks: tuple[Block, ...]) -> list[str]:
    """The sentences between the head and the buttons."""
    return [
        say(line.text, "en-US")
        for block in blocks
        if isinstance(block, Words)
        for line in block.lines
        if isinstance(line, Sentence) and line not in (HEAD, NOTE)
    ]


def rows(blocks: tuple[Block, ...]) -> list[list[Choice]]:
    return [list(block.choices) for block in blocks if isinstance(block, Row)]


def test_dice_are_buttons_three_in_a_row_and_those_that_fit_stand_out() -> None:
    """D6, D7: red has come to its 3, yellow to its 1. A placed die leaves a gap."""
    state = board(("g4 r3 y2 y1* r3 b6 | rolls 4", "b1"), "r01 y0")
    *dice, roll = rows(panel(state))
    shown = [
        [(say(one.label, "en-US"), one.word, one.icon, one.style, one.off) for one in row]
        for row in dice
    ]
    fits, plain = Style.SUCCESS, Style.SECONDARY
    assert shown == [
        [
            ("RD3", "r3#1", "rd3", fits, False),
            ("RD3", "r3#4", "rd3", fits, False),
            ("YD2", "y2#2", "yd2", fits, False),
        ],
        [
            ("– –", "off:3", "gap", plain, True),
            ("GD4", "g4#0", "gd4", plain, False),
            ("BD6", "b6#5", "bd6", plain, False),
        ],
    ]
    (roll_,) = roll
    assert (say(roll_.label, "en-US"), roll_.word, roll_.icon) == ("Roll 5", "roll:4", "roll")
    assert (roll_.style, roll_.off) == (Style.PRIMARY, False)


def test_a_player_is_told_once_of_each_face_that_fits() -> None:
    state = board(("r3 r3 y2 g4", "b1"), "r01 y0")
    assert lines(panel(state)) == ["Next: RD3, YD2, GD1, BD1", "Fits: RD3, YD2"]
    nothing = board(("r2 g4", "b1"))
    assert lines(panel(nothing)) == ["Next: RD1, YD1, GD1, BD1", "Fits: nothing now"]


def test_a_table_without_hints_tells_nobody_what_fits() -> None:
    state = board(("r3 y2", "b1"), "r01 y0")
    blocks = panel(state, assist=False)
    assert lines(blocks) == ["Next: RD3, YD2, GD1, BD1"]
    assert {one.style for one in rows(blocks)[0]} == {Style.SECONDARY}


def test_nobody_rolls_without_dice() -> None:
    state = board(("r1* y1*", "b1"), "r0 y0")
    *_, (roll,) = rows(panel(state))
    assert roll.off


def test_the_board_shows_what_lies_whose_it_is_and_what_comes_next() -> None:
    state = board(("r1* r2*", "g1* g2* g3* g4* g5* g6*"), "r01 g111111")
    tracks = [line for line in DICE.centre(DICE.view(state, BEN)) if isinstance(line, Track)]
    assert [(track.colour, track.icons, track.seats) for track in tracks] == [
        ("r", ("rd1", "rd2", "gap", "dot", "dot", "dot"), (1, 2)),
        ("y", ("gap", "dot", "dot", "dot", "dot", "dot"), ()),
        ("g", ("gd1", "gd2", "gd3", "gd4", "gd5", "gd6"), (2,) * 6),
        ("b", ("gap", "dot", "dot", "dot", "dot", "dot"), ()),
    ]
    assert lines((Words(DICE.centre(DICE.view(state, None))),)) == ["Next: RD3, YD1, BD1"]


def test_who_is_not_in_the_round_sees_the_board_alone() -> None:
    state = board(("-", "b2 | gone", "r1"))
    for seat in (ANNA, BEN):
        frame = Frame(HEAD, NOTE, assist=True)
        above, below = DICE.panel(DICE.view(state, seat), frame)
        assert isinstance(above, Words)
        assert above.lines[0] == HEAD
        assert below == Words((NOTE,))


def test_dice_of_who_left_are_still_counted() -> None:
    state = board(("r1* y2", "b1 b2 b3 | gone", "-"), "r0")
    assert DICE.view(state, None).left == (1, 3, None)
