"""Make faults one by one, and ask the tests that reach each of them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from tests.mutants.equivalent import LISTED, Listed
from tests.mutants.faults import ROOT, Fault, faults, tree
from tests.mutants.process import Child, run_all, run_tests
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
    """So many of all faults of these files, at random; of a larger draw the first ones."""
    everything = [fault for path in sorted(paths) for fault in faults(path)]
    Random(seed).shuffle(everything)
    return everything[:count]


def verdicts(chosen: Sequence[Fault], reach: Reach, jobs: int) -> Iterator[Verdict]:
    """Try so many faults at a time; verdicts come as they are found."""
    tried = []
    for fault in chosen:
        listed = next((one for one in LISTED if one.is_of(fault)), None)
        if listed is not None or not reach.of(fault):
            yield Verdict(fault, listed=listed)
        else:
            tried.append(fault)
    for fault, child in run_all((_work(fault, reach) for fault in tried), jobs):
        yield Verdict(fault, _noticed(fault, child), seconds=child.seconds)


def _work(fault: Fault, reach: Reach) -> tuple[Fault, Callable[[Path], int], float]:
    tests = reach.of(fault)
    files = sorted({test.split("::")[0] for test in tests})

    def work(answer: Path) -> int:
        changed = {ROOT / fault.path: tree(fault)}
        return run_tests(changed, files, _Chosen(tests, answer.write_text))

    return fault, work, ENOUGH + 3 * sum(reach.seconds[test] for test in tests)


def _noticed(fault: Fault, child: Child) -> str:
    """The test that failed; nothing when all have passed."""
    if child.status == pytest.ExitCode.OK:
        return ""
    if child.status in FAILED:
        return child.answer or "not imported"
    if child.status < 0:
        return f"signal {-child.status} in {child.answer}"
    raise RuntimeError(f"exit {child.status} with {fault}\n{child.answer}")


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
