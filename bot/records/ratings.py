"""Ratings: estimates of players' strength, from nothing but rated rounds.

The model is openskill's Bradley-Terry over every pair at a table. `mu` is the estimate and `sigma`
its uncertainty. The same rounds in the same order give the same numbers. docs/ratings.md says how
the constants were found, and how accurate the predictions are.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, log, sqrt
from typing import Any

from openskill.models import BradleyTerryFull

from bot.games import GAMES
from bot.text import MINUS

MU = 25.0
SIGMA = MU / 3
TAU = 0.05
"""The standard deviation of the change in a player's skill from one round to the next."""

BASE = 1000
ELO = 400 / log(10)
"""The scale of chess: 200 points more win three rounds of four, once both ratings are sure."""
SPREAD = 2
"""The margin in standard deviations: the true rating is within it 19 times of 20."""
MOST = 12
"""The most people at a table."""
SURE = 50
"""The largest margin, in points, that is neither shown nor used for places."""


@dataclass(frozen=True, slots=True)
class Skill:
    mu: float = MU
    sigma: float = SIGMA


@dataclass(frozen=True, slots=True)
class Shown:
    """A rating as people see it: the true one is likely within `margin` of `points`."""

    points: int
    margin: int

    @property
    def is_sure(self) -> bool:
        return self.margin <= SURE

    def __str__(self) -> str:
        """Return `1140 ± 90`, in every language, or `1140` if it is sure. It never wraps."""
        points = str(self.points).replace("-", MINUS)
        if self.is_sure:
            return points
        return f"{points} ± {self.margin}".replace(" ", "\N{NO-BREAK SPACE}")


NEWCOMER = Skill()


def beta(game: str) -> float:
    """Return the amount of chance in a round of this game, beside SIGMA.

    It has the least log loss in simulated rounds at tables of 2, 3, 4 and 12, by `python -m bot
    calibrate`.
    """
    return GAMES[game].luck


def shown(skill: Skill, game: str) -> Shown:
    """Convert a skill to the rating shown. A newcomer has 1000, with the largest margin."""
    scale = ELO / (sqrt(2) * beta(game))
    return Shown(round(BASE + scale * (skill.mu - MU)), round(SPREAD * scale * skill.sigma))


def chance(first: Skill, second: Skill, beta: float) -> float:
    """Return the probability that the first scores more in a round, given that they don't tie."""
    spread = sqrt(2 * beta**2 + first.sigma**2 + second.sigma**2)
    return 1 / (1 + exp((second.mu - first.mu) / spread))


def _whole(*_: Any) -> float:  # noqa: ANN401 what openskill tells is not needed
    """Let sigma fall at full speed: openskill's slower default makes predictions too sure."""
    return 1.0


@cache
def _model(beta: float, tau: float) -> BradleyTerryFull:
    return BradleyTerryFull(mu=MU, sigma=SIGMA, beta=beta, tau=tau, gamma=_whole)


class Rater:
    """A rater of rounds, one after the other. Not thread-safe."""

    def __init__(self, beta: float, tau: float = TAU) -> None:
        self._model = _model(beta, tau)
        self._seats = [[self._model.rating()] for _ in range(MOST)]  # creating one is slow

    def rate(
        self, before: Sequence[Skill], ranks: Sequence[int], idle: Collection[int] = ()
    ) -> tuple[Skill, ...]:
        """Return the skills after a round with these ranks, shared if equal. Needs two players.

        `idle` holds the indexes of players without a press. Their `mu` can fall but not rise, and
        their `sigma` stays.
        """
        teams = self._seats[: len(before)]
        for (seat,), skill in zip(teams, before, strict=True):
            seat.mu, seat.sigma = skill.mu, skill.sigma
        found = self._model.rate(teams, ranks=[float(rank) for rank in ranks])
        after = [Skill(one.mu, one.sigma) for (one,) in found]
        for index in idle:
            old = before[index]
            after[index] = Skill(min(old.mu, after[index].mu), old.sigma)
        return tuple(after)


def rate(
    before: Sequence[Skill], ranks: Sequence[int], game: str, idle: Collection[int] = ()
) -> tuple[Skill, ...]:
    """Rate one round, as `Rater.rate` does."""
    return Rater(beta(game)).rate(before, ranks, idle)


@dataclass(frozen=True, slots=True)
class Finish:
    """The result of a rated round: `ranks` from 1, shared if equal, in the order of `players`.

    `idle` holds indexes of `players`.
    """

    players: tuple[int, ...]
    ranks: tuple[int, ...]
    idle: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A match and its rated rounds, in order."""

    match: int
    rounds: tuple[Finish, ...]


@dataclass(frozen=True, slots=True)
class Rated:
    """A player's rating after a match."""

    match: int
    player: int
    skill: Skill


def rate_all(game: str, before: Mapping[int, Skill], matches: Iterable[RatedMatch]) -> list[Rated]:
    """Rate matches in the order given and return each player's rating after each of theirs.

    A player not in `before` is a newcomer.
    """
    skills, rater, rated = dict(before), Rater(beta(game)), list[Rated]()
    for one in matches:
        for finish in one.rounds:
            now = [skills.get(player, NEWCOMER) for player in finish.players]
            after = rater.rate(now, finish.ranks, finish.idle)
            skills.update(zip(finish.players, after, strict=True))
        there = dict.fromkeys(player for finish in one.rounds for player in finish.players)
        rated += [Rated(one.match, player, skills[player]) for player in there]
    return rated
