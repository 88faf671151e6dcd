"""Make faults one by one, and ask the tests that reach each of them."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from tests.mutants.equivalent import LISTED, Listed
from tests.mutants.faults import ROOT, Fault, faults, tree
from tests.mutants.process import Child, run_tests
from tests.mutants.reach import Reach

ENOUGH = 30.0
"""Processor seconds beyond three times what a child's tests take without its fault."""
FAILED = {int(pytest.ExitCode.TESTS_FAILED), int(pytest.ExitCode.INTERRUPTED)}


@dataclass(frozen=True, slots=True)
class Verdict:
    """Exactly one of `by`, `listed` and nothing: caught, listed, missed."""

    fault: Fault
    by: str = ""
    """The test that failed, or how the process ended."""
    listed: Listed | None = None
    seconds: float = 0.0


def drawn(paths: Sequence[Path], count: int, seed: int) -> list[Fault]:
    """So many of all faults of these files; the same ones for the same seed and the same files."""
    everything = [fault for path in sorted(paths) for fault in faults(path)]
    return Random(seed).sample(everything, min(count, len(everything)))


def verdicts(chosen: Sequence[Fault], reach: Reach, jobs: int) -> Iterator[Verdict]:
    """Try so many faults at a time; verdicts come as they are found."""
    waiting, running = list(reversed(chosen)), dict[int, tuple[Fault, Child]]()
    while waiting or running:
        while waiting and len(running) < jobs:
            fault = waiting.pop()
            listed = next((one for one in LISTED if one.is_of(fault)), None)
            tests = reach.of(fault)
            if listed is not None or not tests:
                yield Verdict(fault, listed=listed)
                continue
            child = _child(fault, tests, sum(reach.seconds[test] for test in tests))
            running[child.pid] = fault, child
        if running:
            pid, status, usage = os.wait4(-1, 0)
            fault, child = running.pop(pid)
            child.ended(status, usage)
            yield _verdict(fault, child)


def _child(fault: Fault, tests: tuple[str, ...], seconds: float) -> Child:
    changed = {ROOT / fault.path: tree(fault)}
    files = sorted({test.split("::")[0] for test in tests})

    def work(answer: Path) -> int:
        return run_tests(changed, files, _Chosen(tests, answer.write_text))

    return Child(work, limit=ENOUGH + 3 * seconds)


def _verdict(fault: Fault, child: Child) -> Verdict:
    by = child.answer
    if child.status in FAILED:
        by = by or "not imported"
    elif child.status < 0:
        by = f"signal {-child.status} in {by}"
    elif child.status:
        raise RuntimeError(f"exit {child.status} with {fault}: {by}")
    else:
        by = ""
    child.forget()
    return Verdict(fault, by, seconds=child.seconds)


class _Chosen:
    """A plugin of pytest's that runs these tests in this order, and tells which one runs."""

    def __init__(self, tests: Sequence[str], tell: Callable[[str], object]) -> None:
        self._order = {test: number for number, test in enumerate(tests)}
        self._tell = tell

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        found = [item for item in items if item.nodeid in self._order]
        items[:] = sorted(found, key=lambda item: self._order[item.nodeid])

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._tell(nodeid)
