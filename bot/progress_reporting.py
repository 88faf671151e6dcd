"""Reports of progress: made by long work, and shown by its caller (`bot.ops.progress_bar`)."""

import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from typing import TypeAlias, TypeVar

Progress: TypeAlias = Callable[[float, float], object]
"""Called often with the amount done and the total, which stays the same. Thread-safe."""
Thing = TypeVar("Thing")


def unwatched(done: float, total: float) -> None:
    """Ignore the progress."""


def written(text: str) -> None:
    """Write a result to stdout at once, where no progress bar is in the way."""
    sys.stdout.write(text)
    sys.stdout.flush()


def parts(progress: Progress, *weights: float) -> tuple[Progress, ...]:
    """Split a progress into one for each part of the work, in the order they are done.

    `weights`: roughly how long each part takes, relative to the others.
    """
    total = sum(weights)

    def part(before: float, weight: float) -> Progress:
        return lambda done, of: progress(before + weight * (done / of if of else 1), total)

    return tuple(map(part, accumulate(weights, initial=0), weights))


class Steps:
    """Count `total` steps of about the same length."""

    def __init__(self, total: int, progress: Progress) -> None:
        self._done = 0
        self._total = total
        self._progress = progress
        progress(0, total)

    def of(self, things: Iterable[Thing]) -> Iterator[Thing]:
        """Yield the things. Each is a step, which is done when the next one is requested."""
        for thing in things:
            yield thing
            self._done += 1
            self._progress(self._done, self._total)
