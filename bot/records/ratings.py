"""Ratings: what is known of a player's strength, from the rated rounds alone.

Bradley-Terry, every pair at a table, as openskill has it. `mu` is the estimate and `sigma` how
unsure it is. The same rounds in the same order give the same numbers. docs/ratings.md says how
the constants were found, and how right the predictions are.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, log, sqrt
from typing import Any

from openskill.models import BradleyTerryFull

from bot.games import GAMES

MU = 25.0
SIGMA = MU / 3
TAU = 0.05
"""How much a player may change from one round to the next."""

BASE = 1000
ELO = 400 / log(10)
"""As in chess: 200 points more win three rounds of four, once both are sure."""
SPREAD = 2
"""Standard deviations of a margin: the true rating is within it 19 times of 20."""
MOST = 12
"""People at a table."""
SURE = 50
"""A margin of so many points or fewer is not shown, and counts for no place."""


@dataclass(frozen=True, slots=True)
class Skill:
    mu: float = MU
    sigma: float = SIGMA


@dataclass(frozen=True, slots=True)
class Shown:
    """A rating as people see it. `margin`: how far from `points` the true one may be."""

    points: int
    margin: int

    @property
    def is_sure(self) -> bool:
        return self.margin <= SURE

    def __str__(self) -> str:
        """`1140 ± 90`, in every language, or `1140` when that is sure."""
        return f"{self.points}" if self.is_sure else f"{self.points} ± {self.margin}"


NEWCOMER = Skill()


def beta(game: str) -> float:
    """Return how much chance there is in a round of this game, beside SIGMA. The least log loss of
    simulated rounds at tables of 2, 3, 4 and 12, by `python -m bot calibrate`.
    """
    return GAMES[game].luck


def shown(skill: Skill, game: str) -> Shown:
    """A newcomer has 1000, with the largest margin."""
    scale = ELO / (sqrt(2) * beta(game))
    return Shown(round(BASE + scale * (skill.mu - MU)), round(SPREAD * scale * skill.sigma))


def chance(first: Skill, second: Skill, beta: float) -> float:
    """The probability that the first makes more points in a round, if they are not equal."""
    spread = sqrt(2 * beta**2 + first.sigma**2 + second.sigma**2)
    return 1 / (1 + exp((second.mu - first.mu) / spread))


def _whole(*_: Any) -> float:  # noqa: ANN401 what openskill tells is not needed
    """openskill slows the fall of sigma down by default, which makes predictions too sure."""
    return 1.0


@cache
def _model(beta: float, tau: float) -> BradleyTerryFull:
    return BradleyTerryFull(mu=MU, sigma=SIGMA, beta=beta, tau=tau, gamma=_whole)


class Rater:
    """Rates rounds, one after the other. Not to be shared by threads."""

    def __init__(self, beta: float, tau: float = TAU) -> None:
        self._model = _model(beta, tau)
        self._seats = [[self._model.rating()] for _ in range(MOST)]  # to make one takes long

    def rate(
        self, before: Sequence[Skill], ranks: Sequence[int], idle: Collection[int] = ()
    ) -> tuple[Skill, ...]:
        """The players after a round that ended with these ranks, equal ones shared. At least two.

        `idle`: indexes of those who pressed nothing. They can fall, and gain nothing.
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
    """`Rater.rate` for one round."""
    return Rater(beta(game)).rate(before, ranks, idle)


@dataclass(frozen=True, slots=True)
class Finish:
    """Where the rated players of a round finished: `ranks` from 1, equal ones shared. `idle`:
    indexes of `players`.
    """

    players: tuple[int, ...]
    ranks: tuple[int, ...]
    idle: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A match and its rated rounds, in their order."""

    match: int
    rounds: tuple[Finish, ...]


@dataclass(frozen=True, slots=True)
class Rated:
    """A player's rating after a match."""

    match: int
    player: int
    skill: Skill


def rate_all(game: str, before: Mapping[int, Skill], matches: Iterable[RatedMatch]) -> list[Rated]:
    """Matches one after the other, in the order given; a player not in `before` is a newcomer."""
    skills, rater, rated = dict(before), Rater(beta(game)), list[Rated]()
    for one in matches:
        for finish in one.rounds:
            now = [skills.get(player, NEWCOMER) for player in finish.players]
            after = rater.rate(now, finish.ranks, finish.idle)
            skills.update(zip(finish.players, after, strict=True))
        there = dict.fromkeys(player for finish in one.rounds for player in finish.players)
        rated += [Rated(one.match, player, skills[player]) for player in there]
    return rated
