"""The pace of a moving picture: which steps are shown, and for how long each.

A round is shown whole if it has at most `MOST` frames and its picture isn't too large, else its
best ten seconds: those with the most duels and the stop.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.watch.rounds.values import Happening, Step

MOST = 200
"""Frames of a picture."""
LEAST_DELAY = 40
"""Ms of a frame at least: browsers show shorter ones for longer."""
TICK = 10
"""A GIF counts time in hundredths of a second."""
USUAL, LONGEST = 40_000, 60_000
"""Ms that all plays take at most, and all frames, unless they are too many for that."""
SHORT, LONG = 250, 1_000
"""Ms for which a frame is shown at least, to be seen, and at most, in a pause of the round."""
HELD = {Happening.DEAL: 1_200, Happening.DUEL: 1_500, Happening.LEFT: 800, Happening.END: 4_000}
"""Ms for which these are shown, whatever comes next."""
BEST = 10_000
"""Ms of the round in an excerpt."""
WORTH = {Happening.DUEL: 20, Happening.END: 30, Happening.LAID: 1}
"""What a step adds to the ten seconds that it is in."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A step, and how many ms it is shown."""

    step: Step
    delay: int


def whole(steps: Sequence[Step], most: int = MOST) -> tuple[Frame, ...] | None:
    """Return the frames of all steps; None if they are too many."""
    return _paced(steps) if len(steps) <= most else None


def best(steps: Sequence[Step], most: int = MOST) -> tuple[Frame, ...]:
    """Return the frames of the best ten seconds: at most `most`, duels and the end first."""
    return _paced(_thinned(_best(steps), most))


def _best(steps: Sequence[Step]) -> Sequence[Step]:
    """Return the ten seconds that are worth most, of equal ones the last."""
    start = worth = most = 0
    found = (0, len(steps))
    for end, step in enumerate(steps):
        worth += WORTH.get(step.kind, 0)
        while steps[start].at < step.at - BEST:
            worth -= WORTH.get(steps[start].kind, 0)
            start += 1
        if worth >= most:
            most, found = worth, (start, end + 1)
    return steps[found[0] : found[1]]


def _thinned(steps: Sequence[Step], most: int) -> Sequence[Step]:
    """Leave steps out at even distances until they are few enough.

    Those that are held go last. The first and the last step stay.
    """
    over = len(steps) - most
    if over <= 0:
        return steps
    inner = range(1, len(steps) - 1)
    usual = [i for i in inner if steps[i].kind not in HELD]
    held = [i for i in inner if steps[i].kind in HELD]
    out = {*_evenly(usual, over), *_evenly(held, over - len(usual))}
    return [step for i, step in enumerate(steps) if i not in out]


def _evenly(items: Sequence[int], count: int) -> list[int]:
    """Return so many of these, at even distances; all if there are no more."""
    count = min(max(0, count), len(items))
    return [items[i * len(items) // count] for i in range(count)]


def _paced(steps: Sequence[Step]) -> tuple[Frame, ...]:
    """Show each step until the next, within what an eye can follow."""
    gaps = _gaps(steps)
    faster = max(1.0, sum(min(gap, LONG) for _, gap in gaps) / USUAL)
    delays = [HELD.get(one.kind) or _clamped(gap / faster) for one, gap in gaps]
    if (total := sum(delays)) > LONGEST:
        delays = [_clamped(delay * LONGEST / total) for delay in delays[:-1]] + delays[-1:]
    return tuple(map(Frame, steps, delays))


def _gaps(steps: Sequence[Step]) -> list[tuple[Step, int]]:
    """Return each step with the ms until the next one; none after the last."""
    later = [*(one.at for one in steps[1:]), steps[-1].at]
    return [(one, at - one.at) for one, at in zip(steps, later, strict=True)]


def _clamped(ms: float) -> int:
    return round(min(max(SHORT, ms), LONG) / TICK) * TICK
