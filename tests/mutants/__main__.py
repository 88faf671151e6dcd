"""`python -m tests.mutants`: make small faults at random; tell which ones no fast test notices."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from tests.mutants.campaign import Verdict, drawn, verdicts
from tests.mutants.faults import ROOT
from tests.mutants.reach import reach

CODE = ("bot/games", "bot/tables")
TESTS = (
    "tests/games",
    "tests/ui/test_flows.py",
    "tests/tables",
    "tests/records",
    "tests/loopback/test_matches.py",
    "tests/ui/test_options.py",
    "tests/ui/test_dice.py",
)
"""The longest first."""
COUNT = 200
WANTED = 95
"""Percent of the faults that have to be caught."""
LIBRARIES = ("PIL.Image", "aiosqlite", "babel.dates", "discord", "openskill", "pydantic_settings")


@dataclass(slots=True)
class Count:
    """Verdicts so far."""

    caught: int = 0
    listed: list[Verdict] = field(default_factory=list)
    missed: list[Verdict] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, verdict: Verdict) -> str:
        """Count it, and say what it is."""
        self.seconds += verdict.seconds
        if verdict.listed is not None:
            self.listed.append(verdict)
            return "listed"
        if not verdict.by:
            self.missed.append(verdict)
            return "MISSED"
        self.caught += 1
        return "caught"


def main(arguments: Sequence[str] | None = None) -> int:
    """1 when too few of the faults are caught."""
    asked = _parser().parse_args(arguments)
    for name in LIBRARIES:
        import_module(name)
    paths = files(asked.code)
    chosen = drawn(paths, asked.count, asked.seed)
    if asked.only:
        chosen = [fault for fault in chosen if asked.only in f"{fault.path}:{fault.line}"]
    known = reach(paths, asked.tests, asked.jobs)
    _say(f"{len(known.seconds)} tests, {sum(known.seconds.values()):.0f} s of processor time")
    count = Count()
    for number, verdict in enumerate(verdicts(chosen, known, asked.jobs), 1):
        fault, word = verdict.fault, count.add(verdict)
        place = f"{fault.path}:{fault.line} {fault.function}: {fault.change}"
        by = verdict.by.rsplit("/", 1)[-1]
        _say(f"{number}/{len(chosen)} {word} {verdict.seconds:.1f} s {place} {by}")
    return _tell(count, len(chosen))


def files(folders: Sequence[str]) -> list[Path]:
    """The modules of these folders; a file stands for itself."""
    found = [ROOT / name for name in folders]
    return [
        path for one in found for path in (sorted(one.rglob("*.py")) if one.is_dir() else [one])
    ]


def _tell(count: Count, total: int) -> int:
    for verdict in count.missed:
        fault = verdict.fault
        _say(f"MISSED {(fault.path, fault.function, fault.text, fault.change)}")
    for verdict in count.listed:
        _say(f"listed {verdict.fault.path}:{verdict.fault.line}: {verdict.fault.change}")
    percent = 100 * count.caught / total if total else 100.0
    _say(
        f"{count.caught} of {total} caught ({percent:.1f} %), {len(count.missed)} missed, "
        f"{len(count.listed)} listed with a reason; {count.seconds:.0f} s of processor time"
    )
    return 0 if percent >= WANTED else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=COUNT, help=f"faults (default: {COUNT})")
    parser.add_argument("--seed", type=int, default=1, help="which ones (default: 1)")
    parser.add_argument("--jobs", type=int, default=2, help="at a time (default: 2)")
    parser.add_argument("--code", nargs="+", default=CODE, help="folders or files with faults")
    parser.add_argument("--tests", nargs="+", default=TESTS, help="folders or files that are asked")
    parser.add_argument(
        "--only", default="", help="of the faults drawn, those with this in PATH:LINE"
    )
    return parser


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
