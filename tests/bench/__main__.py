"""`python -m tests.bench`: every figure, and one table. Rows can be chosen: `presses many`."""

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import uvloop

from tests.bench.figures import table
from tests.bench.run import FULL, PARTS, measured


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=", ".join(PARTS))
    parser.add_argument(
        "--presses", type=int, default=FULL.presses, help="until memory is compared"
    )
    asked = parser.parse_args()
    size = replace(FULL, presses=asked.presses)
    with TemporaryDirectory() as folder:
        rows = uvloop.run(measured(Path(folder), size, asked.parts or PARTS))
    sys.stdout.write(table(rows) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
