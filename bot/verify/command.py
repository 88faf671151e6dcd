"""`python -m bot verify FILE…`: checks logs, and says of each what it is or where it can't be."""

import sys
from collections.abc import Sequence
from pathlib import Path

from bot.verify import promise
from bot.verify.log.errors import LogError
from bot.verify.referee import Referee

FITS, MISFIT, UNREADABLE = 0, 1, 2
STDIN = "-"


def main(names: Sequence[str]) -> int:
    """Check files by name, `-` being stdin, and write a line for each.

    Returns 0 if all fit, 1 if a line of one doesn't, 2 if a file can't be read.
    """
    return max(map(_checked, names), default=FITS)


def _checked(name: str) -> int:
    try:
        log = sys.stdin.buffer.read() if name == STDIN else Path(name).read_bytes()
    except OSError as error:
        sys.stderr.write(f"{name}: can't be read: {error.strerror}\n")
        return UNREADABLE
    try:
        told, code = summary(Referee(log).check()), FITS
    except LogError as error:
        told, code = str(error), MISFIT
    sys.stdout.write(f"{name}: {told}\n")
    return code


def summary(referee: Referee) -> str:
    """Return what a log that fits is about, and what to compare it with."""
    start, seen = referee.start, referee.seen
    figures = (
        f"all {len(referee.lines)} lines fit, names aside: "
        f"{start['game']}, {start['players']} seats, {seen['deal']} deals, {seen['move']} moves, "
        f"{seen['reject']} refusals"
    )
    if "promise" not in start:
        return f"{figures}; no promise: whoever ran the bot could choose the seed"
    if "daily" in start:
        return (
            f"{figures}; daily of {start['public']}, secret of the date before {start['promise']}"
        )
    return f"{figures}; promise {promise.shown(start)}, message {start['public']}"
