"""A whole third game, which no table knows of: the first to press three of five numbers wins.

It is what `bot/games/numbers/` would be. `installed` takes the steps of "Add a game".
"""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

import pytest

from bot import i18n
from bot.games import GAMES, by_key
from bot.games.chance import Chance
from bot.games.contract import Frame, Game, GameMove, GameState, GameView, Skill
from bot.games.values import (
    Dealt,
    Ending,
    LogMove,
    Option,
    Options,
    Played,
    Points,
    Reason,
    Refused,
    RulesPart,
    Seat,
)
from bot.screen import Block, Choice, Line, Row, Sentence, Words
from bot.text import Text

NUMBERS_THERE_ARE = 5
WANTED = 3


class MoveRefusal(StrEnum):
    TAKEN = "numbers.refused.taken"
    NOT_DEALT_IN = "numbers.refused.not_dealt_in"


@dataclass(frozen=True, slots=True)
class State(GameState):
    """`takers`: by number, the seat that has it. `playing`: by seat, whether it may take one."""

    dealt: tuple[bool, ...]
    playing: tuple[bool, ...]
    takers: tuple[Seat | None, ...] = (None,) * NUMBERS_THERE_ARE


@dataclass(frozen=True, slots=True)
class Take(GameMove):
    number: int

    def __str__(self) -> str:
        return f"take:{self.number}"


@dataclass(frozen=True, slots=True)
class View(GameView):
    """`open`: the numbers that nobody has. `plays`: whether this seat may take one."""

    open: tuple[int, ...]
    plays: bool


class Numbers(Game[State, Take, View]):
    key = "numbers"
    seats = range(2, 5)
    options = (Option("rounds", ("1", "3"), "3"),)
    no_fit = MoveRefusal.TAKEN

    def in_short(
        self, part: RulesPart, options: Options | None, dealt: Dealt | None
    ) -> tuple[Text, ...]:
        return (Text("numbers.rules.goal"),) if part is RulesPart.BASICS else ()

    def rounds(self, options: Options, seats: int) -> int:
        return int(options["rounds"])

    def deal(self, dealt: tuple[bool, ...], options: Options, chance: Chance) -> State:
        return State(dealt, dealt)

    def play(self, state: State, seat: Seat, move: Take, chance: Chance) -> Played[State] | Refused:
        if not state.playing[seat]:
            return Refused(MoveRefusal.NOT_DEALT_IN)
        if state.takers[move.number] is not None:
            return Refused(MoveRefusal.TAKEN)
        takers = (*state.takers[: move.number], seat, *state.takers[move.number + 1 :])
        said = Text("numbers.taken", (("number", move.number),))
        return Played(replace(state, takers=takers), said, ((("take", move.number), None),))

    def moves(self, state: State, seat: Seat) -> Iterator[Take]:
        return (Take(number) for number in self.view(state, seat).open if state.playing[seat])

    def leave(self, state: State, seat: Seat) -> State:
        return replace(state, playing=(*state.playing[:seat], False, *state.playing[seat + 1 :]))

    def ending(self, state: State) -> Ending | None:
        for seat in map(Seat, range(len(state.dealt))):
            if state.takers.count(seat) == WANTED:
                return Ending(Reason.STOP, seat)
        return None if None in state.takers else Ending(Reason.DEAD)

    def scores(self, state: State) -> tuple[Points, ...]:
        return tuple(Points(state.takers.count(Seat(i)), 0) for i in range(len(state.dealt)))

    def most_dealt(self, state: State) -> int:
        return WANTED

    def left(self, state: State) -> tuple[int | None, ...]:
        taken = (points.plus for points in self.scores(state))
        return tuple(WANTED - n if own else None for own, n in zip(state.dealt, taken, strict=True))

    def parse(self, text: str) -> Take:
        number = text.removeprefix("take:")
        if text == number or number not in map(str, range(NUMBERS_THERE_ARE)):
            raise ValueError(f"not a move of this game: {text!r}")
        return Take(int(number))

    def claim(self, move: Take) -> str:
        return f"number{move.number}"

    def lapsed(self, refused: Refused) -> bool:
        return refused.why is MoveRefusal.NOT_DEALT_IN

    def view(self, state: State, seat: Seat | None) -> View:
        numbers = tuple(i for i, taker in enumerate(state.takers) if taker is None)
        return View(numbers, plays=seat is not None and state.playing[seat])

    def centre(self, view: View) -> tuple[Line, ...]:
        return (Sentence(Text("numbers.open", (("n", len(view.open)),))),)

    def panel(self, view: View, frame: Frame) -> tuple[Block, ...]:
        lines = Words((frame.head, *self.centre(view)))
        if not view.plays or frame.covered:
            return (lines, frame.told())
        buttons = (Choice(Text(f"icon.number{n}"), str(Take(n))) for n in view.open)
        return (lines, frame.told(), Row(tuple(buttons)))

    def choose(self, view: View, skill: Skill, chance: Chance) -> Take | None:
        noticed = (number for number in view.open if chance.fraction() < skill.attention)
        number = next(noticed, None) if view.plays else None
        return None if number is None else Take(number)

    def log_deal(self, state: State) -> Mapping[str, object]:
        return {"seats": [[] if own else None for own in state.dealt]}

    def written(self, seen: State, seat: Seat, move: Take) -> LogMove | None:
        return ("take", move.number), None


NUMBERS = by_key(Numbers())["numbers"]

WORDS = {
    "game.numbers": "Numbers",
    "name.numbers": "numbers",
    "command.numbers": "Open a table for Numbers",
    "numbers.rules.goal": "**Goal:** Be the first to press three numbers.",
    "numbers.rules.leave": "**Leaving:** Your numbers stay taken.",
    "numbers.hint": "There is nothing to choose but the rounds.",
    "numbers.left": "Numbers still needed",
    "numbers.own_left": "Needed",
    "numbers.mine": "My numbers",
    "numbers.open": "Open numbers: {n}",
    "numbers.opening": "Any number comes first",
    "numbers.taken": "Pressed {number}",
    "numbers.stop": "{stop} {name} has three numbers!",
    "numbers.stop_you": "{stop} You have three numbers!",
    MoveRefusal.TAKEN.value: "That number is taken.",
    MoveRefusal.NOT_DEALT_IN.value: "You don't play in this round.",
    **{f"icon.number{n}": f"Number {n}" for n in range(NUMBERS_THERE_ARE)},
}


@contextmanager
def installed(folder: Path) -> Iterator[None]:
    """Put the game in the registry and its words in the catalogues, here copies in `folder`."""
    shutil.copytree(i18n.FOLDER, folder, dirs_exist_ok=True)
    messages = "".join(f'\nmsgid "{key}"\nmsgstr "{words}"\n' for key, words in WORDS.items())
    for catalogue in folder.glob("*.po"):
        catalogue.write_text(catalogue.read_text("utf-8") + messages, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES, NUMBERS.key, NUMBERS)
        patch.setattr(i18n, "FOLDER", folder)
        i18n.catalogues.cache_clear()
        yield
    i18n.catalogues.cache_clear()
