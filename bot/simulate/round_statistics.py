"""Statistics over many rounds: matchups of two levels, and averages among equals."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, median
from typing import TypeAlias

from bot.games import GAMES
from bot.games.contract import AnyGame
from bot.games.values import Options, Reason
from bot.simulate.rounds import Round, Setting, play, seed_of
from bot.tables.running.robots import LEVELS
from bot.tables.state.options import defaults


@dataclass(frozen=True, slots=True)
class Kind:
    """A game with the options that its name stands for, and the table sizes to measure."""

    name: str
    game: AnyGame
    options: Options
    sizes: tuple[int, ...]

    def play(self, levels: tuple[str, ...], seed: bytes, number: int) -> Round:
        """Play round `number` of a match between players of these levels, seat by seat."""
        skills = tuple(LEVELS[level] for level in levels)
        return play(Setting(self.game, self.options, skills), seed, number)


LIGRETTO, DICE = GAMES["ligretto"], GAMES["dice"]
KINDS = (
    Kind("Ligretto", LIGRETTO, defaults(LIGRETTO), (2, 4, 8, 12)),
    Kind("Ligretto, expert", LIGRETTO, defaults(LIGRETTO) | {"variant": "expert"}, (2, 4, 8, 12)),
    Kind("Ligretto Dice", DICE, defaults(DICE), (2, 3, 4)),
)

Watch: TypeAlias = Callable[[Iterable[int]], Iterable[int]]
"""Yields the numbers of rounds that it is given, as they are played."""
PAIRS = tuple((better, worse) for worse, better in combinations(LEVELS, 2))
"""All pairs of levels, the better one first."""


@dataclass(frozen=True, slots=True)
class Matchup:
    """The results of rounds between two players, from the view of one."""

    wins: int
    ties: int
    losses: int

    @property
    def rounds(self) -> int:
        return self.wins + self.ties + self.losses

    @property
    def won(self) -> float:
        """The share of rounds won. A tie is not a win."""
        return self.wins / self.rounds


def matchup(
    kind: Kind, level: str, other: str, seed: int, rounds: int, watch: Watch = iter
) -> Matchup:
    """Play the first level against the other, swapping seats every round."""
    key, outcomes = seed_of(seed, kind.name, level, other), Counter[int]()
    for number in watch(range(1, rounds + 1)):
        if number % 2:
            mine, theirs = kind.play((level, other), key, number).points
        else:
            theirs, mine = kind.play((other, level), key, number).points
        outcomes[(mine > theirs) - (mine < theirs)] += 1
    return Matchup(outcomes[1], outcomes[0], outcomes[-1])


@dataclass(frozen=True, slots=True)
class Averages:
    """Averages over rounds.

    `mean` and `median` are lengths in seconds, `dead` and `hung` shares of all rounds, `points` the
    mean of a player's points and `winner` the mean of the best player's.
    """

    mean: float
    median: float
    dead: float
    hung: float
    points: float
    winner: float


def averages(
    kind: Kind, level: str, players: int, seed: int, rounds: int, watch: Watch = iter
) -> Averages:
    """Play rounds between `players` players of one level and return their averages."""
    key, levels = seed_of(seed, kind.name, level, players), (level,) * players
    lengths, points, best, reasons = list[float](), list[int](), list[int](), Counter[Reason]()
    for number in watch(range(1, rounds + 1)):
        over = kind.play(levels, key, number)
        lengths.append(over.seconds)
        points.extend(over.points)
        best.append(max(over.points))
        reasons[over.ending.reason] += 1
    return Averages(
        mean=fmean(lengths),
        median=median(lengths),
        dead=reasons[Reason.DEAD] / rounds,
        hung=reasons[Reason.ABORT] / rounds,
        points=fmean(points),
        winner=fmean(best),
    )
