"""`python -m tests`: everything that has to be clean before a change is taken."""

import os
import subprocess
import sys
from pathlib import Path

WORKERS = 2 * (os.cpu_count() or 1)
"""Tests that play wait more than they work: for answers, paces and pauses."""
CHECKS = (
    ("ruff", "format", "--check", "."),
    ("ruff", "check", "."),
    ("mypy",),
    ("lint-imports",),
    ("pytest", "-n", str(WORKERS), "--dist", "worksteal"),
)


def main() -> int:
    """Stops at the first check that fails, with its exit code."""
    for tool, *arguments in CHECKS:
        command = [str(Path(sys.executable).with_name(tool)), *arguments]
        sys.stderr.write(f"--- {tool} {' '.join(arguments)}\n")
        if code := subprocess.run(command, check=False).returncode:  # noqa: S603 our own list
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
