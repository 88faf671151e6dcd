"""`python -m bot verify FILE…`: checks logs, and says of each what it is or where it can't be."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from bot.verify import promise
from bot.verify.log.errors import LogError
from bot.verify.referee import Referee

FITS, MISFIT, UNREADABLE = 0, 1, 2
UNREAD = 141
"""The shell's code for SIGPIPE: nobody reads the output any longer, as in `| head`."""
STDIN = "-"
SHOWN = 40
"""Hexadecimal digits of a digest that Fair deal? shows: 160 bits."""


def main(names: Sequence[str]) -> int:
    """Check files by name, `-` being stdin, and write a line for each.

    Returns 0 if all fit, 1 if a line of one doesn't, 2 if a file can't be read or a line not be
    written, 141 if nobody reads them.
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
    return max(code, _written(f"{name}: {told}\n"))


def _written(line: str) -> int:
    """Write a line, if there is a stdout. Return 0, or the code of what went wrong."""
    try:
        if sys.stdout is not None:
            sys.stdout.write(line)
            sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the rest goes nowhere
        if isinstance(error, BrokenPipeError):
            return UNREAD
        sys.stderr.write(f"stdout can't be written: {error.strerror}\n")
        return UNREADABLE
    return FITS


def summary(referee: Referee) -> str:
    """Return what a log that fits is about, and what to compare with what people saw."""
    start, match, seen = referee.start, referee.lines[-1], referee.seen
    counts = {"seats": start["players"]}
    counts |= {"deals": seen["deal"], "moves": seen["move"], "refusals": seen["reject"]}
    figures = ", ".join(f"{kind}: {count}" for kind, count in counts.items())
    told = [
        f"all {len(referee.lines)} lines fit (names are not checked): {start['game']}, {figures}"
    ]
    if "promise" not in start:
        return f"{told[0]}; no secret's fingerprint: whoever ran the bot could choose the seed"
    if "daily" in start:
        told += [f"daily of {start['public']}", f"secret of the previous date: {start['promise']}"]
        return "; ".join(told)
    told += [f"secret's fingerprint {promise.shown(start)}", f"message {start['public']}"]
    if "lobby" in start:
        told.append(
            "that is the lobby's message; a modified bot could know its number"
            " before it showed the secret's fingerprint"
        )
    if (postings := start.get("postings", 1)) > 1:
        told.append(f"{postings} messages posted before the first deal; only that one counts")
    return "; ".join([*told, f"log's fingerprint {match['digest'][:SHOWN]}"])
