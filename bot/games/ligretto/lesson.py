"""The guided first hand: a fixed deal, the presses of a beginner, and a robot's moves between them.

Everything follows from the number of a step, so nothing is stored. Steps are counted from 1; the
one after the last is the end of the round.
"""

from dataclasses import dataclass
from functools import cache

from bot.games.chance import Chance
from bot.games.ligretto import round_end, rules
from bot.games.ligretto.model import Card, Colour, Move, Pile, SeatCards, State, parse
from bot.games.values import Played, Points, Refused, Seat
from bot.text import Icon, Text, Values

YOU, ROBOT = Seat(0), Seat(1)
_NO_CHANCE = Chance(bytes(32), 0, 0)
"""Nothing is shuffled in a lesson: no hand runs out."""


@dataclass(frozen=True, slots=True)
class Step:
    """One press.

    `teaches` and `asks` are what the coach says: what there is to know, and what to press. After
    the `move` the robot makes its own.
    """

    teaches: Text
    asks: Text
    move: Move
    robot: tuple[Move, ...] = ()


def _cards(text: str) -> Pile:
    return tuple(Card(Colour(name[0]), int(name[1:])) for name in text.split())


def _moves(text: str) -> tuple[Move, ...]:
    return tuple(parse(name) for name in text.split())


DEAL = State(
    (
        SeatCards(
            tuple((card,) for card in _cards("r1 g4 y7")),
            _cards("r2 b9 b4"),
            _cards("r9 g8 y6 g5 r7 b10"),
        ),
        SeatCards(
            tuple((card,) for card in _cards("r5 b7 g9")),
            _cards("y8 r3 b6 g7"),
            _cards("y3 y2 y1 r8 y10 g1 g2 y5 y4 b3 b2 b1"),
        ),
    )
)
"""Three cards in a row though two play: a beginner has less to look at."""


def _text(key: str, **cards: str) -> Text:
    values: Values = tuple((gap, Icon(card)) for gap, card in cards.items())
    return Text(key, values)


STEPS = (
    Step(
        _text("learn.opens", card="r1"),
        _text("learn.press", card="r1"),
        parse("r1"),
        _moves("flip:0 y1 y2 y3 flip:1 g1"),
    ),
    Step(
        _text("learn.gap_filled", card="r2"),
        _text("learn.press_onto", card="r2", onto="r1"),
        parse("r2"),
        _moves("flip:2 y4 y5 g2 flip:3 b1 b2"),
    ),
    Step(_text("learn.flip", flip="flip"), _text("learn.press_flip"), parse("flip:0")),
    Step(
        _text("learn.top", card="y6"),
        _text("learn.press_onto", card="y6", onto="y5"),
        parse("y6"),
        _moves("b3"),
    ),
    Step(_text("learn.last", card="b4"), _text("learn.press_last", card="b4"), parse("b4")),
)


@cache
def dealt(step: int) -> State:
    """Return the round before a step. Raises ValueError if the rules refuse a move on the way."""
    state = DEAL
    for done in STEPS[: step - 1]:
        state = _after(state, YOU, done.move)
        for move in done.robot:
            state = _after(state, ROBOT, move)
    return state


def _after(state: State, seat: Seat, move: Move) -> State:
    match rules.play(state, seat, move, _NO_CHANCE):
        case Played(after):
            return after
        case Refused() as refused:
            raise ValueError(f"{move}: {refused.why}")


def refusal(step: int, move: Move) -> Refused | None:
    """Return why the rules refuse a move in the round of this step; None if they allow it."""
    played = rules.play(dealt(step), YOU, move, _NO_CHANCE)
    return played if isinstance(played, Refused) else None


def points() -> tuple[Points, ...]:
    """Return the points at the end, by seat (C24, C25)."""
    return round_end.scores(dealt(len(STEPS) + 1))
