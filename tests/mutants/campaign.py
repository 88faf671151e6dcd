"""Make faults one by one, and ask the tests that reach each of them."""

import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from tests.mutants.equivalent import LISTED, Listed
from tests.mutants.faults import ROOT, Fault, faults, tree
from tests.mutants.patch import can_patch, patch
from tests.mutants.process import Child, Work, run_all, run_tests
from tests.mutants.reach import Reach

ENOUGH = 10.0
"""Processor seconds beyond three times what a child's tests take without its fault."""
FAILED = {int(pytest.ExitCode.TESTS_FAILED), int(pytest.ExitCode.INTERRUPTED)}

ENDED: dict[int, str] = {signal.SIGXCPU: "no end", signal.SIGSEGV: "no bottom"}
"""Signals that a fault can lead to: an endless loop, an endless recursion."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A fault is caught by a test, listed, or neither: then it is missed."""

    fault: Fault
    by: str = ""
    """The test that failed, or how the process ended."""
    listed: Listed | None = None
    seconds: float = 0.0


Tell = Callable[[Verdict], None]


def drawn(paths: Sequence[Path], count: int, seed: int) -> list[Fault]:
    """So many of all faults of these files, at random; of a larger draw the first ones."""
    everything = [fault for path in sorted(paths) for fault in faults(path)]
    Random(seed).shuffle(everything)
    return everything[:count]


def judge(chosen: Sequence[Fault], reach: Reach, jobs: int, tell: Tell) -> None:
    """Try so many faults at a time, and tell each verdict as it is found.

    Most faults are put into functions of modules that are imported already. What runs on import
    needs a process that starts without the bot, so those faults come first.
    """
    on_import, patched = [], []
    for fault in chosen:
        listed = next((one for one in LISTED if one.is_of(fault)), None)
        if listed is not None or not reach.of(fault):
            tell(Verdict(fault, listed=listed))
        elif reach.is_kept(fault) or not can_patch(fault):
            on_import.append(fault)
        else:
            patched.append(fault)
    for fault, child in run_all((_import(fault, reach) for fault in on_import), jobs):
        tell(_verdict(fault, child))
    if patched:
        patcher = _Patcher(patched, reach, jobs, tell)
        code = run_tests({}, _files(patched, reach), patcher)
        if patcher.error is not None:
            raise patcher.error
        if code:
            raise RuntimeError(f"exit {code} before any fault was made")


def _files(chosen: Sequence[Fault], reach: Reach) -> list[str]:
    return sorted({test.split("::")[0] for fault in chosen for test in reach.of(fault)})


def _limit(fault: Fault, reach: Reach) -> float:
    return ENOUGH + 3 * sum(reach.seconds[test] for test in reach.of(fault))


def _verdict(fault: Fault, child: Child) -> Verdict:
    if child.status == pytest.ExitCode.OK:
        by = ""
    elif child.status in FAILED:
        by = child.answer or "not imported"
    elif -child.status in ENDED:
        by = f"{ENDED[-child.status]} in {child.answer}"
    else:
        raise RuntimeError(f"exit {child.status} with {fault}\n{child.answer}")
    return Verdict(fault, by, seconds=child.seconds)


def _import(fault: Fault, reach: Reach) -> Work[Fault]:
    """The fault's module is imported with the fault in it."""
    tests = reach.of(fault)

    def work(answer: Path) -> int:
        changed = {ROOT / fault.path: tree(fault)}
        return run_tests(changed, _files([fault], reach), _Chosen(tests, answer.write_text))

    return fault, work, _limit(fault, reach)


class _Chosen:
    """A plugin of pytest's that runs these tests in this order, and tells which one runs.

    All parameters of a test are taken: their names may have the fault in them.
    """

    def __init__(self, tests: Sequence[str], tell: Callable[[str], object]) -> None:
        self._order: dict[str, int] = {}
        for number, test in enumerate(tests):
            self._order.setdefault(_plain(test), number)
        self._tell = tell

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        found = [item for item in items if _plain(item.nodeid) in self._order]
        items[:] = sorted(found, key=lambda item: self._order[_plain(item.nodeid)])

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._tell(nodeid)


def _plain(test: str) -> str:
    return test.partition("[")[0]


class _Patcher:
    """A plugin of pytest's: once all is collected, each fault has a fork of this process."""

    def __init__(self, chosen: Sequence[Fault], reach: Reach, jobs: int, tell: Tell) -> None:
        self._chosen = chosen
        self._reach = reach
        self._jobs = jobs
        self._tell = tell
        self.error: Exception | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        if session.testsfailed:
            return None
        try:
            for fault, child in run_all(self._works(session), self._jobs):
                self._tell(_verdict(fault, child))
        except Exception as error:
            self.error = error
        return True

    def _works(self, session: pytest.Session) -> Iterator[Work[Fault]]:
        items = {item.nodeid: item for item in session.items}
        for fault in self._chosen:
            chosen = [items[test] for test in self._reach.of(fault)]
            yield fault, _Asked(fault, session, chosen), _limit(fault, self._reach)


@dataclass(frozen=True, slots=True)
class _Asked:
    fault: Fault
    session: pytest.Session
    items: list[pytest.Item]

    def __call__(self, answer: Path) -> int:
        patch(self.fault)
        for item, following in pairwise((*self.items, None)):
            assert item is not None
            answer.write_text(item.nodeid, "utf-8")
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.session.testsfailed:
                return int(pytest.ExitCode.TESTS_FAILED)
        return int(pytest.ExitCode.OK)
