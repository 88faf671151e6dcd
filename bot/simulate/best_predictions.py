"""The best possible predictions about simulated people, from their true skills.

They come from a logistic regression on the differences between two people, fitted with Newton's
method.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import exp, log
from random import Random
from typing import TypeAlias

from bot.simulate.accuracy import Prediction, decided
from bot.simulate.people import Person, Played

Features: TypeAlias = list[float]
Example: TypeAlias = tuple[Features, bool]

STEPS = 8
SAMPLE = 50_000
"""Pairs that suffice to fit a few weights."""
RIDGE = 1e-3


def best(fitted_on: Sequence[Played], judged_on: Iterable[Played]) -> list[Prediction]:
    """Predict the rounds of `judged_on`, with weights fitted on `fitted_on`."""
    examples = list(_examples(fitted_on))
    if len(examples) > SAMPLE:
        examples = Random(1).sample(examples, SAMPLE)  # noqa: S311 the same pairs each time
    weights = _fitted(examples)
    return [(_probability(weights, x), is_first) for x, is_first in _examples(judged_on)]


def _features(one: Person) -> Features:
    pace, attention = log(one.skill.pace), one.skill.attention
    squares = [pace * pace, attention * attention, pace * attention]
    return [pace, attention, *squares, float(one.skill.orderly), one.form]


def _examples(played: Iterable[Played]) -> Iterator[Example]:
    for server in played:
        known = [_features(one) for one in server.people]
        for finish in server.rounds:
            for first, second in decided(finish):
                a, b = known[finish.players[first]], known[finish.players[second]]
                is_first = finish.ranks[first] < finish.ranks[second]
                yield [x - y for x, y in zip(a, b, strict=True)], is_first


def _probability(weights: Sequence[float], x: Sequence[float]) -> float:
    return 1 / (1 + exp(-sum(w * v for w, v in zip(weights, x, strict=True))))


def _fitted(examples: Sequence[Example]) -> list[float]:
    size = len(examples[0][0])
    weights = [0.0] * size
    for _ in range(STEPS):
        slope = [-RIDGE * w for w in weights]
        curve = [[RIDGE * (i == j) for j in range(size)] for i in range(size)]
        for x, is_first in examples:
            p = _probability(weights, x)
            error, weight = is_first - p, p * (1 - p)
            for i in range(size):
                slope[i] += error * x[i]
                scaled, line = weight * x[i], curve[i]
                for j in range(size):
                    line[j] += scaled * x[j]
        step = _solved(curve, slope)
        weights = [w + s for w, s in zip(weights, step, strict=True)]
    return weights


def _solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Solve a linear system by Gauss-Jordan elimination. The matrix is positive definite."""
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    for i, pivot in enumerate(rows):
        for j, row in enumerate(rows):
            if j != i:
                factor = row[i] / pivot[i]
                rows[j] = [a - factor * b for a, b in zip(row, pivot, strict=True)]
    return [row[-1] / row[i] for i, row in enumerate(rows)]
