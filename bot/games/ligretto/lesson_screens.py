"""The screens of the guided first hand: the real panel with a coach in place of the news.

A button's word is its step and what it does: `2:r2`. So an old button, a second press and a
restart need no memory: the answer to a word is always the same screen.
"""

from dataclasses import replace

from bot.games.contract import Frame
from bot.games.ligretto import lesson, round_end
from bot.games.ligretto.lesson import ROBOT, STEPS, YOU
from bot.games.ligretto.model import parse
from bot.games.ligretto.screens import panel
from bot.games.ligretto.view import view
from bot.screen import ASIDE, Block, Choice, Line, Look, Row, Screen, Sentence, Style, Words
from bot.text import Icon, Text, Values

BEGIN = "begin"
"""The word that shows the first step."""
REAL = f"{ASIDE}:play:ligretto"
"""The custom id that opens a real table."""

_ROBOT_NAME = Text("robot.name", (("number", 1),))


def answer(word: str) -> Screen:
    """Return the answer to a press.

    The button that the step asks for leads on. Other presses get the reason why not, and what to
    press. Raises ValueError for a word that no button has.
    """
    if word == BEGIN:
        return hand(1)
    number, _, pressed = word.partition(":")
    step = int(number)
    if not 1 <= step <= len(STEPS):
        raise ValueError(f"no such step: {word!r}")
    move = parse(pressed)
    asked = STEPS[step - 1].move
    if move == asked:
        return hand(step + 1) if step < len(STEPS) else end()
    refused = lesson.refusal(step, move)
    if refused is None:
        card: Values = (("card", Icon(pressed if pressed[0] in "rygb" else "flip")),)
        return hand(step, Text("learn.allowed", card))
    return hand(step, Text("panel.refused", (("why", refused.text),)))


def is_over(word: str) -> bool:
    """Return whether a press, by a word that a button has, ends the lesson."""
    return word == f"{len(STEPS)}:{STEPS[-1].move}"


def hand(step: int, instead: Text | None = None) -> Screen:
    """Draw the panel of a step, with one green button.

    `instead`: words in place of what the step teaches, about a press on another button.
    """
    coach = STEPS[step - 1]
    told = Text("learn.step", (("step", step), ("of", len(STEPS)), ("told", coach.teaches)))
    frame = Frame(
        _left(step),
        Sentence(coach.asks),
        news=Sentence(told if instead is None else instead, Look.SMALL),
    )
    blocks = panel(view(lesson.dealt(step), YOU), frame)
    return Screen(tuple(_coached(block, step, frame) for block in blocks))


def _coached(block: Block, step: int, frame: Frame) -> Block:
    """Let a block of the panel belong to the lesson: its own words, and one green button."""
    match block:
        case Words(news=True):
            return frame.told()
        case Row(choices):
            return Row(tuple(_button(choice, step) for choice in choices))
        case _:
            return block


def _button(choice: Choice, step: int) -> Choice:
    is_asked = choice.word == str(STEPS[step - 1].move)
    style = Style.SUCCESS if is_asked else Style.SECONDARY
    return replace(choice, word=f"{step}:{choice.word}", style=style)


def _left(step: int) -> Line:
    """Draw what both have left, as a panel at a table does, without its alarms."""
    left = round_end.left(lesson.dealt(step))
    you = Text("panel.left_you", (("n", left[YOU] or 0),))
    other = Text("panel.left_other", (("n", left[ROBOT] or 0), ("name", _ROBOT_NAME)))
    said: Values = (("what", Text("ligretto.own_left")), ("you", you), ("other", other))
    return Sentence(Text("panel.left", said), Look.SMALL)


def end() -> Screen:
    """Draw the end of the round, how points count, and two ways on."""
    you, robot = lesson.points()
    lines = (
        Sentence(Text("learn.stop"), Look.TITLE),
        Sentence(Text("learn.points")),
        Sentence(Text("learn.points_you", (("plus", you.plus), ("total", you.net)))),
        Sentence(
            Text(
                "learn.points_robot",
                (
                    ("name", _ROBOT_NAME),
                    ("plus", robot.plus),
                    ("minus", robot.minus),
                    ("total", robot.net),
                ),
            )
        ),
        Sentence(Text("learn.real"), Look.SMALL),
    )
    ways = (
        Choice(Text("button.real_round"), REAL, style=Style.SUCCESS),
        Choice(Text("button.once_more"), BEGIN),
    )
    return Screen((Words(lines), Row(ways)))
