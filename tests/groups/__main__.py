"""`python -m tests.groups`: a bot of four groups with 10,000 servers keeps its promises."""

import argparse
import logging
import os
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import uvloop

from tests import valkey
from tests.bench.figures import Row, table
from tests.groups.proof.run import FULL, SMALL, proved

log = logging.getLogger("tests.groups")


def main() -> int:
    """Return the exit code: 1 if anything was not as it has to be."""
    parser = argparse.ArgumentParser(prog="python -m tests.groups", description=__doc__)
    parser.add_argument("--small", action="store_true", help="as in the tests: few of everything")
    parser.add_argument("--rounds", type=int, help="of presses whose processor time is compared")
    asked = parser.parse_args()
    if valkey.program() is None:
        parser.error(valkey.MISSING)
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(message)s")
    logging.getLogger("tests").setLevel(logging.INFO)
    rows: list[Row] = []

    async def prove() -> None:
        with TemporaryDirectory() as folder:
            scale = SMALL if asked.small else FULL
            if asked.rounds is not None and scale.effort is not None:
                scale = replace(scale, effort=replace(scale.effort, rounds=asked.rounds))
            async for row in proved(Path(folder), scale):
                log.info("%s: %s", row.what, row.ours)
                rows.append(row)

    uvloop.run(prove())
    now, load = datetime.now(UTC), os.getloadavg()[0]
    sys.stdout.write(f"{now:%Y-%m-%d}, {os.cpu_count()} processors, load {load:.1f} at last\n\n")
    sys.stdout.write(f"{table(rows)}\n")
    return int(any(row.met is False for row in rows))


if __name__ == "__main__":
    sys.exit(main())
