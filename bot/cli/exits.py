"""Exit codes, and the line that tells why."""

import sys

CLEAN = 0
BAD_SETTINGS = 2
"""Somebody has to mend something. argparse has the same code for a line it can't read."""
TRY_LATER = 75
"""EX_TEMPFAIL: a service manager may start the bot again."""
INTERRUPTED = 130
"""Ctrl-C, as a shell has it."""


def refused(problem: str, code: int = BAD_SETTINGS) -> int:
    """Write to stderr why a command ends. Return its exit code."""
    sys.stderr.write(problem + "\n")
    return code
