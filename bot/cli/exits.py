"""Exit codes, and the line that says why."""

import sys

CLEAN = 0
BAD_SETTINGS = 2
"""A setting or a file must be fixed. argparse uses the same code for a bad command line."""
TRY_LATER = 75
"""EX_TEMPFAIL: a service manager may start the bot again."""
INTERRUPTED = 130
"""The shell's code for Ctrl-C."""
UNREAD = 141
"""The shell's code for SIGPIPE: nobody reads the output any longer, as in `| head`."""


def refused(problem: str, code: int = BAD_SETTINGS) -> int:
    """Write to stderr why a command ends. Return its exit code."""
    sys.stderr.write(problem + "\n")
    return code
