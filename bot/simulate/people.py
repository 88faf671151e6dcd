"""Simulated people who play many rounds together: robots with random skills.

Nothing here uses ratings. A person's skill shows only in their points.
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
from bot.simulate.round_statistics import Kind
from bot.simulate.rounds import LULL
from bot.tables.running.robots import wait

SERVER = 40
"""People per server. Each server has its own."""
MATCH = 3
"""Rounds in a row with the same people."""
EACH = 100
"""Rounds per person, on average."""

PACE, PACES = 1.8, 0.3
"""The median seconds between two actions, and the standard deviation of their logarithm."""
ATTENTION = (0.5, 0.95)
FORM = (0.05, 0.3)
"""The range of `Person.form`."""
ORDERLY = 0.8
"""The share of people who take the most useful move that they see."""


@dataclass(frozen=True, slots=True)
class Person:
    """A simulated person.

    `form` is the standard deviation of the logarithm of their pace, from round to round.
    """

    skill: Skill
    form: float


@dataclass(frozen=True, slots=True)
class Played:
    """A server's people and their rounds. A finish names people by their indexes."""

    people: tuple[Person, ...]
    rounds: tuple[Finish, ...]


class Luck(Chance):
    """The games' Chance, drawn from a generator that is fast instead of verifiable."""

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
    """Simulate one server with `players` people at a table. Uses CPU.

    The same seed gives the same people and rounds.
    """
    random = Random(seed)  # noqa: S311 repeatable
    people = tuple(person(random) for _ in range(SERVER))
    found = _rounds(kind, people, players, random)
    return Played(people, tuple(islice(found, SERVER * EACH // players)))


def _rounds(kind: Kind, people: Sequence[Person], players: int, random: Random) -> Iterator[Finish]:
    """Yield rounds without end, MATCH at a time with the same people."""
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
    """Play a round and return its points, or None if the players agreed to stop after a LULL."""
    game, options = kind.game, kind.options
    due = [(wait(skill, luck), Seat(seat)) for seat, skill in enumerate(skills)]
    heapq.heapify(due)
    state = game.deal((True,) * len(skills), options, luck)
    taken, over = 0.0, game.ending(state)
    while over is None:
        at, seat = due[0]
        if at - taken > LULL:
            return None
        skill = skills[seat]
        heapq.heapreplace(due, (at + wait(skill, luck), seat))
        move = game.choose(game.view(state, seat), skill, luck)
        if move is None:
            continue
        outcome = game.play(state, seat, move, luck)
        if not isinstance(outcome, Refused):
            state = outcome.state
            over = game.ending(state)
            taken = taken if game.claim(move) is None else at
    return tuple(one.net for one in game.scores(state))
