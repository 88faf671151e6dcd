"""People who play many rounds with each other: the games' own players, drawn by chance.

Nothing here knows of ratings. What somebody is worth shows only in the points they make.
"""

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import exp
from random import Random

from bot.games.chance import Chance
from bot.games.contract import Skill
from bot.games.values import Refused, Seat
from bot.records.ratings import Finish
from bot.simulate.figures import Kind
from bot.simulate.rounds import LULL
from bot.tables.robots import SPREAD

SERVER = 40
"""People who meet each other, drawn anew for each server."""
MATCH = 3
"""Rounds in a row that the same people play."""
EACH = 100
"""Rounds that each of them plays, on average."""

PACE, PACES = 1.8, 0.3
"""Median seconds between two actions, and how widely its logarithm is spread."""
ATTENTION = (0.5, 0.95)
FORM = (0.05, 0.3)
"""By how much the logarithm of somebody's pace changes from round to round."""
ORDERLY = 0.8
"""The share of people who take the most useful of the moves that they see."""


@dataclass(frozen=True, slots=True)
class Person:
    """`form`: the standard deviation of the logarithm of their pace, from round to round."""

    skill: Skill
    form: float


@dataclass(frozen=True, slots=True)
class Played:
    """A server: its people, and their rounds. A finish names them by their indexes."""

    people: tuple[Person, ...]
    rounds: tuple[Finish, ...]


class Luck(Chance):
    """Chance as the games ask for it, from a generator that is quick instead of provable."""

    def __init__(self, random: Random) -> None:
        super().__init__(b"", 0, 0)
        self._random = random

    def below(self, bound: int) -> int:
        return int(self._random.random() * bound)

    def fraction(self) -> float:
        return self._random.random()


def person(random: Random) -> Person:
    skill = Skill(
        pace=PACE * exp(random.gauss(0, PACES)),
        attention=random.uniform(*ATTENTION),
        foresight=random.random(),
        orderly=random.random() < ORDERLY,
    )
    return Person(skill, random.uniform(*FORM))


def server(kind: Kind, players: int, seed: str) -> Played:
    """People who meet with so many at a table. The same seed gives the same ones. Takes CPU."""
    random = Random(seed)  # noqa: S311 to be repeated
    people = tuple(person(random) for _ in range(SERVER))
    found = _rounds(kind, people, players, random)
    return Played(people, tuple(islice(found, SERVER * EACH // players)))


def _rounds(kind: Kind, people: Sequence[Person], players: int, random: Random) -> Iterator[Finish]:
    """Without end."""
    while True:
        table = tuple(random.sample(range(len(people)), players))
        for _ in range(MATCH):
            skills = [_today(people[one], random) for one in table]
            points = _played(kind, skills, Luck(random))
            if points is not None:
                yield Finish(table, tuple(1 + sum(o > p for o in points) for p in points))


def _today(one: Person, random: Random) -> Skill:
    return replace(one.skill, pace=one.skill.pace * exp(random.gauss(0, one.form)))


def _played(kind: Kind, skills: Sequence[Skill], luck: Luck) -> tuple[int, ...] | None:
    """The points of one round; None where nobody got on, so that the players ended it."""
    game, options = kind.game, kind.options
    due = [(_wait(skill, luck), Seat(seat)) for seat, skill in enumerate(skills)]
    heapq.heapify(due)
    state = game.deal((True,) * len(skills), options, luck)
    taken, over = 0.0, game.ending(state)
    while over is None:
        at, seat = due[0]
        if at - taken > LULL:
            return None
        skill = skills[seat]
        heapq.heapreplace(due, (at + _wait(skill, luck), seat))
        move = game.choose(game.view(state, seat), skill, luck)
        if move is None:
            continue
        outcome = game.play(state, seat, move, luck)
        if not isinstance(outcome, Refused):
            state = outcome.state
            over = game.ending(state)
            taken = taken if game.claim(move) is None else at
    return tuple(one.net for one in game.scores(state))


def _wait(skill: Skill, luck: Luck) -> float:
    return skill.pace * (1 + SPREAD * (2 * luck.fraction() - 1))
