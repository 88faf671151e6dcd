"""`python -m bot bench`: time the records' queries on a million seats."""

import argparse
import asyncio
import sqlite3
import sys
import tempfile
from pathlib import Path

from bot.bench.data import Size
from bot.bench.run import run
from bot.store.damage import DatabaseError, passes, told


def main(arguments: list[str]) -> int:
    """Build the data set in a temporary file, print the figures and return the exit code.

    The code is 1 if a figure is too slow, and 2 if the database or its folder cannot be used.
    """
    parser = argparse.ArgumentParser(prog="python -m bot bench", description=__doc__)
    usual = Size()
    parser.add_argument("--seats", type=int, default=usual.seats)
    parser.add_argument("--servers", type=int, default=usual.servers)
    parser.add_argument("--big", type=int, default=usual.big, help="seats of the biggest server")
    parser.add_argument("--in", dest="folder", type=Path, help="where the temporary file goes")
    chosen = parser.parse_args(arguments)
    size = Size(chosen.seats, chosen.servers, chosen.big)
    try:
        with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
            return asyncio.run(run(Path(folder) / "bench.sqlite3", size, sys.stdout.write))
    except (DatabaseError, OSError, sqlite3.Error) as error:
        if isinstance(error, sqlite3.Error) and not passes(error):
            raise
        sys.stderr.write(f"python -m bot bench: {told(error)}\n")
        return 2
