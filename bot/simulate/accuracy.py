"""The accuracy of ratings, as predictions of which of two players will score more in a round."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import log
from statistics import fmean
from typing import TypeAlias

from bot.records.ratings import NEWCOMER, TAU, Finish, Rater, Skill, chance

Prediction: TypeAlias = tuple[float, bool]
"""The probability that the first of two scores more, and True if they did."""
Server: TypeAlias = Sequence[Finish]
"""The rounds of one server's people, in order."""

COIN = log(2)
BINS = 10


def predictions(
    servers: Iterable[Server], beta: float, tau: float = TAU, skip: float = 0.0
) -> list[Prediction]:
    """Predict each pair at a table that did not tie. Everybody begins as a newcomer.

    The first rounds of a server, the share `skip` of them, are rated but not predicted.
    """
    return [one for server in servers for one in _of_server(server, beta, tau, skip)]


def _of_server(server: Server, beta: float, tau: float, skip: float) -> Iterator[Prediction]:
    skills, rater = dict[int, Skill](), Rater(beta, tau)
    for number, one in enumerate(server):
        before = [skills.get(player, NEWCOMER) for player in one.players]
        if number >= skip * len(server):
            for first, second in decided(one):
                yield (
                    chance(before[first], before[second], beta),
                    one.ranks[first] < one.ranks[second],
                )
        skills.update(zip(one.players, rater.rate(before, one.ranks, one.idle), strict=True))


def decided(one: Finish) -> Iterator[tuple[int, int]]:
    """Yield the pairs of players that did not tie, as indexes of `players`."""
    pairs = combinations(range(len(one.players)), 2)
    return ((a, b) for a, b in pairs if one.ranks[a] != one.ranks[b])


def loss(found: Iterable[Prediction]) -> float:
    """Return the log loss: 0.693 for coin tosses, and less for better predictions."""
    return -fmean(log(p if is_first else 1 - p) for p, is_first in found)


@dataclass(frozen=True, slots=True)
class Bin:
    """Predictions of similar probability: their mean probability, and the share that came true."""

    pairs: int
    sure: float
    right: float

    @property
    def off(self) -> float:
        return self.sure - self.right


def bins(found: Iterable[Prediction]) -> list[Bin]:
    """Sort predictions into equally filled bins, the least sure first.

    Each prediction is taken from the side of the player it favours.
    """
    favoured = sorted((max(p, 1 - p), (p >= 0.5) == is_first) for p, is_first in found)  # noqa: PLR2004 even
    edges = [len(favoured) * i // BINS for i in range(BINS + 1)]
    parts = [favoured[start:end] for start, end in pairwise(edges)]
    return [
        Bin(len(part), fmean(sure for sure, _ in part), fmean(right for _, right in part))
        for part in parts
        if part
    ]
