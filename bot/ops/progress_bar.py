"""The progress of a command on stderr: a bar on a terminal, lines elsewhere."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from tqdm import tqdm  # type: ignore[import-untyped]

from bot.progress_reporting import written

LONGEST, SHORTEST = 10.0, 2.0
"""Seconds between two lines: at most, and at least where another tenth is done."""
BAR = "{desc}: {percentage:3.0f} %|{bar}| {remaining} left"
tqdm.monitor_interval = 0  # it would start a thread


class Shown(Protocol):
    """A `bot.progress_reporting.Progress` on the screen."""

    def __call__(self, done: float, total: float) -> None: ...

    def say(self, text: str) -> None:
        """Write a result to stdout at once. On a terminal the bar is redrawn below it."""


@contextmanager
def shown(what: str) -> Iterator[Shown]:
    """Show the progress of `what` until the block ends. The first call makes it appear."""
    if not sys.stderr.isatty():
        yield Lines(what, sys.stderr.write)
        return
    bar = Bar(what)
    try:
        yield bar
    finally:
        bar.close()


class Lines:
    """A line at the start, then one per tenth of the work or every ten seconds."""

    def __init__(
        self, what: str, write: Callable[[str], object], now: Callable[[], float] = time.monotonic
    ) -> None:
        self._what = what
        self._write = write
        self._now = now
        self._began: float | None = None
        self._last = 0.0
        self._tenths = 0

    def __call__(self, done: float, total: float) -> None:
        now, share = self._now(), done / total if total else 1.0
        if self._began is None:
            self._began = self._last = now
            self._write(f"{self._what}: {share:.0%}\n")
        elif share < 1 and self._is_due(now - self._last, int(10 * share)):
            left = (now - self._began) * (1 - share) / share if share else None
            told = f", {tqdm.format_interval(left)} left" if left is not None else ""
            self._last, self._tenths = now, int(10 * share)
            self._write(f"{self._what}: {share:.0%}{told}\n")

    def _is_due(self, since: float, tenths: int) -> bool:
        return since >= (SHORTEST if tenths > self._tenths else LONGEST)

    def say(self, text: str) -> None:
        written(text)


class Bar:
    """A bar with the share done and the time left. Closing removes it."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._bar: tqdm | None = None

    def __call__(self, done: float, total: float) -> None:
        if self._bar is None:
            self._bar = tqdm(
                *(None, self._what, total),
                file=sys.stderr,
                bar_format=BAR,
                leave=False,
                dynamic_ncols=True,
                miniters=0,
            )
        self._bar.update(done - self._bar.n)

    def say(self, text: str) -> None:
        if self._bar is not None:
            self._bar.clear()
        written(text)
        if self._bar is not None:
            self._bar.refresh()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
