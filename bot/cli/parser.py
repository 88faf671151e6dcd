"""The commands of `python -m bot`, their arguments and their help."""

import argparse
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from importlib.metadata import version
from pathlib import Path

from bot.command_parser import UNKNOWN, CommandParser
from bot.ids import ChannelId
from bot.settings.home import home, program

PROGRAM = program()
ABOUT = (
    "Play Ligretto in a Discord channel. Without a command, this runs the bot until SIGTERM or "
    "Ctrl-C."
)
OWN = {
    "bench": "time every query on a generated database",
    "simulate": "let robots play rounds and print statistics",
    "calibrate": "print how accurate the ratings' predictions are",
    "demo": "play in a browser page, without Discord",
}
"""Commands that parse their own arguments, with a line of help each."""
COMMANDS = {
    "setup": "set the bot up: asks for its token only",
    "check": "check that the bot has everything it needs",
    "remove-commands": "remove commands that an earlier bot left in servers",
    "backup": "copy the database to a verified file, even while the bot runs",
    "restore": "replace the database with a backup",
    "export": "write all results as JSON Lines and CSV",
    "split": "split a database by server into one for each group of shards",
    "merge": "merge the databases of several groups into one",
    "ratings": "recalculate every rating from the stored matches",
    "verify": "check match logs and report the first wrong line",
    **OWN,
}
"""All commands in the order of the help, with a line each."""


def read(words: Sequence[str]) -> argparse.Namespace:
    """Return `command`, which is None to run the bot, and its arguments by name.

    Raises SystemExit as argparse does: code 0 after help, 2 after a line about a mistake.
    """
    (parser, commands), first = _parsers(), words[0] if words else "-"
    if not first.startswith("-") and first not in COMMANDS:
        near = get_close_matches(first, COMMANDS, 1)
        meant = f"did you mean {near[0]}?" if near else f"{PROGRAM} --help lists them"
        parser.error(f"unknown command {first}: {meant}")
    given, unknown = parser.parse_known_args(words)
    if unknown:  # its own parser knows the options of a command
        commands.get(given.command, parser).error(f"{UNKNOWN}{' '.join(unknown)}")
    return given


def _parsers() -> tuple[CommandParser, Mapping[str | None, CommandParser]]:
    """Return the parser of the whole line, and that of each command."""
    usage = f"{PROGRAM} [-h] [--version] [--take-over] [COMMAND ...]"
    more = (
        f"See {PROGRAM} COMMAND --help for one command. Settings come from the environment and "
        f"from {home().settings}."
    )
    parser = CommandParser(PROGRAM, usage, ABOUT, more)
    told = f"ligretto-bot {version('ligretto-bot')}"
    parser.add_argument("--version", action="version", version=told)
    parser.add_argument(
        "--take-over",
        action="store_true",
        help="run a group of shards that was not stopped where it ran last",
    )
    added = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND", prog=PROGRAM)
    commands: dict[str | None, CommandParser] = {
        name: added.add_parser(name, help=line, description=f"{line[0].upper()}{line[1:]}.")
        for name, line in COMMANDS.items()
    }
    _add_setup(commands["setup"])
    commands["check"].add_argument(
        "--live",
        type=_channel,
        metavar="CHANNEL_ID",
        help="instead, test what Discord allows in this channel (stop the bot first)",
    )
    commands["backup"].add_argument("file", type=Path, metavar="FILE", help="the file to create")
    commands["restore"].add_argument(
        "file", type=Path, metavar="FILE", help="the backup to restore"
    )
    commands["export"].add_argument("folder", type=Path, metavar="DIR", help="the folder to create")
    _add_split(commands["split"])
    _add_merge(commands["merge"])
    commands["verify"].add_argument(
        "files", nargs="+", metavar="FILE", help="a log from /replay, or - for stdin"
    )
    return parser, commands


def _add_split(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="DB", help="the database, which stays as it is")
    parser.add_argument("--into", type=int, required=True, metavar="N", help="the number of groups")
    parser.add_argument(
        "--shard-count",
        type=int,
        metavar="S",
        help="the bot's shards, as many in each group (default: N)",
    )
    _add_again(parser)


def _add_merge(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="+", type=Path, metavar="DB", help="the databases, which stay as they are"
    )
    parser.add_argument(
        "--into", type=Path, required=True, metavar="NEW", help="the database to create"
    )
    _add_again(parser)


def _add_again(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--again",
        action="store_true",
        help="even if it was done before: the files of that time no longer count",
    )


def _add_setup(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--no-wait", dest="wait", action="store_false", help="don't wait for the first server"
    )
    parser.add_argument(
        "--system", action="store_true", help="make a service of this Linux machine (run as root)"
    )
    parser.add_argument(
        "--root",
        type=Path,
        default=Path("/"),
        metavar="DIR",
        help="with --system: the folder that holds the system's files (default: /)",
    )


def _channel(word: str) -> ChannelId:
    if not word.isdecimal():
        raise argparse.ArgumentTypeError(f"a channel id is a number, not {word!r}")
    return ChannelId(int(word))
