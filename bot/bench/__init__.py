"""`python -m bot bench`: time the records' queries on a million seats."""

import argparse
import sqlite3
import sys
import tempfile
from pathlib import Path

from bot.bench.data import Size
from bot.bench.run import run
from bot.command_parser import CommandParser
from bot.settings.home import program
from bot.store.database.errors import DatabaseError, passes, told

ABOUT = "Build a database like one after years of play, and time every query. Nothing is kept."


def main(arguments: list[str]) -> int:
    """Build the data set in a temporary file, print the figures and return the exit code.

    The code is 1 if a figure is too slow, and 2 if the database or its folder cannot be used.
    """
    chosen = _parser().parse_args(arguments)
    size = Size(chosen.seats, chosen.servers, chosen.big)
    try:
        with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
            return run(Path(folder) / "bench.sqlite3", size, sys.stdout.write)
    except (DatabaseError, OSError, sqlite3.Error) as error:
        if isinstance(error, sqlite3.Error) and not passes(error):
            raise
        sys.stderr.write(f"{program()} bench: {told(error)}\n")
        return 2


def _parser() -> argparse.ArgumentParser:
    parser, usual = CommandParser(f"{program()} bench", description=ABOUT), Size()
    parser.add_argument(
        "--seats",
        type=_count,
        default=usual.seats,
        metavar="N",
        help=f"number of seats (default: {usual.seats:,})",
    )
    parser.add_argument(
        "--servers",
        type=_servers,
        default=usual.servers,
        metavar="N",
        help=f"number of servers (default: {usual.servers:,})",
    )
    parser.add_argument(
        "--big",
        type=_count,
        default=usual.big,
        metavar="N",
        help=f"seats of the biggest server (default: {usual.big:,})",
    )
    parser.add_argument(
        "--in", dest="folder", type=Path, metavar="FOLDER", help="folder for the temporary file"
    )
    return parser


def _count(word: str, least: int = 1) -> int:
    if not word.isdecimal() or int(word) < least:
        raise argparse.ArgumentTypeError(f"must be a number of at least {least}, not {word!r}")
    return int(word)


def _servers(word: str) -> int:
    return _count(word, 3)
