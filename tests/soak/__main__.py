"""`python -m tests.soak --seconds 600 --tables 200`: play, and print what it came to."""

import argparse
import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.soak.run import soak


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument(
        "--pace", type=float, default=6.0, help="seconds between a person's presses"
    )
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with TemporaryDirectory() as folder:
        figures = asyncio.run(
            soak(Path(folder), asked.seconds, asked.tables, asked.pace, asked.seed)
        )
    sys.stdout.write(figures.table() + "\n")
    return 1 if figures.surprises else 0


if __name__ == "__main__":
    sys.exit(main())
