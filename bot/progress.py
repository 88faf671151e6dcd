"""How far long work is: told by the one who does it, shown by the one who waits for it."""

import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from typing import TypeAlias, TypeVar

Progress: TypeAlias = Callable[[float, float], object]
"""Is told, often, how much is done of a total that stays the same. Any thread may call it."""
Thing = TypeVar("Thing")


def unwatched(done: float, total: float) -> None:
    """Show nothing."""


def written(text: str) -> None:
    """Write a result to stdout at once, where no progress is shown that would be in its way."""
    sys.stdout.write(text)
    sys.stdout.flush()


def parts(progress: Progress, *weights: float) -> tuple[Progress, ...]:
    """Return a progress for each part of some work, in the order in which they are done.

    `weights`: about how long each part takes, beside the others.
    """
    total = sum(weights)

    def part(before: float, weight: float) -> Progress:
        return lambda done, of: progress(before + weight * (done / of if of else 1), total)

    return tuple(map(part, accumulate(weights, initial=0), weights))


class Steps:
    """Counts steps that take about as long as each other, `total` of them."""

    def __init__(self, total: int, progress: Progress) -> None:
        self._done = 0
        self._total = total
        self._progress = progress
        progress(0, total)

    def of(self, things: Iterable[Thing]) -> Iterator[Thing]:
        """Yield the same things. Each is a step, done when the next one is asked for."""
        for thing in things:
            yield thing
            self._done += 1
            self._progress(self._done, self._total)
