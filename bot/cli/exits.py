"""Exit codes, and the line that says why."""

import sys

CLEAN = 0
BAD_SETTINGS = 2
"""Somebody has to mend something. argparse uses the same code for a mistyped command."""
TRY_LATER = 75
"""EX_TEMPFAIL: a service manager may start the bot again."""
INTERRUPTED = 130
"""The shell's code for Ctrl-C."""
UNREAD = 141
"""The shell's code for SIGPIPE: as in `| head`, nobody reads the output any more."""


def refused(problem: str, code: int = BAD_SETTINGS) -> int:
    """Write to stderr why a command ends. Return its exit code."""
    sys.stderr.write(problem + "\n")
    return code
