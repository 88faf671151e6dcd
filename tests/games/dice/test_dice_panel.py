"""A player's dice as buttons, and the board above them."""

from itertools import chain
from statistics import mean

import pytest

from bot.games import GAMES
from bot.games.chance import Chance
from bot.games.contract import Frame
from bot.games.dice import DICE
from bot.games.dice.model import State
from bot.games.dice.rules import MoveRefusal
from bot.games.values import Played
from bot.i18n import say
from bot.screen import Block, Choice, Row, Sentence, Style, Track, Words
from bot.simulate.rounds import Setting, seed_of
from bot.simulate.rounds import play as play_round
from bot.tables.running.robots import LEVELS
from bot.text import Text
from tests.games.dice.board import ANNA, BEN, board, options, own, play, why

HEAD, NOTE = Sentence(Text("table.ready")), Sentence(Text("table.live"))
FRAME = Frame(HEAD, NOTE, assist=True)


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
    """D6, D7: red has come to its 3, yellow to its 1. A die just placed leaves a gap."""
    state = board(("g4 r3 y2 y1* r3 b6 r2* | rolls 4 | gaps 3", "b1"), "r01 y0")
    roll, *dice = rows(panel(state))
    shown = [
        [(say(one.label, "en-US"), one.word, one.icon, one.style, one.off) for one in row]
        for row in dice
    ]
    fits, plain = Style.SUCCESS, Style.SECONDARY
    assert shown == [
        [
            ("RD3", "r3#1", "rd3", fits, False),
            ("RD3", "r3#4", "rd3", fits, False),
            ("– –", "off:3", "gap", plain, True),
        ],
        [
            ("YD2", "y2#2", "yd2", fits, False),
            ("GD4", "g4#0", "gd4", plain, False),
            ("BD6", "b6#5", "bd6", plain, False),
        ],
    ]
    (roll_,) = roll
    assert (say(roll_.label, "en-US"), roll_.word, roll_.icon) == ("Roll 5", "roll:4", "roll")
    assert (roll_.style, roll_.off) == (Style.PRIMARY, False)


def test_a_player_is_told_once_of_each_face_that_fits() -> None:
    state = board(("r3 r3 y2 g4", "b1"), "r01 y0")
    assert lines(panel(state)) == ["Fits: RD3, YD2"]
    nothing = board(("r2 g4", "b1"))
    assert lines(panel(nothing)) == ["GAP Nothing fits"]


def test_a_table_without_hints_tells_nobody_what_fits() -> None:
    state = board(("r3 y2", "b1"), "r01 y0")
    blocks = panel(state, assist=False)
    assert not lines(blocks)
    assert {one.style for one in rows(blocks)[1]} == {Style.SECONDARY}


def test_nobody_rolls_without_dice() -> None:
    state = board(("r1* y1*", "b1"), "r0 y0")
    (roll,), *_ = rows(panel(state))
    assert roll.off


def words(state: State) -> list[str]:
    """The words of the dice's buttons, which name the dice."""
    _, *dice = rows(panel(state))
    return [choice.word for row in dice for choice in row]


def test_dice_stay_until_the_next_roll_closes_them_up_by_colour_and_number() -> None:
    state = board(("b2 r1 y1 r6 g5 y4", "b1"))
    assert words(state) == ["r1#1", "r6#3", "y1#2", "y4#5", "g5#4", "b2#0"]
    state = play(state, "0 r1#1", "0 y1#2")
    assert words(state) == ["off:1", "r6#3", "off:2", "y4#5", "g5#4", "b2#0"]
    state = play(state, "0 roll:0")
    assert [(word[0], word[-2:]) for word in words(state)] == [
        ("r", "#3"),
        ("y", "#5"),
        ("g", "#4"),
        ("b", "#0"),
    ]


def test_dice_of_one_colour_lie_in_order_of_their_numbers() -> None:
    assert words(board(("g6 g2 g4 g2", "b1"))) == ["g2#1", "g2#3", "g4#2", "g6#0"]


def test_a_button_of_an_older_screen_still_names_its_die() -> None:
    """A die keeps its number, wherever it lies. Its face tells whether it was rolled since."""
    before = board(("r1 y1 g5 g3", "b1"))
    after = play(before, "0 y1#1")
    assert "g5#2" in words(before)
    assert why(after, "0 g5#2") is MoveRefusal.NO_FIT, "the die itself is found"
    rolled = play(after, "0 roll:0")
    assert why(rolled, "0 y1#1") is MoveRefusal.PLACED_ALREADY
    die = own(rolled, ANNA).dice[2]
    assert why(rolled, f"0 g{die.value % 6 + 1}#2") is MoveRefusal.ROLLED_SINCE


DEAD = {2: 1.0, 3: 0.7, 4: 0.5}
"""Buttons of a panel that do nothing, on average, as medium robots play.

With a place kept for every die all round they were 6.9, 4.0 and 2.7.
"""


@pytest.mark.parametrize("seats", DEAD)
def test_few_buttons_are_dead(seats: int) -> None:
    game, dead = GAMES["dice"], list[int]()
    setting = Setting(game, options(), (LEVELS["medium"],) * seats)
    for number in range(1, 4):
        seed = seed_of("dead buttons", seats)
        state = game.deal((True,) * seats, setting.options, Chance(seed, number, 0))
        moves = 1
        for act in play_round(setting, seed, number).acts:
            if act.move is not None and act.refused is None:
                outcome = game.play(state, act.seat, act.move, Chance(seed, number, moves))
                assert isinstance(outcome, Played)
                state, moves = outcome.state, moves + len(outcome.moves)
                buttons = chain(*rows(game.panel(game.view(state, ANNA), FRAME)))
                dead.append(sum(button.off for button in buttons))
    assert mean(dead) <= DEAD[seats]


def test_the_board_shows_what_lies_and_what_comes_next() -> None:
    state = board(("r1* r2*", "g1* g2* g3* g4* g5* g6*"), "r01 g111111")
    tracks = [line for line in DICE.centre(DICE.view(state, BEN)) if isinstance(line, Track)]
    assert [(track.colour, track.icons) for track in tracks] == [
        ("r", ("rd1", "rd2", "gap", "dot", "dot", "dot")),
        ("y", ("gap", "dot", "dot", "dot", "dot", "dot")),
        ("g", ("gd1", "gd2", "gd3", "gd4", "gd5", "gd6")),
        ("b", ("gap", "dot", "dot", "dot", "dot", "dot")),
    ]


def test_who_is_not_in_the_round_sees_the_board_alone() -> None:
    state = board(("-", "b2 | gone", "r1"))
    for seat in (ANNA, BEN):
        frame = Frame(HEAD, NOTE, assist=True)
        above, below = DICE.panel(DICE.view(state, seat), frame)
        assert isinstance(above, Words)
        assert above.lines[0] == HEAD
        assert below == Words((NOTE,), news=True)


def test_dice_of_who_left_are_still_counted() -> None:
    state = board(("r1* y2", "b1 b2 b3 | gone", "-"), "r0")
    assert DICE.view(state, None).left == (1, 3, None)
