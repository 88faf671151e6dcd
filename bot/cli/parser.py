"""What can be typed after `python -m bot`."""

import argparse
from collections.abc import Sequence
from difflib import get_close_matches
from importlib.metadata import version
from pathlib import Path

PROGRAM = "python -m bot"
ABOUT = (
    "Ligretto nights in a Discord channel. Without a command the bot runs until SIGTERM or Ctrl-C."
)
MORE = (
    f"{PROGRAM} COMMAND --help tells more about a command, docs/commands.md about all of them. "
    "Settings come from the environment and .env: see .env.example."
)
OWN = {
    "bench": "measure how quick queries are, on a database made for it",
    "simulate": "let computer players play, and print how they fare",
    "calibrate": "print how right the predictions of ratings are",
    "demo": "play in a browser page, without Discord",
}
"""Commands that parse what follows them by themselves."""
COMMANDS = {
    "check": "say whether all is there that the bot needs",
    "remove-commands": "remove commands that an earlier bot has left in servers",
    "backup": "copy the database into one verified file, also while the bot runs",
    "restore": "put a backup in the database's place",
    "export": "write all results as JSON Lines and CSV",
    "ratings": "work every rating out anew from the stored matches",
    **OWN,
}
"""In the order of the help, with a line each."""


def read(words: Sequence[str]) -> argparse.Namespace:
    """Return the `command`, None to run the bot, and its arguments by their names.

    Ends the process as argparse does: with code 0 after help, with 2 and a line for what can't be
    read.
    """
    parser, first = _parser(), words[0] if words else "-"
    if not first.startswith("-") and first not in COMMANDS:
        near = get_close_matches(first, COMMANDS, 1)
        meant = f"did you mean {near[0]}?" if near else f"{PROGRAM} --help lists them"
        parser.error(f"there is no command {first}: {meant}")
    return parser.parse_args(words)


def _parser() -> argparse.ArgumentParser:
    usage = f"{PROGRAM} [-h] [--version] [COMMAND ...]"
    parser = argparse.ArgumentParser(PROGRAM, usage, ABOUT, MORE)
    told = f"ligretto-bot {version('ligretto-bot')}"
    parser.add_argument("--version", action="version", version=told)
    added = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND", prog=PROGRAM)
    commands = {
        name: added.add_parser(name, help=line, description=f"{line[0].upper()}{line[1:]}.")
        for name, line in COMMANDS.items()
    }
    commands["check"].add_argument(
        "--live",
        type=_channel,
        metavar="CHANNEL_ID",
        help="try instead what Discord takes in this channel, while the bot doesn't run",
    )
    commands["backup"].add_argument("file", type=Path, metavar="FILE", help="a new file")
    commands["restore"].add_argument("file", type=Path, metavar="FILE", help="a backup")
    commands["export"].add_argument("folder", type=Path, metavar="DIR", help="a new folder")
    return parser


def _channel(word: str) -> int:
    if not word.isdecimal():
        raise argparse.ArgumentTypeError(f"the id of a channel is a number, not {word!r}")
    return int(word)
