"""`python -m tests.bench`: ours beside other bots, in one table. Other parts can be chosen."""

import argparse
import logging
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import uvloop

from tests.bench.checkout import checkout
from tests.bench.compared import OTHERS, USUAL, Bot, at, available
from tests.bench.crowd import BenchError
from tests.bench.figures import Row, table
from tests.bench.run import COMPARED, FULL, PARTS, Size, measured
from tests.loopback.bots import ROOT

log = logging.getLogger("tests.bench")


def main() -> int:
    """Return the exit code: 1 when a part had to be thrown away. The rows before it are shown."""
    asked = _arguments()
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(message)s")
    log.setLevel(logging.INFO)
    others, left_out = available(asked.sides)
    rows: list[Row] = []
    failed, load = 0, os.getloadavg()[0]
    try:
        with _checked_out(asked.against) as earlier, TemporaryDirectory() as folder:
            size, parts = _size(asked), asked.parts or COMPARED

            async def measure() -> None:
                async for row in measured(Path(folder), size, parts, others, earlier):
                    log.info("%s: %s", row.what, row.ours)
                    rows.append(row)

            uvloop.run(measure())
    except BenchError as error:
        left_out.append(f"FAILED: {error}")
        failed = 1
    sys.stdout.write(f"{_about(others, load)}\n\n{table(rows)}\n\n")
    sys.stdout.write("".join(f"{line}\n" for line in left_out))
    return failed


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    told = f"{', '.join(PARTS)}; without any: {', '.join(COMPARED)}"
    parser.add_argument("parts", nargs="*", metavar="part", help=told)
    parser.add_argument("--rounds", type=int, default=FULL.effort.rounds, help="of each bot")
    parser.add_argument(
        "--sides",
        type=_sides,
        default=USUAL,
        metavar="A,B",
        help=f"bots beside ours, of {', '.join(OTHERS)}; none; unless given: {','.join(USUAL)}",
    )
    parser.add_argument(
        "--against", metavar="COMMIT", help="measure that commit's bot as well, in the same run"
    )
    parser.add_argument(
        "--presses", type=int, default=FULL.presses, help="until memory is compared"
    )
    asked = parser.parse_args()
    if unknown := set(asked.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    return asked


def _sides(given: str) -> tuple[str, ...]:
    names = () if given in {"", "none"} else tuple(given.split(","))
    if unknown := set(names) - OTHERS.keys():
        raise argparse.ArgumentTypeError(f"no such bot: {', '.join(sorted(unknown))}")
    return names


def _size(asked: argparse.Namespace) -> Size:
    return replace(
        FULL,
        presses=asked.presses,
        effort=replace(FULL.effort, rounds=asked.rounds),
        evening=replace(FULL.evening, rounds=asked.rounds),
    )


@contextmanager
def _checked_out(commit: str | None) -> Iterator[list[Bot]]:
    """Raises BenchError when there is no such commit."""
    if commit is None:
        yield []
        return
    with checkout(commit) as tree:
        yield [at(commit, tree)]


def _about(others: list[Bot], load: float) -> str:
    """Say when, of which commit, with which versions, and how busy the machine was."""
    python = f"Python {platform.python_version()}"
    told = (f"commit {_commit()}", python, *(one.version() for one in others))
    machine = (
        f"{os.cpu_count()} processors, load {load:.1f} at first, {os.getloadavg()[0]:.1f} at last"
    )
    return f"{datetime.now(UTC):%Y-%m-%d}, {', '.join(filter(None, told))}; {machine}."


def _commit() -> str:
    """This checkout's, with a plus sign where files differ from it."""
    short = _git("rev-parse", "--short", "HEAD")
    return short + "+" * bool(_git("status", "--porcelain", "--untracked-files=no"))


def _git(*arguments: str) -> str:
    command = ("git", "-C", str(ROOT), *arguments)
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
