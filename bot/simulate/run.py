"""`python -m bot simulate`: Markdown tables of how levels fare and how rounds go."""

import argparse
from collections.abc import Callable, Iterator, Sequence

from bot.command_parser import CommandParser
from bot.progress_reporting import Progress, Steps, unwatched, written
from bot.settings.home import program
from bot.simulate.markdown import head, line
from bot.simulate.round_statistics import KINDS, PAIRS, Kind, Watch, averages, matchup
from bot.tables.running.robots import LEVELS

EQUALS = "medium"
"""The level of everybody where table sizes are compared."""


def main(
    arguments: Sequence[str],
    progress: Progress = unwatched,
    say: Callable[[str], object] = written,
) -> int:
    """Print the tables, line by line as they are found. Return the exit code: 0."""
    given = _parser().parse_args(arguments)
    for one in _report(given.seed, given.rounds, progress):
        say(one + "\n")
    return 0


def _report(seed: int, rounds: int, progress: Progress) -> Iterator[str]:
    cells = sum(len(PAIRS) + len(kind.sizes) for kind in KINDS)
    watch = Steps(cells * rounds, progress).of
    yield f"Two players, {rounds} rounds each: the row's level has won / tied / lost, in %."
    for kind in KINDS:
        yield ""
        yield from _matchups(kind, seed, rounds, watch)
    yield ""
    yield f"Everyone {EQUALS}, {rounds} rounds each."
    yield ""
    yield from _averages(seed, rounds, watch)


def _matchups(kind: Kind, seed: int, rounds: int, watch: Watch) -> Iterator[str]:
    """Yield a table of matchups. Cells above the diagonal mirror those below, and stay empty."""
    weakest, *_, best = LEVELS
    columns = [level for level in LEVELS if level != best]
    yield from head([kind.name, *(f"against {level}" for level in columns)])
    for level in LEVELS:
        if level != weakest:
            cells = (
                _matchup(kind, level, other, seed, rounds, watch) if (level, other) in PAIRS else ""
                for other in columns
            )
            yield line([level, *cells])


def _matchup(kind: Kind, level: str, other: str, seed: int, rounds: int, watch: Watch) -> str:
    found = matchup(kind, level, other, seed, rounds, watch)
    counts = (found.wins, found.ties, found.losses)
    return " / ".join(f"{count / rounds:.1%}".rstrip("%") for count in counts)


def _averages(seed: int, rounds: int, watch: Watch) -> Iterator[str]:
    yield from head(
        [
            "game",
            "players",
            "mean length, s",
            "median, s",
            "dead, %",
            "hung, %",
            "points per player",
            "winner's points",
        ]
    )
    for kind in KINDS:
        for players in kind.sizes:
            found = averages(kind, EQUALS, players, seed, rounds, watch)
            lengths = (f"{found.mean:.0f}", f"{found.median:.0f}")
            shares = (f"{100 * share:.2f}" for share in (found.dead, found.hung))
            points = (f"{found.points:.1f}", f"{found.winner:.1f}")
            yield line([kind.name, str(players), *lengths, *shares, *points])


def _parser() -> argparse.ArgumentParser:
    parser = CommandParser(
        prog=f"{program()} simulate",
        description="Let robots play rounds on a simulated clock and print tables: "
        "the levels against each other, and statistics of rounds. The same seed prints the same "
        "tables.",
    )
    parser.add_argument(
        "--rounds", type=_rounds, default=2000, metavar="N", help="rounds per cell (default: 2000)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="random seed (default: 1)")
    return parser


def _rounds(word: str) -> int:
    if not word.isdecimal() or int(word) < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return int(word)
