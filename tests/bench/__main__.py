"""`python -m tests.bench`: every figure, and one table. Rows can be chosen: `presses many`."""

import argparse
import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import uvloop

from tests.bench.checkout import checkout
from tests.bench.crowd import BenchError
from tests.bench.figures import BARE, table
from tests.bench.run import FULL, PARTS, measured

ROUNDS_AGAINST = 10


def main() -> int:
    """Return the exit code: 1 when a run had to be thrown away."""
    asked = _arguments()
    try:
        sys.stdout.write(_measured(asked) + "\n")
    except BenchError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=", ".join(PARTS))
    parser.add_argument(
        "--presses", type=int, default=FULL.presses, help="until memory is compared"
    )
    parser.add_argument(
        "--rounds", type=int, help="of each bot; 5, or 10 against a commit, unless given"
    )
    parser.add_argument(
        "--against", metavar="COMMIT", help="press that commit's bot instead of the bare one"
    )
    asked = parser.parse_args()
    if asked.against is not None and asked.parts != ["presses"]:
        parser.error("--against: only presses can be compared with another commit")
    return asked


def _measured(asked: argparse.Namespace) -> str:
    """The table of what was asked for. Raises BenchError."""
    commit: str | None = asked.against
    rounds = asked.rounds or (FULL.effort.rounds if commit is None else ROUNDS_AGAINST)
    size = replace(FULL, presses=asked.presses, effort=replace(FULL.effort, rounds=rounds))
    other = nullcontext() if commit is None else checkout(commit)
    with TemporaryDirectory() as folder, other as against:
        rows = uvloop.run(measured(Path(folder), size, asked.parts or PARTS, against))
    return table(rows, BARE if commit is None else commit)


if __name__ == "__main__":
    sys.exit(main())
