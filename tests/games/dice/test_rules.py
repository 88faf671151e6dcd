"""The rules of Ligretto Dice told as stories, each with its number in `docs/rules.md`."""

import re
from collections import Counter
from pathlib import Path

import pytest

from bot.games.chance import Chance
from bot.games.dice import DICE, handicap
from bot.games.dice.model import BAG, Colour, State, parse
from bot.games.dice.rules import MoveRefusal
from bot.games.values import Ending, Played, Points, Reason, Refused, Seat
from bot.i18n import say
from tests.games.dice.board import (
    ANNA,
    BEN,
    CARA,
    SEED,
    board,
    faces,
    legal,
    log,
    net,
    options,
    own,
    play,
    press,
    refusal,
    refused,
    rows,
    why,
)

FULL_RED = "r010101"


def deal(dealt: str, extra: int = 0, shares: str = "", round_: int = 1) -> State:
    is_in = tuple(letter != "-" for letter in dealt)
    return DICE.deal(is_in, options(extra, shares), Chance(SEED, round_, 0))


def counts(state: State) -> list[int]:
    return [0 if dice is None else len(dice.dice) for dice in state.seats]


# --- Dice and start


def test_two_to_four_play() -> None:
    """D1."""
    assert list(DICE.seats) == [2, 3, 4]


def test_the_bag_holds_six_dice_of_each_colour() -> None:
    """D2."""
    assert Counter(BAG) == dict.fromkeys(Colour, 6)


@pytest.mark.parametrize("dealt", ["xx", "xxx", "xxxx"])
def test_a_die_shows_one_to_six(dealt: str) -> None:
    """D2: and each number comes up about as often as the others."""
    shown = Counter(
        die.value
        for round_ in range(1, 51)
        for dice in deal(dealt, round_=round_).seats
        for die in (dice.dice if dice else ())
    )
    assert sorted(shown) == [1, 2, 3, 4, 5, 6]
    assert all(150 < times < 250 for times in shown.values())


@pytest.mark.parametrize(
    ("dealt", "expected"),
    [
        ("xx", [12, 12]),
        ("xxx", [8, 8, 8]),
        ("xxxx", [6, 6, 6, 6]),
        ("x-x", [12, 0, 12]),
        ("-xxx", [0, 8, 8, 8]),
    ],
)
def test_all_dice_are_dealt_in_even_shares(dealt: str, expected: list[int]) -> None:
    """D3: by how many are dealt in, not by how many sit at the table."""
    state = deal(dealt)
    assert counts(state) == expected
    assert [dice is None for dice in state.seats] == [letter == "-" for letter in dealt]
    assert Counter(die.colour for d in state.seats if d for die in d.dice) == Counter(BAG)


def test_dice_are_drawn_blind() -> None:
    """D3: another round brings other colours; the same seed and round the same dice."""
    hands = {
        tuple(die.colour for die in own(deal("xx", round_=round_), ANNA).dice)
        for round_ in range(1, 21)
    }
    assert len(hands) == 20
    assert deal("xx") == deal("xx")


def test_the_board_has_a_row_for_each_colour_with_six_places() -> None:
    """D4."""
    state = board(("r1", "b1"), f"{FULL_RED} y01")
    assert [row.colour for row in state.board] == ["r", "y", "g", "b"]
    assert [row.wanted for row in state.board] == [None, 3, 1, 1]


def test_a_round_begins_with_a_roll_of_everybody_and_an_empty_board() -> None:
    """D5."""
    state = deal("xxxx")
    assert rows(state) == ""
    assert "*" not in "".join(faces(state, Seat(seat)) for seat in range(4))
    assert [own(state, Seat(seat)).rolls for seat in range(4)] == [0] * 4
    assert DICE.ending(state) is None
    assert DICE.left(state) == (6, 6, 6, 6)


# --- Play


def test_a_die_goes_to_the_row_of_its_colour() -> None:
    """D6: a red 2 does not follow a yellow 1."""
    state = board(("r2 y2", "b1"), "y1")
    assert legal(state, ANNA) == "y2#1 roll:0"
    assert why(state, "0 r2#0") == MoveRefusal.NO_FIT
    assert why(state, "0 y2#0") == MoveRefusal.NOT_YOURS
    after = play(state, "0 y2#1")
    assert rows(after) == "y10"
    assert faces(after, ANNA) == "r2 y2*"


def test_a_row_is_filled_upwards_without_leaving_a_number_out() -> None:
    """D7."""
    state = board(("y1 y2 y3 g6", "b6"))
    assert refusal(state, "0 y2#1") == (MoveRefusal.NO_FIT, {"card": "yd2", "needs": "yd1"})
    assert refusal(state, "0 y3#2") == (MoveRefusal.NO_FIT, {"card": "yd3", "needs": "yd1"})
    after = play(state, "0 y1#0")
    assert refusal(after, "0 y3#2") == (MoveRefusal.NO_FIT, {"card": "yd3", "needs": "yd2"})
    after = play(after, "0 y2#1", "0 y3#2")
    assert rows(after) == "y000"
    assert refusal(after, "0 g6#3") == (MoveRefusal.NO_FIT, {"card": "gd6", "needs": "gd1"})


def test_each_number_of_a_colour_lies_once() -> None:
    """D7: whoever placed it, and its owner has no second one."""
    state = board(("y1 y1 g2", "y1 b6"))
    after = play(state, "0 y1#1")
    assert refusal(after, "0 y1#0") == (MoveRefusal.NO_FIT, {"card": "yd1", "needs": "yd2"})
    assert refusal(after, "1 y1#0") == (MoveRefusal.NO_FIT, {"card": "yd1", "needs": "yd2"})


@pytest.mark.parametrize(("first", "second"), [("0 y3#1", "1 y3#0"), ("1 y3#0", "0 y3#1")])
def test_the_first_die_on_a_place_has_it(first: str, second: str) -> None:
    """D8: the other stays where it was, is told what is next, and is rolled again."""
    state = board(("r6 y3", "y3 b6"), "y01")
    assert isinstance(press(state, second), Played)
    after = play(state, first)
    late = Seat(int(second[0]))
    assert refusal(after, second) == (MoveRefusal.NO_FIT, {"card": "yd3", "needs": "yd4"})
    assert own(after, late) == own(state, late)
    assert legal(after, late) == "roll:0"


def test_any_number_of_dice_of_a_roll_may_be_placed() -> None:
    """D9: three here, one there, none at all; there are no turns."""
    state = board(("r1 r2 r3 g6", "r4 b6", "b5 b4"))
    after = play(state, "0 r1#0", "0 r2#1", "0 r3#2", "1 r4#0", "2 roll:0", "2 roll:1")
    assert rows(after) == "r0001"
    assert DICE.left(after) == (1, 1, 2)
    assert own(after, CARA).rolls == 2


def test_nobody_has_to_place_a_die_that_fits() -> None:
    """D9: he may roll it away, or wait while another plays."""
    state = board(("r1 g1", "b1 b2 y6"))
    assert legal(state, ANNA) == "r1#0 g1#1 roll:0"
    assert own(play(state, "0 roll:0"), ANNA).rolls == 1
    assert faces(play(state, "1 b1#0", "1 b2#1"), ANNA) == "r1 g1"


def test_a_roll_takes_all_dice_that_are_left_and_no_other() -> None:
    """D10: they keep number and colour; placed dice lie still, and so do all others' dice."""
    state = board(("r1* y3 g2 b6* b5", "r1 b6"), "r0")
    chance = Chance(SEED, 1, 1)
    y, g, b = (1 + chance.below(6) for _ in range(3))
    after = play(state, "0 roll:0")
    assert faces(after, ANNA) == f"r1* y{y} g{g} b6* b{b}"
    assert own(after, ANNA).rolls == 1
    assert own(after, BEN) == own(state, BEN)
    assert after.board == state.board
    assert log(state, "0 roll:0") == ((("reroll", (y, g, b)), None),)


def test_every_roll_shows_other_numbers() -> None:
    """D10: the number of the move tells one roll from the next."""
    state = board(("y3 g2 b5 r4 r1 y6", "r1"))
    after = [press(state, "0 roll:0", number) for number in range(1, 11)]
    assert len({faces(one.state, ANNA) for one in after if isinstance(one, Played)}) == 10


def test_a_placed_die_is_logged_by_its_number_and_face() -> None:
    assert log(board(("r6 y1", "b1")), "0 y1#1") == ((("place", 1), "Y1"),)


# --- Refusals: they cost nothing


def test_a_full_row_takes_no_die() -> None:
    state = board(("r6 y1", "b1"), FULL_RED)
    assert refusal(state, "0 r6#0") == (MoveRefusal.ROW_FULL, {"card": "rd6"})
    assert legal(state, ANNA) == "y1#1 roll:0"


def test_a_second_press_places_nothing_more() -> None:
    after = play(board(("y1 y2 g3", "b1")), "0 y1#0")
    assert refusal(after, "0 y1#0") == (MoveRefusal.PLACED_ALREADY, {"card": "yd1"})
    after = play(after, "0 roll:0")
    assert refusal(after, "0 y1#0") == (MoveRefusal.PLACED_ALREADY, {"card": "yd1"})


def test_a_press_on_a_face_that_has_been_rolled_away_places_nothing() -> None:
    """Also where what the die shows by now would fit."""
    state = board(("y4 g3", "b1"))
    assert refusal(state, "0 y1#0") == (MoveRefusal.ROLLED_SINCE, {"card": "yd1"})
    state = board(("y1 g3", "b1"))
    assert refusal(state, "0 y4#0") == (MoveRefusal.ROLLED_SINCE, {"card": "yd4"})


def test_a_second_press_does_not_throw_a_good_roll_away() -> None:
    state = board(("y4 g3 | rolls 4", "b1"))
    assert legal(state, ANNA) == "roll:4"
    after = play(state, "0 roll:4")
    for late in ("0 roll:4", "0 roll:3", "0 roll:0", "0 roll:6"):
        assert refusal(after, late) == (MoveRefusal.ROLLED_ALREADY, {})
    assert own(play(after, "0 roll:5"), ANNA).rolls == 6


@pytest.mark.parametrize("line", ["0 b1#0", "0 y1#1", "0 y1#2", "0 y1#23"])
def test_a_die_one_does_not_have_is_not_his_to_place(line: str) -> None:
    """Another colour under this number, or no die at all."""
    assert why(board(("y1 g3", "b1 y1 y1")), line) == MoveRefusal.NOT_YOURS


@pytest.mark.parametrize("line", ["1 y1#0", "1 roll:0", "2 b1#0", "2 roll:0"])
def test_who_is_not_in_the_round_does_nothing(line: str) -> None:
    """Neither one who sits it out nor one who has left."""
    state = board(("y1 g3", "-", "b1 | gone"))
    assert why(state, line) == MoveRefusal.NOT_DEALT_IN
    assert legal(state, Seat(int(line[0]))) == ""


def test_every_refusal_says_in_english_why() -> None:
    state = board(("y1* y2 g3 r6 | rolls 2", "-"), f"y0 g01 {FULL_RED}")
    said = {
        line: say(refused(state, line).text, "en")
        for line in ("0 y1#0", "0 y4#1", "0 r6#3", "0 roll:1", "0 b1#9", "1 roll:0")
    }
    assert said["0 roll:1"] == "You already rolled"
    assert said["0 b1#9"] == "That die isn’t yours"
    assert said["1 roll:0"] == "You’re sitting this round out"
    assert said["0 y1#0"].startswith("You already placed ")
    assert said["0 y4#1"].endswith(" has been rerolled since")
    assert said["0 r6#3"].startswith("That row is full: no room for ")
    no_fit = refused(board(("y3", "b1"), "y0"), "0 y3#0")
    assert no_fit.why is DICE.no_fit
    assert "next is" in say(no_fit.text, "en")


# --- End and points


def test_the_last_die_of_a_player_ends_the_round_at_once() -> None:
    """D11: nobody places anything after it."""
    state = board(("r1* y2", "r2 y3 b1"), "r0 y1")
    assert DICE.ending(state) is None
    after = play(state, "0 y2#1")
    assert DICE.ending(after) == Ending(Reason.DICE, ANNA)
    assert legal(after, ANNA) == legal(after, BEN) == ""


def test_two_last_dice_at_once() -> None:
    """D11: the first to arrive ends the round, the other keeps his die and loses it."""
    state = board(("y2", "y2"), "y0")
    assert net(play(state, "0 y2#0")) == [1, -1]
    assert net(play(state, "1 y2#0")) == [-1, 1]


def test_points_of_the_example_on_the_rule_sheet() -> None:
    """D12, D13, D17: left 0, 3, 1, 4."""
    state = board(("r1", "y2 y2 y3*  y4", "r1* g6", "b2 b3 b4 b5"))
    after = play(state, "0 r1#0")
    assert DICE.left(after) == (0, 3, 1, 4)
    assert DICE.scores(after) == (Points(8, 0), Points(0, 3), Points(0, 1), Points(0, 4))
    assert net(after) == [8, -3, -1, -4]


@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (("r1", "b1"), [1, -1]),
        (("r1", "-", "b2 b2"), [2, 0, -2]),
        (("r1", "b2 b3", "b2 b2 b2"), [5, -2, -3]),
        (("r1 ", "b2 b3*", "b2* b2 b2", "y2"), [4, -1, -2, -1]),
    ],
)
def test_a_round_sums_to_nothing(seats: tuple[str, ...], expected: list[int]) -> None:
    """D12, D13: what one gets is what the others lose."""
    after = play(board(seats), "0 r1#0")
    assert net(after) == expected
    assert sum(net(after)) == 0


def test_dice_of_a_player_who_left_stay_and_count() -> None:
    """D12, D13: he pays for them, and others build on what he placed."""
    state = play(board(("r2", "r1 b2 b3", "g3 g4")), "1 r1#0")
    gone = DICE.leave(state, BEN)
    assert faces(gone, BEN) == "r1* b2 b3"
    assert rows(gone) == "r1"
    assert DICE.left(gone) == (1, 2, 2)
    assert DICE.ending(gone) is None
    after = play(gone, "0 r2#0")
    assert DICE.scores(after) == (Points(4, 0), Points(0, 2), Points(0, 2))


def test_one_who_leaves_without_having_been_dealt_in_changes_nothing() -> None:
    state = board(("r1", "-", "b1"))
    assert DICE.leave(state, BEN) == state


def test_a_round_stopped_from_outside_gives_nobody_points() -> None:
    """It is dropped and dealt again, so it does not count."""
    state = board(("r1* y2", "b1 b2", "-", "g4 g5 | gone"), "r0")
    assert DICE.scores(state) == (Points(0, 0),) * 4
    assert not DICE.abort_counts


@pytest.mark.parametrize(
    ("seats", "rounds", "expected"),
    [(2, "full", 6), (3, "full", 9), (4, "full", 12), (4, "5", 5), (2, "6", 6), (2, "12", 6)],
)
def test_three_rounds_a_player(seats: int, rounds: str, expected: int) -> None:
    """D14: or fewer, as the host likes."""
    assert DICE.rounds(options(rounds=rounds), seats) == expected


# --- Handicap


@pytest.mark.parametrize(
    ("extra", "shares", "expected"),
    [
        (2, "even child", [13, 11]),
        (1, "even child", [12, 11]),
        (2, "child even", [11, 13]),
        (4, "even child", [14, 10]),
        (2, "even even child", [8, 8, 6]),
        (1, "child even child", [7, 8, 7]),
        (2, "child even child", [7, 9, 7]),
        (2, "even child child child", [7, 5, 5, 5]),
        (1, "even even even child", [6, 6, 6, 5]),
        (4, "even even even child", [7, 7, 7, 3]),
    ],
)
def test_grown_ups_get_more_dice_than_children(
    extra: int, shares: str, expected: list[int]
) -> None:
    """D15: children get floor((24 - extra x grown-ups) / players), the others that plus extra."""
    choice = options(extra, shares)
    players, grown_ups = len(expected), shares.split().count("even")
    child = (24 - extra * grown_ups) // players
    assert expected == [child + extra * (word == "even") for word in shares.split()]
    assert DICE.check(choice, players) is None
    assert handicap.shares(choice, (True,) * players) == tuple(expected)
    state = deal("x" * players, extra, shares)
    assert counts(state) == expected
    drawn = Counter(die.colour for dice in state.seats if dice for die in dice.dice)
    assert not drawn - Counter(BAG)


@pytest.mark.parametrize("shares", ["even even", "even even even", "child child"])
def test_a_handicap_needs_grown_ups_and_children(shares: str) -> None:
    """D15: where all are alike the shares are even."""
    players = len(shares.split())
    assert counts(deal("x" * players, 2, shares)) == [24 // players] * players


def test_shares_go_by_who_is_dealt_in() -> None:
    """D15: a child who sits out makes no difference, nor does a grown-up."""
    assert counts(deal("xx-", 2, "even even child")) == [12, 12, 0]
    assert counts(deal("-xx", 2, "even even child")) == [0, 13, 11]


@pytest.mark.parametrize(
    ("shares", "expected"),
    [
        ("22 2", [22, 2]),
        ("1 1", [1, 1]),
        ("even 3", [21, 3]),
        ("5 even 8", [5, 11, 8]),
        ("9 3 even even", [9, 3, 6, 6]),
        ("10 4 6 4", [10, 4, 6, 4]),
    ],
)
def test_the_host_may_set_a_number_of_dice(shares: str, expected: list[int]) -> None:
    """D15: the other seats share what is left; dice that nobody gets stay in the bag."""
    players = len(expected)
    assert DICE.check(options(shares=shares), players) is None
    assert counts(deal("x" * players, shares=shares)) == expected


@pytest.mark.parametrize(
    ("shares", "total"), [("22 3", 25), ("13 12", 25), ("9 9 7", 25), ("22 22 22 22", 88)]
)
def test_more_dice_than_there_are_is_refused_with_words(shares: str, total: int) -> None:
    """D15."""
    impossible = DICE.check(options(shares=shares), len(shares.split()))
    assert impossible == Refused(handicap.ShareRefusal.TOO_MANY, (("n", total), ("most", 24)))
    assert say(impossible.text, "en") == (
        f"That takes {total} dice, but the bag holds 24. Nothing changed."
    )


@pytest.mark.parametrize(
    ("extra", "shares"),
    [
        (0, "22 2 even"),
        (0, "22 even even child"),
        (0, "13 12 even"),
        (4, "20 even child"),
        (3, "20 child even"),
        (0, "0 even"),
    ],
)
def test_less_than_one_die_is_refused_with_words(extra: int, shares: str) -> None:
    """D15: somebody would have nothing to play with."""
    impossible = DICE.check(options(extra, shares), len(shares.split()))
    assert impossible == Refused(handicap.ShareRefusal.TOO_FEW)
    assert say(impossible.text, "en") == (
        "The bag holds 24 dice, so not everyone would get one. Nothing changed."
    )


def test_one_die_each_is_enough() -> None:
    """D15: on the brink of the refusals above."""
    for extra, shares, expected in (
        (0, "22 even even", [22, 1, 1]),
        (2, "20 even child", [20, 3, 1]),
        (0, "12 12", [12, 12]),
    ):
        assert DICE.check(options(extra, shares), len(expected)) is None
        assert counts(deal("x" * len(expected), extra, shares)) == expected


@pytest.mark.parametrize(
    ("dealt", "expected"),
    [
        ("xxxx", [9, 3, 6, 6]),
        ("x-xx", [9, 0, 7, 7]),
        ("-xxx", [0, 3, 10, 10]),
        ("xx--", [9, 3, 0, 0]),
    ],
)
def test_there_are_dice_enough_when_somebody_has_left(dealt: str, expected: list[int]) -> None:
    """D15: what was possible for all seats is possible for fewer."""
    assert counts(deal(dealt, shares="9 3 even even")) == expected


# --- A round always goes on


@pytest.mark.parametrize("face", ["r6", "y1", "g4", "b3"])
def test_the_last_die_fits_sooner_or_later(face: str) -> None:
    """D16: rolled again and again until it shows the number that its row has come to."""
    colour, value = face[0], int(face[1])
    state = board((f"{colour}{7 - value}", "-"), f"{colour}{'0' * (value - 1)}")
    for number in range(1, 101):
        moves = legal(state, ANNA).split()
        outcome = press(state, f"0 {moves[0]}", number)
        assert isinstance(outcome, Played)
        state = outcome.state
        if DICE.ending(state):
            break
    assert DICE.ending(state) == Ending(Reason.DICE, ANNA)
    assert faces(state, ANNA) == f"{face}*"


# --- What the table asks about a move


def test_a_die_claims_the_place_of_its_face() -> None:
    """D8: whatever its number; a roll takes nothing from anybody."""
    assert DICE.claim(parse("y3#7")) == DICE.claim(parse("y3#0")) == "yd3"
    assert DICE.claim(parse("y4#7")) != DICE.claim(parse("y3#7"))
    assert DICE.claim(parse("roll:4")) is None


def test_only_a_second_roll_and_what_is_not_ones_own_break_no_rule() -> None:
    state = board(("y1* y2 g3 r6 | rolls 2", "-"), f"y0 {FULL_RED}")
    lapsed = {
        line: DICE.lapsed(refused(state, line))
        for line in ("0 roll:1", "1 roll:0", "0 b1#9", "0 y1#0", "0 y4#1", "0 g3#2", "0 r6#3")
    }
    assert [line for line, is_lapsed in lapsed.items() if is_lapsed] == [
        *("0 roll:1", "1 roll:0", "0 b1#9"),
    ]


@pytest.mark.parametrize(
    ("move", "logged"),
    [
        ("y3#1", (("place", 1), "Y3")),
        ("y5#1", (("place", 1), "Y5")),
        ("r1#0", (("place", 0), "R1")),
        ("y3#2", None),
        ("roll:4", (("reroll",), None)),
    ],
)
def test_a_refused_move_is_written_by_the_number_of_its_die(move: str, logged: object) -> None:
    """With the face that the player meant; a die that he does not have is not written."""
    assert DICE.written(board(("r1* y3", "b1")), ANNA, parse(move)) == logged


def test_a_die_is_not_written_for_a_seat_that_was_not_dealt_in() -> None:
    assert DICE.written(board(("-", "b1")), ANNA, parse("b1#0")) is None


# --- Notation


@pytest.mark.parametrize(
    "text",
    [
        *("", "r1", "r0#0", "r7#0", "x1#0", "R1#0", "r1#", "r1#24", "r1#01", "r1#-1", "r1#٣"),
        *("roll", "roll:", "roll:01", "roll:-1", "roll:123456", "roll:٣", "off:3"),
        *(" r1#0", "r1#0 ", "r1#0\n", "roll:1\n"),
    ],
)
def test_a_forged_notation_is_no_move(text: str) -> None:
    with pytest.raises(ValueError, match="not a move of Ligretto Dice"):
        parse(text)


@pytest.mark.parametrize("text", ["r1#0", "b6#23", "g3#10", "y3#9", "roll:0", "roll:12345"])
def test_a_move_is_read_as_it_is_written(text: str) -> None:
    assert str(parse(text)) == text


def test_every_rule_that_the_code_names_can_be_looked_up() -> None:
    root = Path(__file__).parents[3]
    document = (root / "docs" / "rules.md").read_text(encoding="utf-8").splitlines()
    listed = {found[1] for line in document if (found := re.match(r"- \*\*(D\d+)\*\* ", line))}
    assert listed == {f"D{number}" for number in range(1, 18)}
    for path in (root / "bot" / "games" / "dice").rglob("*.py"):
        assert set(re.findall(r"\bD\d+\b", path.read_text(encoding="utf-8"))) <= listed
