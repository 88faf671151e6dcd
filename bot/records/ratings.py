"""Ratings: what is known of a player's strength, from the places of rated matches alone.

Plackett-Luce as openskill has it, with its own defaults: several players, and ties. `mu` is the
estimate and `sigma` how unsure it is. The same matches in the same order give the same numbers.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from openskill.models import PlackettLuce

_MODEL = PlackettLuce()

BASE = 1000
SCALE = 40
CAUTION = 3


@dataclass(frozen=True, slots=True)
class Skill:
    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma

    @property
    def shown(self) -> int:
        """1000 + 40 * (mu - 3 sigma), rounded.

        A newcomer has 1000. The estimate is a cautious one: it is almost certainly not too high,
        so one lucky evening tops no board, and it rises as the bot gets to know somebody.
        """
        return round(BASE + SCALE * (self.mu - CAUTION * self.sigma))


NEWCOMER = Skill()


def rate(before: Sequence[Skill], ranks: Sequence[int]) -> tuple[Skill, ...]:
    """The players after a match that ended with these ranks, equal ones shared. At least two."""
    teams = [[_MODEL.rating(mu=one.mu, sigma=one.sigma)] for one in before]
    after = _MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
    return tuple(Skill(one.mu, one.sigma) for (one,) in after)


@dataclass(frozen=True, slots=True)
class Finish:
    """Where a player finished in a match: `rank` is among its humans, ties sharing one."""

    match: int
    seat: int
    player: int
    rank: int


@dataclass(frozen=True, slots=True)
class Rated:
    """A player's rating after a match."""

    finish: Finish
    skill: Skill


def rate_all(before: Mapping[int, Skill], finishes: Iterable[Finish]) -> list[Rated]:
    """Matches one after the other, in the order given; a player not in `before` is a newcomer."""
    skills = dict(before)
    rated: list[Rated] = []
    for _, group in groupby(finishes, key=lambda finish: finish.match):
        match = list(group)
        now = [skills.get(one.player, NEWCOMER) for one in match]
        for one, skill in zip(match, rate(now, [one.rank for one in match]), strict=True):
            skills[one.player] = skill
            rated.append(Rated(one, skill))
    return rated
