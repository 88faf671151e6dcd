"""`python -m tests`: everything that has to be clean before a change is taken."""

import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

WORKERS = (os.cpu_count() or 1) + 6
"""Six more than processors: while tests wait for a process or a browser, others work."""
CHECKS = (
    ("pytest", "-n", str(WORKERS), "--dist", "load", "--maxschedchunk", "1"),
    ("mypy",),
    ("lint-imports",),
    ("ruff", "format", "--check", "."),
    ("ruff", "check", "."),
)


COLLECTED = ("--collect-only", "-qq", "-p", "no:xdist")
"""The tests are compiled so, while mypy works on another processor: in a new checkout each worker
would do it, for 7 s of processor time.
"""
NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"
"""Set, each worker would compile all tests and each process all of the bot anew."""


class Ended(NamedTuple):
    """How a check ended: its exit code, and all that it wrote."""

    command: str
    code: int
    output: str


def main(checks: tuple[tuple[str, ...], ...] = CHECKS) -> int:
    """Run all checks side by side. The exit code of the first that failed, 0 when none did."""
    with ThreadPoolExecutor(len(checks)) as pool:
        ended = [*pool.map(checked, checks)]
    told(ended)
    return next((one.code for one in ended if one.code), 0)


def checked(check: tuple[str, ...]) -> Ended:
    """Run one check. The tests are followed as they go; what others write is kept together."""
    tool, *arguments = check
    command = [str(Path(sys.executable).with_name(tool)), *arguments]
    output = None if tool == "pytest" else subprocess.PIPE
    env = {name: value for name, value in os.environ.items() if name != NO_BYTECODE}
    if tool == "pytest" and not is_compiled():
        quiet = [command[0], *COLLECTED]
        subprocess.run(quiet, env=env, stdout=subprocess.DEVNULL, check=False)  # noqa: S603 our own
    done = subprocess.run(  # noqa: S603 our own list
        command, env=env, stdout=output, stderr=output and subprocess.STDOUT, text=True, check=False
    )
    return Ended(" ".join(check), done.returncode, done.stdout or "")


def is_compiled() -> bool:
    """Tell whether tests of this checkout were collected before."""
    return any(Path(__file__).with_name("__pycache__").glob("test_suite.*-pytest-*"))


def told(ended: list[Ended]) -> None:
    """Write what each check but the tests has said, and at last which of them failed."""
    for one in ended:
        sys.stderr.write(f"--- {one.command}\n{one.output}")
    for one in ended:
        if one.code:
            sys.stderr.write(f"FAILED with {one.code}: {one.command}\n")


if __name__ == "__main__":
    argparse.ArgumentParser("python -m tests", description=__doc__).parse_args()
    sys.exit(main())
