"""`python -m tests.mutants`: make small faults at random; tell which ones no fast test notices."""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TextIO

from tests.mutants.campaign import Verdict, drawn, judge
from tests.mutants.faults import ROOT
from tests.mutants.reach import reach

CODE = ("bot/games", "bot/tables")
TESTS = (
    *("tests/stories", "tests/ui", "tests/store", "tests/loopback", "tests/games", "tests/records"),
    *("tests/i18n", "tests/groups", "tests/tables", "tests/layout", "tests/daily"),
)
"""The longest first."""
COUNT = 200
WANTED = 95
"""Percent of the faults that have to be caught."""
LIBRARIES = ("PIL.Image", "aiosqlite", "babel.dates", "discord", "openskill", "pydantic_settings")


@dataclass(slots=True)
class Count:
    """Verdicts so far; each is a line on the stream."""

    out: TextIO
    total: int
    caught: int = 0
    listed: list[Verdict] = field(default_factory=list)
    missed: list[Verdict] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, verdict: Verdict) -> None:
        """Count it, and say what it is."""
        fault = verdict.fault
        self.seconds += verdict.seconds
        if verdict.listed is not None:
            self.listed.append(verdict)
            word = "listed"
        elif verdict.by:
            self.caught += 1
            word = "caught"
        else:
            self.missed.append(verdict)
            word = "MISSED"
        number = self.caught + len(self.listed) + len(self.missed)
        self._say(
            f"{number}/{self.total} {word} {verdict.seconds:.1f} s {fault.path}:{fault.line} "
            f"{fault.function}: {fault.change} {verdict.by.rsplit('/', 1)[-1]}"
        )

    def end(self) -> int:
        """Say it all again in short. 1 when too few were caught."""
        for verdict in self.missed:
            fault = verdict.fault
            self._say(f"MISSED {(fault.path, fault.function, fault.text, fault.change)}")
        percent = 100 * self.caught / self.total if self.total else 100.0
        self._say(
            f"{self.caught} of {self.total} caught ({percent:.1f} %), {len(self.missed)} missed, "
            f"{len(self.listed)} listed with a reason; {self.seconds:.0f} s of processor time"
        )
        return 0 if percent >= WANTED else 1

    def _say(self, line: str) -> None:
        self.out.write(line + "\n")
        self.out.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    """1 when too few of the faults are caught."""
    asked = _parser().parse_args(arguments)
    for name in LIBRARIES:
        import_module(name)
    paths = files(asked.code)
    chosen = drawn(paths, asked.count, asked.seed)
    if asked.only:
        chosen = [fault for fault in chosen if f"{fault.path}:{fault.line}" in asked.only]
    with quiet() as out:
        known = reach(paths, asked.tests, asked.jobs)
        count = Count(out, len(chosen))
        judge(chosen, known, asked.jobs, count.add)
        return count.end()


@contextmanager
def quiet() -> Iterator[TextIO]:
    """Print only what is written to the stream: pytest's own output goes nowhere."""
    with os.fdopen(os.dup(1), "w") as out, Path(os.devnull).open("w") as nothing:
        os.dup2(nothing.fileno(), 1)
        yield out


def files(folders: Sequence[str]) -> list[Path]:
    """The modules of these folders; a file stands for itself."""
    found = [ROOT / name for name in folders]
    return [
        path for one in found for path in (sorted(one.rglob("*.py")) if one.is_dir() else [one])
    ]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=COUNT, help=f"faults (default: {COUNT})")
    parser.add_argument("--seed", type=int, default=1, help="which ones (default: 1)")
    parser.add_argument("--jobs", type=int, default=2, help="at a time (default: 2)")
    parser.add_argument("--code", nargs="+", default=CODE, help="folders or files with faults")
    parser.add_argument("--tests", nargs="+", default=TESTS, help="folders or files that are asked")
    parser.add_argument("--only", nargs="+", help="of the faults drawn, those at PATH:LINE")
    return parser


if __name__ == "__main__":
    sys.exit(main())
