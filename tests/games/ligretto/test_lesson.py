"""The guided first hand: every step is legal, and the round ends as its last screen says."""

import pytest

from bot.games.ligretto import lesson, lesson_screens, round_end, rules
from bot.games.ligretto.lesson import ROBOT, STEPS, YOU, dealt
from bot.games.ligretto.model import Card, Colour, Flip, parse
from bot.games.values import Seat
from bot.i18n import say
from bot.screen import Choice, Row, Screen, Sentence, Style, Words
from bot.tables.views.plain_words import in_plain_words

NUMBERS = range(1, len(STEPS) + 1)
ANSWERS = (lesson_screens.BEGIN, *(f"{n}:{step.move}" for n, step in enumerate(STEPS, 1)))


def lines(screen: Screen) -> list[str]:
    blocks = [block for block in screen.blocks if isinstance(block, Words)]
    found = [line for block in blocks for line in block.lines if isinstance(line, Sentence)]
    return [say(line.text, "en") for line in found]


def buttons(screen: Screen) -> list[Choice]:
    return [c for block in screen.blocks if isinstance(block, Row) for c in block.choices]


def cards(seat: Seat) -> list[Card]:
    own = lesson.DEAL.seats[seat]
    assert own is not None
    return [*(card for column in own.row for card in column), *own.ligretto, *own.hand]


def test_each_press_and_each_move_of_the_robot_is_legal() -> None:
    for step in NUMBERS:
        state = dealt(step)
        assert STEPS[step - 1].move in set(rules.moves(state, YOU))
        assert round_end.ending(state) is None
    assert dealt(len(STEPS) + 1).stopped_by == YOU, "the last press ends the round"


@pytest.mark.parametrize("seat", [YOU, ROBOT])
def test_nobody_holds_a_card_twice(seat: Seat) -> None:
    assert len(set(cards(seat))) == len(cards(seat))


def test_centre_before_each_press() -> None:
    seen = [[(pile.colour, pile.top) for pile in dealt(step).centre] for step in NUMBERS]
    red, yellow, green, blue = Colour
    assert seen[0] == []
    assert seen[1] == [(red, 1), (yellow, 3), (green, 1)]
    assert seen[2] == seen[3] == [(red, 2), (yellow, 5), (green, 2), (blue, 2)]
    assert seen[4] == [(red, 2), (yellow, 6), (green, 2), (blue, 3)]


def test_nothing_fits_when_flip_is_taught() -> None:
    assert set(rules.moves(dealt(3), YOU)) == {Flip(0)}


def test_one_button_of_a_step_is_green_and_it_is_the_one_that_leads_on() -> None:
    for step, word in zip(NUMBERS, ANSWERS, strict=False):
        screen = lesson_screens.answer(word)
        green = [one.word for one in buttons(screen) if one.style is Style.SUCCESS]
        assert green == [f"{step}:{STEPS[step - 1].move}"]
        assert all(one.style in (Style.SUCCESS, Style.SECONDARY) for one in buttons(screen))
        assert f"{step}/5" in " ".join(lines(screen))


def test_any_other_button_stays_and_says_why_and_what_to_press() -> None:
    for step in NUMBERS:
        right = lesson_screens.hand(step)
        for button in buttons(right):
            if button.off or button.style is Style.SUCCESS:
                continue
            wrong = lesson_screens.answer(button.word)
            assert buttons(wrong) == buttons(right)
            assert say(STEPS[step - 1].asks, "en") in lines(wrong)
            told = next(line for line in lines(wrong) if "needs" in line or "works too" in line)
            assert told.startswith("✖") is (parse(button.word[2:]) not in allowed(step)), told


def allowed(step: int) -> set[object]:
    return set(rules.moves(dealt(step), YOU))


def test_a_word_has_one_answer_however_often_it_is_pressed() -> None:
    assert [lesson_screens.answer(word) for word in ANSWERS] == [
        lesson_screens.answer(word) for word in ANSWERS
    ]


@pytest.mark.parametrize("word", ["", "0:r1", "6:r1", "1:", "x:r1", "1:off:discard", "end"])
def test_a_word_that_no_button_has_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        lesson_screens.answer(word)


def test_the_end_counts_what_was_played() -> None:
    you, robot = lesson.points()
    assert (you.plus, you.minus, you.net) == (4, 0, 4)
    assert (robot.plus, robot.minus, robot.net) == (10, 8, 2)
    told = lines(lesson_screens.answer(ANSWERS[-1]))
    assert told[-3:-1] == [
        "🥇 **You:** 4 in the centre = **4**",
        "🥈 Robot 1: 10 − 8 = **2**",
    ]


def test_plain_words_say_first_what_to_press() -> None:
    for step in NUMBERS:
        first = in_plain_words(lesson_screens.hand(step)).blocks[0]
        assert isinstance(first, Words)
        assert first.lines[0] == Sentence(STEPS[step - 1].asks)
