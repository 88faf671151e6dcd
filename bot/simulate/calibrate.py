"""`python -m bot calibrate`: how right ratings are, and which constants would be best."""

import argparse
import signal
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from bot.command_parser import CommandParser
from bot.games import GAMES
from bot.progress_reporting import Progress, Steps, parts, unwatched, written
from bot.records.ratings import TAU, beta
from bot.settings.home import program
from bot.simulate import exported
from bot.simulate.accuracy import BINS, COIN, Bin, Prediction, Server, bins, loss, predictions
from bot.simulate.best_predictions import best
from bot.simulate.markdown import head, line
from bot.simulate.people import EACH, SERVER, Played, server
from bot.simulate.round_statistics import KINDS

ROUNDS = {
    "ligretto": {2: 84_000, 3: 30_000, 4: 14_400, 12: 12_000},
    "dice": {2: 84_000, 3: 40_000, 4: 24_000},
}
"""Rounds by number of players: enough for ten bins of 4,000 pairs or more in each half."""
BETAS = (4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 14.0)
TAUS = (0.0, 0.05, 0.1, 0.3)
PROCESSES = 2
UNKNOWN = "unknown"
ANY = 0
"""The number of players that stands for tables of all sizes together."""
PLAYING, FITTING, JUDGING = 18, 2, 1
"""Roughly how long the parts of a calibration take, relative to each other."""
AS_OPENED = {kind.game.key: kind for kind in reversed(KINDS)}
"""Each game with the options that a table opens with."""


@dataclass(frozen=True, slots=True)
class Job:
    """A server to simulate. `half`: constants are fitted on half 0 and judged on half 1."""

    game: str
    players: int
    half: int
    number: int
    seed: int

    def played(self) -> Played:
        words = (self.seed, self.game, self.players, self.half, self.number)
        return server(AS_OPENED[self.game], self.players, "/".join(map(str, words)))


@dataclass(frozen=True, slots=True)
class Size:
    """Tables of one size: their servers in two halves."""

    game: str
    players: int
    fitted: tuple[Played, ...]
    judged: tuple[Played, ...]


def main(
    arguments: Sequence[str],
    progress: Progress = unwatched,
    say: Callable[[str], object] = written,
) -> int:
    """Run a calibration. Return the exit code: 0, or 2 for a folder that is no export.

    Markdown tables are printed line by line, as they are found.
    """
    given = _parser().parse_args(arguments)
    try:
        for one in _report(given, progress):
            say(one + "\n")
    except exported.ExportError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def _report(given: argparse.Namespace, progress: Progress) -> Iterator[str]:
    if given.export:
        return _exported(given.export, progress)
    return _simulated(given.seed, given.share, progress)


# -- simulated people ------------------------------------------------------------------------


def simulated(
    seed: int,
    share: float,
    each: Callable[[Callable[[Job], Played], Sequence[Job]], Iterable[Played]] = map,
    progress: Progress = unwatched,
) -> list[Size]:
    """Simulate every table size, in two halves of different people.

    `share`: the part of the rounds to simulate; `each`: a map that plays the jobs, in this process
    or in others. It takes CPU.
    """
    jobs = [job for game in ROUNDS for job in _jobs(game, seed, share)]
    found: defaultdict[tuple[str, int], tuple[list[Played], list[Played]]]
    found = defaultdict(lambda: ([], []))
    steps = Steps(len(jobs), progress)
    for job, played in zip(jobs, steps.of(each(Job.played, jobs)), strict=True):
        found[job.game, job.players][job.half].append(played)
    return [
        Size(game, players, tuple(fitted), tuple(judged))
        for (game, players), (fitted, judged) in found.items()
    ]


def _jobs(game: str, seed: int, share: float) -> Iterator[Job]:
    for players, rounds in ROUNDS[game].items():
        servers = max(1, round(share * rounds * players / (2 * SERVER * EACH)))
        for half in (0, 1):
            yield from (Job(game, players, half, number, seed) for number in range(servers))


def _simulated(seed: int, share: float, progress: Progress) -> Iterator[str]:
    playing, fitting, judging = parts(progress, PLAYING, FITTING, JUDGING)
    # Ctrl-C ends the processes as well, and without a traceback of each.
    on_interrupt = (signal.SIGINT, signal.SIG_DFL)
    with ProcessPoolExecutor(PROCESSES, initializer=signal.signal, initargs=on_interrupt) as pool:
        sizes = simulated(seed, share, pool.map, playing)
    yield from _fits({(one.game, one.players): _rounds(one.fitted) for one in sizes}, fitting)
    yield ""
    yield from _judged(
        {
            (one.game, one.players): (
                predictions(_rounds(one.judged), beta(one.game)),
                best(one.fitted, one.judged),
                sum(len(server.rounds) for server in (*one.fitted, *one.judged)),
            )
            for one in Steps(len(sizes), judging).of(sizes)
        }
    )


def _rounds(played: Sequence[Played]) -> list[Server]:
    return [one.rounds for one in played]


# -- an export -------------------------------------------------------------------------------


def _exported(folder: Path, progress: Progress) -> Iterator[str]:
    """Yield the report on exported rounds of people, whose true strength is unknown.

    The first half of each server's rounds is for fitting, the second for judging.
    """
    fitting, judging = parts(progress, FITTING, JUDGING)
    games = {game: of_game for game, of_game in exported.servers(folder).items() if game in GAMES}
    first = {game: [one[: len(one) // 2] for one in of_game] for game, of_game in games.items()}
    yield from _fits({(game, ANY): of_game for game, of_game in first.items()}, fitting)
    yield ""
    yield from _judged(
        {
            (game, ANY): (predictions(of_game, beta(game), skip=0.5), [], sum(map(len, of_game)))
            for game, of_game in Steps(len(games), judging).of(games.items())
        }
    )


# -- tables ----------------------------------------------------------------------------------


def _fits(sizes: Mapping[tuple[str, int], Sequence[Server]], progress: Progress) -> Iterator[str]:
    """Yield the log loss by beta, every table size counting the same, and by tau."""
    yield "Log loss on the first half, mean over table sizes:"
    yield ""
    games = list(dict.fromkeys(game for game, _ in sizes))
    steps = Steps(len(games) * (len(BETAS) + len(TAUS)), progress)
    yield from head(["game", *(f"beta {one:g}" for one in BETAS)])
    for game in games:
        yield line([game, *(_mean(sizes, game, one, TAU) for one in steps.of(BETAS))])
    yield ""
    yield from head(["game", *(f"tau {tau:g}" for tau in TAUS)])
    for game in games:
        yield line([game, *(_mean(sizes, game, beta(game), tau) for tau in steps.of(TAUS))])


def _mean(
    sizes: Mapping[tuple[str, int], Sequence[Server]],
    game: str,
    assumed: float,
    tau: float,
) -> str:
    """Return the cell of a log loss; no number if there is nothing to predict."""
    of_game = [servers for (name, _), servers in sizes.items() if name == game]
    found = [predictions(servers, assumed, tau) for servers in of_game]
    return f"{fmean(loss(one) for one in found if one):.4f}" if any(found) else UNKNOWN


def _judged(
    found: Mapping[tuple[str, int], tuple[list[Prediction], list[Prediction], int]],
) -> Iterator[str]:
    betas = ", ".join(f"{beta(game):g} for {game}" for game in GAMES)
    yield f"The second half, with beta {betas}, and tau {TAU}; a coin has {COIN:.3f}:"
    yield ""
    yield from head(["game", "players", "rounds", "pairs", "log loss", "best possible", "off by"])
    spread = {size: bins(predicted) for size, (predicted, _, _) in found.items()}
    for (game, players), (predicted, known, rounds) in found.items():
        if predicted:
            cells = (f"{rounds:,}", f"{len(predicted):,}", f"{loss(predicted):.3f}")
            possible = f"{loss(known):.3f}" if known else UNKNOWN
            off = max(abs(one.off) for one in spread[game, players])
            yield line([game, _size(players), *cells, possible, f"{100 * off:.1f} points"])
    yield ""
    yield "How sure predictions were, and how often they were right, in %:"
    yield ""
    yield from head(["game", "players", "pairs in a bin", *map(str, range(1, BINS + 1))])
    for (game, players), of_size in spread.items():
        if of_size:
            least = min(one.pairs for one in of_size)
            yield line([game, _size(players), f"{least:,}", *map(_cell, of_size)])


def _size(players: int) -> str:
    return "any" if players == ANY else str(players)


def _cell(one: Bin) -> str:
    return f"{100 * one.sure:.1f} / {100 * one.right:.1f}"


def _parser() -> argparse.ArgumentParser:
    parser = CommandParser(
        prog=f"{program()} calibrate",
        description="Let simulated people play many rounds, and print how accurate ratings "
        "are. The same seed prints the same tables.",
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="random seed (default: 1)")
    parser.add_argument(
        "--share", type=float, default=1.0, metavar="X", help="share of rounds (default: 1)"
    )
    parser.add_argument(
        "--export",
        type=Path,
        metavar="FOLDER",
        help="use the matches of an export instead of simulated ones",
    )
    return parser
