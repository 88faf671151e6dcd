"""Tests keep their files in memory where the machine offers that: no disk is waited for.

SQLite's files are real ones there too, and a killed process leaves what it has written. What a
power cut leaves is simulated (`tests/simulate/power.py`). To keep them elsewhere, set `TMPDIR`.
"""

import os
import shutil
import tempfile

MEMORY = "/dev/shm"  # noqa: S108 each run has a folder of its own there
NAME = "TMPDIR"
LEAST = 4 * 2**30
"""Bytes that have to be free. A run needs a fraction of them."""


def keep_in_memory() -> None:
    """From now on temporary files of this process, and of those it starts, are in memory."""
    if NAME not in os.environ and _is_fit():
        os.environ[NAME] = MEMORY
        tempfile.tempdir = None


def _is_fit() -> bool:
    """Whether there is enough of it, and programs may be started there, as some tests do."""
    if not hasattr(os, "statvfs") or not os.access(MEMORY, os.W_OK | os.X_OK):
        return False
    may_start = not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC
    return may_start and shutil.disk_usage(MEMORY).free >= LEAST
