"""The options of `python -m bot demo`."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.command_parser import CommandParser
from bot.games.ligretto import LIGRETTO
from bot.i18n import languages
from bot.settings.home import home, program

PORT = 8765
HIGHEST_PORT = 65_535


@dataclass(frozen=True, slots=True)
class Options:
    port: int
    keep: Path | None
    seats: int | None
    browser: bool
    language: str | None = None


def read(arguments: Sequence[str]) -> Options:
    """Parse the arguments. Bad ones end the process with a message, as argparse does."""
    given = _parser().parse_args(arguments)
    return Options(given.port, given.keep, given.seats, not given.no_browser, given.language)


def _parser() -> argparse.ArgumentParser:
    kept = home().data / "demo.sqlite3"
    parser = CommandParser(
        prog=f"{program()} demo",
        description="Play Ligretto in a browser: the real bot and a stand-in for Discord, both "
        "on this machine. No token, no account, no network.",
    )
    parser.add_argument(
        "--port",
        type=_port,
        default=PORT,
        help=f"the page's port (default: {PORT}; 0 picks a free one)",
    )
    parser.add_argument(
        "--keep",
        type=_file,
        nargs="?",
        const=kept,
        metavar="FILE",
        help=f"keep tables and results for the next run in FILE (default: {kept}); "
        "without this option, nothing is kept",
    )
    parser.add_argument(
        "--seats",
        type=_seats,
        metavar="N",
        help="open a table at once, for you and N-1 robots",
    )
    parser.add_argument(
        "--language",
        choices=sorted(languages()),
        help="language of the server and everyone on it (default: several)",
    )
    parser.add_argument(
        "--no-browser", action="store_true", help="print the addresses but open no browser"
    )
    return parser


def _port(word: str) -> int:
    return _among(word, range(HIGHEST_PORT + 1), "the port")


def _file(word: str) -> Path:
    if (path := Path(word)).is_dir():
        raise argparse.ArgumentTypeError(f"{path} is a folder, not a file")
    return path


def _seats(word: str) -> int:
    return _among(word, LIGRETTO.seats, "the number of seats")


def _among(word: str, possible: range, what: str) -> int:
    if not word.isdecimal() or int(word) not in possible:
        raise argparse.ArgumentTypeError(f"{what} must be from {possible[0]} to {possible[-1]}")
    return int(word)
