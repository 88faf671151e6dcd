"""Make faults one by one, and ask the tests that reach each of them."""

import json
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from tests.mutants.equivalent import LISTED, Listed
from tests.mutants.faults import ROOT, Fault, faults, tree
from tests.mutants.patch import can_patch, patch
from tests.mutants.process import (
    Child,
    Work,
    limit_memory,
    limit_time,
    run_all,
    run_tests,
)
from tests.mutants.reach import Reach

IMPORTS = 120.0
"""Seconds of processor time to import and collect everything."""
ENOUGH = 10.0
"""Seconds for a test, beyond three times what it takes without the fault."""
FAILED = {
    int(pytest.ExitCode.TESTS_FAILED),
    int(pytest.ExitCode.INTERRUPTED),
    int(pytest.ExitCode.USAGE_ERROR),
}
"""Without a fault the same tests are found: the last two mean that a fault keeps them, or what all
tests of a folder share, from being imported.
"""
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
    needs a process that imports the bot with the fault in it. So does what may be kept from then
    on, unless a test calls it again and notices.
    """
    on_import, to_patch = [], []
    for fault in chosen:
        listed = next((one for one in LISTED if one.is_of(fault)), None)
        if listed is not None or not (reach.of(fault) or reach.is_kept(fault)):
            tell(Verdict(fault, listed=listed))
        elif fault.statement and can_patch(fault):
            to_patch.append(fault)
        else:
            on_import.append(fault)
    for verdict in _patched(to_patch, reach, jobs):
        if verdict.by or not reach.is_kept(verdict.fault):
            tell(verdict)
        else:
            on_import.append(verdict.fault)
    for fault, child in run_all((_import(fault, reach) for fault in on_import), jobs):
        tell(_verdict(fault, child))


def _patched(chosen: Sequence[Fault], reach: Reach, jobs: int) -> Iterator[Verdict]:
    """Judge them in a child: this process must not import the bot. Verdicts come as lines."""
    if not chosen:
        return
    reading, writing = os.pipe()

    def tell(verdict: Verdict) -> None:
        line = chosen.index(verdict.fault), verdict.by, verdict.seconds
        os.write(writing, json.dumps(line).encode() + b"\n")

    def work(answer: Path) -> int:
        patcher = _Patcher(chosen, reach, jobs, tell)
        code = run_tests({}, _files(test for fault in chosen for test in reach.of(fault)), patcher)
        if patcher.error is not None:
            raise patcher.error
        return code

    child = Child(work)
    os.close(writing)
    with os.fdopen(reading) as lines:
        for line in lines:
            number, by, seconds = json.loads(line)
            yield Verdict(chosen[number], by, seconds=seconds)
    child.wait()
    if child.status:
        raise RuntimeError(f"exit {child.status} while faults were put in\n{child.answer}")
    child.forget()


def _files(tests: Iterable[str]) -> list[str]:
    return sorted({test.split("::")[0] for test in tests})


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
    tests = reach.of_module(fault) if reach.is_kept(fault) else reach.of(fault)

    def work(answer: Path) -> int:
        def tell(test: str) -> None:
            answer.write_text(test, "utf-8")
            limit_time(ENOUGH + 3 * reach.seconds.get(test, 0.0))

        limit_memory()
        limit_time(IMPORTS)
        return run_tests({ROOT / fault.path: tree(fault)}, _files(tests), _Chosen(tests, tell))

    return fault, work


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
            chosen = [(items[test], self._reach.seconds[test]) for test in self._reach.of(fault)]
            yield fault, _Asked(fault, session, chosen)


@dataclass(frozen=True, slots=True)
class _Asked:
    fault: Fault
    session: pytest.Session
    chosen: list[tuple[pytest.Item, float]]
    """Tests and the seconds they take without the fault."""

    def __call__(self, answer: Path) -> int:
        patch(self.fault)
        limit_memory()
        following = (item for item, _ in self.chosen[1:])
        for item, seconds in self.chosen:
            answer.write_text(item.nodeid, "utf-8")
            limit_time(ENOUGH + 3 * seconds)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=next(following, None))
            if self.session.testsfailed:
                return int(pytest.ExitCode.TESTS_FAILED)
        return int(pytest.ExitCode.OK)
